#include "ngram_counts.hpp"

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

}  // namespace rainbow
