// The words of METEOR's texts and what is known of them, as rainbow/metrics/word/meteor/alignment.py describes it.
#pragma once

#include <pybind11/functional.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "meteor_tables.hpp"
#include "texts.hpp"

namespace rainbow {

using WordNumber = std::int32_t;  // of a word in a call

struct MeteorWord {
  std::int64_t number;  // in the tables
  std::int64_t phrases;  // the node of the phrases that begin with it, or none
  WordNumber stem;
  double weight;  // less for a function word
  std::vector<std::uint32_t> senses;
};

// A run of words that is in the table of paraphrases.
struct Phrase {
  std::int32_t start, length;
  std::uint32_t number;  // its node; then its number among the phrases of a call
};

// A text in METEOR's own words.
struct Line {
  std::vector<WordNumber> words;
  std::vector<Phrase> phrases;
};

// The words of all texts of a call.
class Lexicon {
 public:
  static constexpr double kDelta = 0.75;  // the weight of a word; what is left is that of a function word

  Lexicon(const MeteorTables& tables, const pybind11::function& ask) : tables_(tables), ask_(ask) {}

  const MeteorWord& operator[](WordNumber word) const { return words_[word]; }
  std::size_t size() const { return words_.size(); }
  double weight(const Line& line) const;

  Line line(const Texts& texts, std::size_t text);
  void find_phrases(Line& line) const;

 private:
  static constexpr WordNumber kUnknown = -1, kOther = -2;

  bool add_plain(const Texts& texts, std::size_t text, Line& line);
  std::vector<std::string> asked() const;
  WordNumber number(std::string_view word);
  std::vector<std::uint32_t> senses(std::string_view word, std::int64_t own) const;

  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Numbering = std::unordered_map<std::string, WordNumber, Hash, std::equal_to<>>;

  const MeteorTables& tables_;
  const pybind11::function& ask_;
  std::string joined_;
  std::vector<MeteorWord> words_;
  Numbering numbers_, stems_;
  std::vector<WordNumber> plain_;  // of each token, kOther if it may not be a word of METEOR as it is
};

// The phrases of all texts of a call, numbered, and for each its paraphrases among them.
class PhraseBook {
 public:
  PhraseBook(const MeteorTables& tables, std::initializer_list<std::vector<Line>*> texts);

  std::size_t size() const { return starts_.size() - 1; }
  std::span<const std::uint32_t> paraphrases(std::uint32_t phrase) const {
    return {pairs_.data() + starts_[phrase], pairs_.data() + starts_[phrase + 1]};
  }

 private:
  std::vector<std::uint32_t> pairs_;
  std::vector<std::size_t> starts_;
};

}  // namespace rainbow
