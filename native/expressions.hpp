// Regular expressions of wordings, for what Python's `re` finds in texts of words with one blank between.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace rainbow {

// Of Python's expressions it knows letters, `[ab]`, `\w`, `\b`, groups that keep nothing, `|`, `?`, `{2,4}`, `*` and
// `+` of one letter, and what must or must not follow or, of fixed length, stand before. A match begins where a word
// begins.
class Expression {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  explicit Expression(std::string_view pattern);

  // Where what begins at this place, the first letter of a word, ends; kNone if it does not match.
  std::size_t end(std::string_view text, std::size_t place) const {
    return first_[start_][static_cast<unsigned char>(text[place])] ? end(start_, text, place) : kNone;
  }

 private:
  using State = std::uint32_t;
  using Bytes = std::bitset<256>;
  enum class Kind { kEnd, kBytes, kRun, kEither, kBoundary, kLook };

  struct Step {
    Kind kind;
    State next = 0, other = 0;  // `other` is tried after `next`, or is what is looked for
    Bytes bytes{};
    bool wanted = true;
    std::size_t behind = 0;  // how far before the place it is looked for
  };

  struct Node;
  class Parser;

  State add(Step step);
  State compiled(const Node& node, State next);
  State repeated(const Node& node, State next);
  Bytes first_bytes(State state) const;
  std::size_t end(State state, std::string_view text, std::size_t place) const;

  std::vector<Step> steps_;
  std::vector<Bytes> first_;  // of each step: the bytes that it may begin with
  State start_ = 0;
};

}  // namespace rainbow
