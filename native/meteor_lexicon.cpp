#include "meteor_lexicon.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <array>

#include "hashing.hpp"
#include "meteor_words.hpp"
#include "stem.hpp"

namespace rainbow {

namespace py = pybind11;

namespace {

std::vector<std::uint32_t> sorted_once(std::vector<std::uint32_t> senses) {
  std::sort(senses.begin(), senses.end());
  senses.erase(std::unique(senses.begin(), senses.end()), senses.end());
  return senses;
}

// Whether a token has nothing but small letters, of English or Latin-1, and digits: no rule of METEOR changes it.
bool stands_as_it_is(std::string_view token) {
  for (std::size_t i = 0; i < token.size(); ++i) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(token[k]); };
    if (byte(i) == 0xC3 && i + 1 < token.size() && byte(i + 1) >= 0x9F && byte(i + 1) != 0xB7) {
      ++i;
    } else if (!('a' <= token[i] && token[i] <= 'z') && !('0' <= token[i] && token[i] <= '9')) {
      return false;
    }
  }
  return true;
}

}  // namespace

Line Lexicon::line(const Texts& texts, std::size_t text) {
  Line line;
  if (add_plain(texts, text, line)) return line;
  line.words.clear();
  joined_.clear();
  for (const Id id : texts[text]) {
    if (!joined_.empty()) joined_ += ' ';
    joined_ += texts.vocabulary()->word(id);
  }
  const auto keeps = [this](std::string_view word, bool numeric) { return tables_.is_prefix(tables_.find(word), numeric); };
  const auto words = meteor_words(joined_, keeps);
  for (const std::string& word : words ? *words : asked()) line.words.push_back(number(word));
  return line;
}

// Adds the words of a text whose tokens are all plain; false if they are not. The texts of a call number them alike.
bool Lexicon::add_plain(const Texts& texts, std::size_t text, Line& line) {
  plain_.resize(std::max<std::size_t>(plain_.size(), texts.vocabulary()->size()), kUnknown);
  for (const Id id : texts[text]) {
    const std::string_view token = texts.vocabulary()->word(id);
    if (token.empty()) continue;
    if (plain_[id] == kUnknown) plain_[id] = stands_as_it_is(token) ? number(token) : kOther;
    if (plain_[id] == kOther) return false;
    line.words.push_back(plain_[id]);
  }
  return true;
}

std::vector<std::string> Lexicon::asked() const {
  const auto text = py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(joined_.data(), joined_.size(), "surrogatepass"));
  if (!text) throw py::error_already_set();
  std::vector<std::string> words;
  for (const py::handle word : ask_(text)) {
    const auto bytes = py::reinterpret_steal<py::bytes>(PyUnicode_AsEncodedString(word.ptr(), "utf-8", "surrogatepass"));
    if (!bytes) throw py::error_already_set();
    words.push_back(bytes);
  }
  return words;
}

WordNumber Lexicon::number(std::string_view word) {
  if (const auto found = numbers_.find(word); found != numbers_.end()) return found->second;
  const WordNumber stem = stems_.try_emplace(english_stem(word), static_cast<WordNumber>(stems_.size())).first->second;
  const std::int64_t own = tables_.find(word), phrases = own < 0 ? MeteorTables::kNone : tables_.child(0, own);
  words_.push_back({own, phrases, stem, tables_.is_function_word(own) ? 1 - kDelta : kDelta, senses(word, own)});
  return numbers_.emplace(std::string(word), static_cast<WordNumber>(words_.size()) - 1).first->second;
}

// The synonym sets of a word and of what it is a form of: an irregular form, or the first ending that fits.
std::vector<std::uint32_t> Lexicon::senses(std::string_view word, std::int64_t own) const {
  std::vector<std::uint32_t> found;
  const auto add = [&](std::int64_t number) {
    const MeteorTables::Numbers some = tables_.senses(number);
    found.insert(found.end(), some.begin(), some.end());
    return !some.empty();
  };
  if (own >= 0) {
    add(own);
    for (const std::uint32_t lemma : tables_.lemmas(own)) add(lemma);
    if (!tables_.lemmas(own).empty()) return sorted_once(found);
  }
  if (word.ends_with("ss") || std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xC0) != 0x80; }) <= 2) {
    return sorted_once(found);
  }
  constexpr std::array<std::array<std::string_view, 2>, 18> kEndings{
      {{"s", ""},   {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"}, {"men", "man"},
       {"ies", "y"}, {"es", "e"},  {"es", ""},   {"ed", "e"},  {"ed", ""},     {"ing", "e"},   {"ing", ""},
       {"er", ""},   {"est", ""},  {"er", "e"},  {"est", "e"}}};
  for (const auto& [ending, base] : kEndings) {
    if (!word.ends_with(ending)) continue;
    const std::int64_t form = tables_.find(std::string(word.substr(0, word.size() - ending.size())).append(base));
    if (form >= 0 && add(form)) break;
  }
  return sorted_once(found);
}

double Lexicon::weight(const Line& line) const {
  double sum = 0;
  for (const WordNumber word : line.words) sum += words_[word].weight;
  return sum;
}

// Finds every run of words that begins a phrase of the table.
void Lexicon::find_phrases(Line& line) const {
  for (std::size_t start = 0; start < line.words.size(); ++start) {
    std::int64_t node = words_[line.words[start]].phrases;
    for (std::size_t end = start + 1; node >= 0; ++end) {
      line.phrases.push_back({static_cast<std::int32_t>(start), static_cast<std::int32_t>(end - start), static_cast<std::uint32_t>(node)});
      const std::int64_t word = end < line.words.size() ? words_[line.words[end]].number : MeteorTables::kNone;
      node = word < 0 ? MeteorTables::kNone : tables_.child(static_cast<std::uint32_t>(node), word);
    }
  }
}

PhraseBook::PhraseBook(const MeteorTables& tables, std::initializer_list<std::vector<Line>*> texts) {
  std::vector<std::uint32_t> nodes;
  HashIndex numbers;
  const auto place = [&](std::uint32_t node) { return numbers.find(mixed(node), [&](std::uint32_t i) { return nodes[i] == node; }); };
  for (std::vector<Line>* const lines : texts) {
    for (Line& line : *lines) {
      for (Phrase& phrase : line.phrases) {
        std::uint32_t number = place(phrase.number);
        if (number == HashIndex::kNone) {
          number = static_cast<std::uint32_t>(nodes.size());
          nodes.push_back(phrase.number);
          numbers.add(mixed(phrase.number), number, [&](std::uint32_t i) { return mixed(nodes[i]); });
        }
        phrase.number = number;
      }
    }
  }
  starts_.push_back(0);
  for (const std::uint32_t node : nodes) {
    for (const std::uint32_t other : tables.pairs(node)) {
      if (const std::uint32_t number = place(other); number != HashIndex::kNone) pairs_.push_back(number);
    }
    starts_.push_back(pairs_.size());
  }
}

}  // namespace rainbow
