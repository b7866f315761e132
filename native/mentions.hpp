// What a text speaks of: phrases however they are spaced, words however inflected, denials.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "texts.hpp"

namespace rainbow {

// What Python says of a word, each a bit, in the order of rainbow.meaning.reading.MARKS.
enum Mark : unsigned {
  kAlphanumeric = 1,
  kNumber = 2,  // which counts as invented
  kNegation = 4,
  kBreak = 8,
  kSentenceEnd = 16,
  kException = 32,
  kIndifferent = 64,
  kUnknown = 128,
  kDecimal = 256,  // begins with a digit
};

// The beginnings of a word that other forms of it may have: bytes, at least and at most.
struct Root {
  std::string text;
  std::size_t shortest = 1;

  Root() = default;
  explicit Root(std::string_view word);

  bool is_shared(const Root& other) const;
};

// A word and what Python says of it: the number that it is (`twelve`), its digits, the day of a month that it may be.
struct Token {
  std::string text, stem, spelled, number, digits, day;
  unsigned marks = 0;
  Root root;

  bool is(Mark mark) const { return marks & mark; }
};

using Tokens = std::vector<const Token*>;

extern const Token kGap;  // stands for words taken out

// What Python says of words, asked once for each.
class TokenMemory {
 public:
  explicit TokenMemory(pybind11::function tell) : tell_(std::move(tell)) {}

  const Token* word(std::string_view text);
  bool is_full() const { return words_.size() >= kRemembered || bytes_ >= kBytes; }

 private:
  static constexpr std::size_t kRemembered = 1 << 15, kBytes = 1 << 22;  // words, and what they are made of

  pybind11::function tell_;
  Vocabulary numbers_;
  std::deque<Token> words_;
  std::size_t bytes_ = 0;
};

// Strings in order, to look one up.
class Strings {
 public:
  Strings() = default;
  explicit Strings(std::vector<std::string> strings) : sorted_(std::move(strings)) {
    std::sort(sorted_.begin(), sorted_.end());
  }

  bool has(std::string_view text) const { return std::binary_search(begin(), end(), text); }
  bool has_beginning(std::string_view text) const {
    const auto place = std::lower_bound(begin(), end(), text);
    return place != end() && place->starts_with(text);
  }
  std::vector<std::string>::const_iterator begin() const { return sorted_.begin(); }
  std::vector<std::string>::const_iterator end() const { return sorted_.end(); }

 private:
  std::vector<std::string> sorted_;
};

// Phrases to look for; those of another object may stand behind them.
class Phrases {
 public:
  explicit Phrases(std::vector<std::string> phrases, std::shared_ptr<const Phrases> further = nullptr);

  bool has(std::string_view text) const { return phrases_.has(text) || (further_ && further_->has(text)); }
  bool has_beginning(std::string_view text) const;  // of a phrase, or of one with a plural s

 private:
  Strings phrases_;
  std::shared_ptr<const Phrases> further_;
  std::vector<bool> first_bytes_;
};

struct Mention {
  std::size_t start, stop;
  std::string phrase;
};

std::vector<Mention> mentions(const Tokens& words, const Phrases& phrases);
Tokens without(const Tokens& words, std::span<const Mention> taken);

// Which of these phrases are said that are not licensed, neither whole nor by the stems of their words.
std::vector<std::string> strays(const Tokens& words, const Phrases& known, const Strings& licensed);

constexpr std::size_t kAnyReach = ~std::size_t{0};

// For each word with one of these stems whether its clause denies it.
std::vector<bool> denials(const Tokens& words, const Strings& stems, std::size_t reach = kAnyReach);

inline std::size_t count_stem(const Tokens& words, std::string_view stem) {
  return std::count_if(words.begin(), words.end(), [&](const Token* word) { return word->stem == stem; });
}

// How many characters UTF-8 has.
inline std::size_t characters(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; });
}

std::vector<std::string> strings_of(const pybind11::handle& texts);

// What a text says of a meaning representation.
struct Said {
  std::size_t realised = 0, missing = 0, repeated = 0, invented = 0;
};

// A meaning representation, prepared.
class Asked {
 public:
  explicit Asked(std::size_t slots) : slots(slots) {}
  virtual ~Asked() = default;

  virtual Said said(const Tokens& words, const Phrases& known) const = 0;

  const std::size_t slots;
};

}  // namespace rainbow
