// Where each word stands in a text, 64 places at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace rainbow {

using Bits = std::uint64_t;

// The occurrences of words in a text of at most 64 words; words are numbers from 0 on, or -1 for one that is not there.
class ShortOccurrences {
 public:
  void prepare(std::span<const int> text, int different) {
    places_.assign(different, 0);
    for (std::size_t i = 0; i < text.size(); ++i) places_[text[i]] |= Bits{1} << i;
  }

  // Which of the places first, first + 1 ... first + 63 have this word; `first` may lie before the text.
  Bits window(int word, int first) const {
    if (word < 0 || first <= -64 || first >= 64) return 0;
    return first < 0 ? places_[word] << -first : places_[word] >> first;
  }

 private:
  std::vector<Bits> places_;
};

// The same for a text of any length. A word takes memory only for the blocks of 64 places that it stands in.
class Occurrences {
 public:
  void prepare(std::span<const int> text, int different) {
    starts_.assign(different + 1, 0);
    std::vector<int> block(different, -1);
    for (std::size_t i = 0; i < text.size(); ++i) {
      const int word = text[i], here = static_cast<int>(i / 64);
      if (block[word] != here) ++starts_[word + 1];
      block[word] = here;
    }
    for (int word = 0; word < different; ++word) starts_[word + 1] += starts_[word];
    blocks_.resize(starts_.back());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    for (std::size_t i = 0; i < text.size(); ++i) {
      const int word = text[i], here = static_cast<int>(i / 64);
      if (next[word] == starts_[word] || blocks_[next[word] - 1].number != here) blocks_[next[word]++] = {here, 0};
      blocks_[next[word] - 1].places |= Bits{1} << (i % 64);
    }
  }

  Bits window(int word, int first) const {
    if (word < 0) return 0;
    const int number = first >> 6, shift = first & 63;  // rounded down, for negative places too
    const auto end = blocks_.begin() + starts_[word + 1];
    auto block = std::lower_bound(blocks_.begin() + starts_[word], end, number,
                                  [](const Block& one, int wanted) { return one.number < wanted; });
    Bits found = 0;
    if (block != end && block->number == number) found = (block++)->places >> shift;
    if (shift != 0 && block != end && block->number == number + 1) found |= block->places << (64 - shift);
    return found;
  }

 private:
  struct Block {
    int number;
    Bits places;
  };

  std::vector<std::size_t> starts_;  // of each word's blocks
  std::vector<Block> blocks_;
};

}  // namespace rainbow
