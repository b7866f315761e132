#include "ngram_counts.hpp"

#include <numeric>
#include <stdexcept>

#include "strings.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

// Calls visit(words) for the longest n-gram that begins at each place of a text: the others are its beginnings.
template <class Visit>
void for_each_start(std::span<const Id> text, std::size_t orders, const Visit& visit) {
  for (std::size_t start = 0; start < text.size(); ++start) {
    visit(text.subspan(start, std::min(orders, text.size() - start)));
  }
}

// A word as it stands between quotes in JSON that is ASCII.
std::string escaped(std::string_view word) {
  constexpr std::string_view kSpecial = "\"\\\n\r\t\b\f", kLetters = "\"\\nrtbf";
  std::string text;
  const auto add_code = [&text](char32_t code) {
    text += "\\u";
    for (const int shift : {12, 8, 4, 0}) text += "0123456789abcdef"[code >> shift & 15];
  };
  for (std::size_t i = 0; i < word.size(); ++i) {
    char32_t code = static_cast<unsigned char>(word[i]);
    if (const std::size_t special = kSpecial.find(word[i]); special != std::string_view::npos) {
      text += '\\';
      text += kLetters[special];
    } else if (' ' <= code && code <= '~') {
      text += word[i];
    } else {
      const int more = code < 0xC0 ? 0 : code < 0xE0 ? 1 : code < 0xF0 ? 2 : 3;  // bytes
      if (more > 0) code &= 0x3F >> more;
      for (int k = 0; k < more; ++k) code = code << 6 | (static_cast<unsigned char>(word[++i]) & 0x3F);
      if (code > 0xFFFF) add_code(0xD7C0 + (code >> 10));
      add_code(code > 0xFFFF ? 0xDC00 + (code & 0x3FF) : code);
    }
  }
  return text;
}

}  // namespace

NgramCounts::NgramCounts(const py::dict& counts) : words_(std::make_shared<Vocabulary>()) {
  chains_.reset(counts.size());
  for (const auto& [ngram, count] : counts) add(ngram, count.cast<double>());
}

void NgramCounts::add(const py::handle& ngram, double count) {
  if (!(count >= 1)) throw std::invalid_argument("the count of an n-gram must be 1 or more");
  if (!PyTuple_Check(ngram.ptr())) throw py::type_error("an n-gram is not a tuple of words");
  Ngram number = kNoWords;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(ngram.ptr()); ++i) {
    py::object keeper;
    number = add(number, words_->add(utf8(PyTuple_GET_ITEM(ngram.ptr(), i), keeper)));
  }
  if (number != kNoWords) entries_[number].count = count;
}

Ngram NgramCounts::add(Ngram beginning, Id word) {
  const Ngram number = chains_.add(beginning, word);
  if (number == entries_.size()) entries_.push_back({0, beginning, word, 0});
  return number;
}

void NgramCounts::add_all(std::span<const Id> text, std::size_t orders) {
  for_each_start(text, orders, [this](std::span<const Id> words) {
    Ngram number = kNoWords;
    for (const Id word : words) ++entries_[number = add(number, word)].count;
  });
}

void NgramCounts::add_new(std::span<const Id> text, std::size_t orders, std::uint32_t document) {
  for_each_start(text, orders, [this, document](std::span<const Id> words) {
    Ngram number = kNoWords;
    for (const Id word : words) {
      Entry& entry = entries_[number = add(number, word)];
      entry.count += entry.document != document;
      entry.document = document;
    }
  });
}

void NgramCounts::keep_from(double least) {
  std::vector<Entry> all(1);
  all.swap(entries_);
  chains_.reset(0);
  std::vector<Ngram> numbers(all.size(), kNoWords);
  for (Ngram before = 1; before < all.size(); ++before) {
    const Entry& entry = all[before];
    if (entry.count < least) continue;
    numbers[before] = add(numbers[entry.beginning], entry.word);
    entries_[numbers[before]].count = entry.count;
  }
}

py::dict NgramCounts::counts() const {
  std::vector<py::object> words(words_->size()), ngrams(entries_.size());
  ngrams[kNoWords] = py::tuple();
  py::dict counts;
  for (Ngram ngram = 1; ngram < entries_.size(); ++ngram) {
    const Entry& entry = entries_[ngram];
    if (!words[entry.word]) words[entry.word] = text_of(words_->word(entry.word));
    ngrams[ngram] = ngrams[entry.beginning] + py::make_tuple(words[entry.word]);
    if (entry.count > 0) counts[ngrams[ngram]] = py::int_(static_cast<std::size_t>(entry.count));
  }
  return counts;
}

std::vector<Ngram> NgramCounts::sorted() const {
  std::vector<Id> words(words_->size()), ranks(words_->size());
  std::iota(words.begin(), words.end(), 0);
  std::sort(words.begin(), words.end(), [this](Id a, Id b) { return words_->word(a) < words_->word(b); });
  for (std::size_t rank = 0; rank < words.size(); ++rank) ranks[words[rank]] = static_cast<Id>(rank);
  std::vector<Ngram> siblings(entries_.size() - 1), order;
  std::iota(siblings.begin(), siblings.end(), Ngram{1});
  // With the last first, as they are put on a stack.
  std::sort(siblings.begin(), siblings.end(), [&](Ngram a, Ngram b) {
    const Entry &one = entries_[a], &other = entries_[b];
    return one.beginning != other.beginning ? one.beginning < other.beginning : ranks[one.word] > ranks[other.word];
  });
  std::vector<std::size_t> starts(entries_.size() + 1);
  for (const Ngram ngram : siblings) ++starts[entries_[ngram].beginning + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  const auto push = [&](std::vector<Ngram>& stack, Ngram beginning) {
    stack.insert(stack.end(), siblings.begin() + starts[beginning], siblings.begin() + starts[beginning + 1]);
  };
  std::vector<Ngram> stack;
  for (push(stack, kNoWords); !stack.empty();) {
    const Ngram ngram = stack.back();
    stack.pop_back();
    if (entries_[ngram].count > 0) order.push_back(ngram);
    push(stack, ngram);
  }
  return order;
}

std::string NgramCounts::json(bool joined) const {
  std::vector<std::string> words(words_->size());
  for (Id word = 0; word < words_->size(); ++word) {
    const std::string_view bytes = words_->word(word);
    if (joined && std::any_of(bytes.begin(), bytes.end(), [](unsigned char c) { return c <= ' '; })) return {};
    words[word] = escaped(bytes);
  }
  std::string text(1, joined ? '{' : '[');
  for (const Ngram ngram : sorted()) {
    if (text.size() > 1) text += ", ";
    std::vector<std::string_view> own;
    for (Ngram part = ngram; part != kNoWords; part = entries_[part].beginning) own.push_back(words[entries_[part].word]);
    text += joined ? "\"" : "[[\"";
    for (std::size_t i = own.size(); i-- > 0;) {
      text += own[i];
      if (i > 0) text += joined ? " " : "\", \"";
    }
    text += joined ? "\": " : "\"], ";
    text += std::to_string(static_cast<std::size_t>(entries_[ngram].count));
    if (!joined) text += ']';
  }
  return text += joined ? '}' : ']';
}

}  // namespace rainbow
