// The n-grams of a text as numbers, exactly: an n-gram is the number of its first n - 1 words and its last word.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "hashing.hpp"
#include "texts.hpp"

namespace rainbow {

using Ngram = std::uint32_t;
inline constexpr Ngram kNoWords = 0;  // the n-gram of no words, which every other one begins with

// Numbers from 1 of n-grams by their beginning and last word.
class Chains {
 public:
  // Forgets everything and makes room for about so many n-grams.
  void reset(std::size_t count) {
    mask_ = std::bit_ceil(2 * count + 2) - 1;
    slots_.assign(mask_ + 1, Slot{});
    last_ = 0;
  }

  // The number of an n-gram, a new one if it has none.
  Ngram add(Ngram beginning, Id word) {
    const std::uint64_t wanted = key(beginning, word);
    Slot* slot = &slots_[place(wanted)];
    if (slot->number == 0) {
      if (2 * std::size_t{last_ + 1} > mask_) {
        grow();
        slot = &slots_[place(wanted)];
      }
      *slot = {wanted, ++last_};
    }
    return slot->number;
  }

  // The number of an n-gram, or 0.
  Ngram find(Ngram beginning, Id word) const { return slots_[place(key(beginning, word))].number; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    Ngram number = 0;
  };

  static std::uint64_t key(Ngram beginning, Id word) {
    return std::uint64_t{beginning} << 32 | static_cast<std::uint32_t>(word);
  }

  std::size_t place(std::uint64_t key) const {
    // Multiplied by the golden ratio (Knuth, The Art of Computer Programming 3, 6.4): the high bits are the good ones.
    std::size_t at = (key * 0x9E3779B97F4A7C15U >> 32) & mask_;
    while (slots_[at].number != 0 && slots_[at].key != key) at = (at + 1) & mask_;
    return at;
  }

  void grow();

  std::vector<Slot> slots_ = std::vector<Slot>(2);  // half of them free
  std::size_t mask_ = 1;
  Ngram last_ = 0;
};

// The n-grams of one text up to some order, and how many of them other texts have. It is scratch memory: one object
// takes one text after another.
class TextNgrams {
 public:
  // Numbers the n-grams by their order, and those of an order by their first place in the text.
  void index(std::span<const Id> text, std::size_t orders);

  std::size_t orders() const { return first_.size() - 1; }
  Ngram first(std::size_t order) const { return first_[order - 1]; }  // the first n-gram of this order
  Ngram last(std::size_t order) const { return first_[order]; }       // behind the last n-gram of this order
  Ngram size() const { return first_.back(); }                        // behind the last n-gram of all

  std::uint32_t count(Ngram ngram) const { return entries_[ngram].count; }
  Ngram beginning(Ngram ngram) const { return entries_[ngram].beginning; }  // all words but the last
  Id word(Ngram ngram) const { return entries_[ngram].word; }               // the last
  std::uint32_t start(Ngram ngram) const { return entries_[ngram].start; }  // the first place where it begins

  // Counts the n-grams of another text that are in this one, in place of those of the text before.
  void compare(std::span<const Id> other);

  // The n-grams of an order that the other text has too, each once.
  std::span<const Ngram> common(std::size_t order) const {
    return {common_.data() + common_start(order), common_end_[order] - common_start(order)};
  }
  std::uint32_t other_count(Ngram ngram) const { return others_[ngram]; }

  // How many n-grams of an order both texts have, each as often as the one that has it less often.
  std::size_t matches(std::size_t order) const {
    std::size_t found = 0;
    for (const Ngram ngram : common(order)) found += std::min(count(ngram), others_[ngram]);
    return found;
  }

  // Takes down the highest count so far of each n-gram in other texts.
  void update(std::vector<std::uint32_t>& most) const {
    for (std::size_t order = 1; order <= orders(); ++order) {
      for (const Ngram ngram : common(order)) most[ngram] = std::max(most[ngram], others_[ngram]);
    }
  }

 private:
  struct Entry {
    std::uint32_t count, order, start;
    Ngram beginning, ending;  // all words but the last, but the first
    Id word;
  };

  std::size_t common_start(std::size_t order) const { return first(order) + order; }
  void forget_other();
  void count_longest(std::span<const Id> other);
  void pass_on(std::size_t order);

  Chains chains_;
  std::vector<Ngram> first_{1};
  std::vector<Ngram> at_;  // for every place in the text the n-gram of the last order that begins there
  std::vector<Entry> entries_;         // by n-gram, with places to spare behind them
  std::vector<std::uint32_t> others_;  // counts in the other text
  std::vector<Ngram> common_;            // one order behind the other, with a place to spare behind each
  std::vector<std::size_t> common_end_;  // by order
};

// How many n-grams of an order a text has.
inline std::size_t ngram_total(std::size_t words, std::size_t order) { return words < order ? 0 : words - order + 1; }

}  // namespace rainbow
