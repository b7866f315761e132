// METEOR's tables as rainbow/metrics/word/meteor/tables.py maps them into memory.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace rainbow {

class MeteorTables {
 public:
  using Numbers = std::span<const std::uint32_t>;
  static constexpr std::int64_t kNone = -1;

  // Takes the arrays in the order of SECTIONS and checks every number in them once.
  explicit MeteorTables(const pybind11::list& arrays);

  std::int64_t find(std::string_view word) const;              // the number of a word, or kNone
  std::int64_t child(std::uint32_t node, std::int64_t word) const;  // the node a phrase goes on with, or kNone
  bool is_function_word(std::int64_t word) const { return has(function_words_, word); }
  bool is_prefix(std::int64_t word, bool numeric) const { return has(numeric ? numeric_prefixes_ : prefixes_, word); }
  Numbers senses(std::int64_t word) const { return row(senses_, sense_starts_, word); }
  Numbers lemmas(std::int64_t word) const { return row(lemmas_, lemma_starts_, word); }
  Numbers pairs(std::uint32_t node) const { return row(pairs_, node_pairs_, node); }

 private:
  static Numbers row(Numbers values, Numbers starts, std::size_t place) {
    return values.subspan(starts[place], starts[place + 1] - starts[place]);
  }
  static bool has(Numbers sorted, std::int64_t word);
  std::string_view word(std::size_t number) const {
    const char* const bytes = reinterpret_cast<const char*>(word_bytes_.data());
    return {bytes + word_starts_[number], bytes + word_starts_[number + 1]};
  }
  void check() const;

  pybind11::list arrays_;  // keeps the memory
  Numbers word_starts_, word_bytes_, function_words_, prefixes_, numeric_prefixes_, sense_starts_, senses_, lemma_starts_,
      lemmas_, node_words_, node_children_, node_pairs_, pairs_;
};

}  // namespace rainbow
