// How many n-grams texts share, each as often as the text that has it less often.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "ngrams.hpp"
#include "texts.hpp"

namespace rainbow {

// One text compared with others, up to so many orders. A text of a few machine words is compared by bits, one for each
// of its places: where the last n words of the other text end in it follows from where the last n - 1 do (shift-and,
// Baeza-Yates and Gonnet 1992), and the n-gram takes the first of these places that is free. A longer one is counted.
// It is scratch memory: one object takes one text after another.
template <std::size_t kOrders>
class SharedNgrams {
 public:
  explicit SharedNgrams(Id words) : words_(words) {}  // the numbers of the texts' words are below

  void take(std::span<const Id> text, std::size_t orders = kOrders) {
    if (!counted_) {
      for (const Id word : text_) std::fill_n(&places_[word * width_], width_, 0);
    }
    text_.assign(text.begin(), text.end());
    width_ = std::max<std::size_t>((text.size() + 63) / 64, 1);
    counted_ = width_ > kWidest || orders > kOrders;
    if (counted_) {
      ngrams_.index(text, orders);
      most_.assign(ngrams_.size(), 0);
      return;
    }
    gathered_ = {};
    if (places_.size() < words_ * width_) places_.resize(words_ * width_);
    for (std::size_t i = 0; i < text.size(); ++i) places_[text[i] * width_ + i / 64] |= Bits{1} << i % 64;
  }

  std::span<const Id> text() const { return text_; }

  // Compares with another text, in place of the one before.
  void compare(std::span<const Id> other) {
    if (counted_) {
      ngrams_.compare(other);
    } else {
      of_width([&](auto width) { compare_bits<width>(other); });
    }
  }

  // How many n-grams of an order both texts have.
  std::size_t matches(std::size_t order) const { return counted_ ? ngrams_.matches(order) : size(taken_[order - 1]); }

  // Takes down the text compared with: what follows is about the one of these that has an n-gram most often.
  void gather() {
    if (counted_) return ngrams_.update(most_);
    for (std::size_t order = 0; order < kOrders; ++order) {
      for (std::size_t i = 0; i < width_; ++i) gathered_[order][i] |= taken_[order][i];
    }
  }

  std::size_t gathered(std::size_t order) const {
    if (!counted_) return size(gathered_[order - 1]);
    std::size_t found = 0;
    for (Ngram ngram = ngrams_.first(order); ngram < ngrams_.last(order); ++ngram) found += times(ngram);
    return found;
  }

  // Calls visit(start, beginning, times) for each different n-gram of an order that any of them has, in their order in
  // the text: the first place where it begins, the first where all its words but the last do, how often it is shared.
  template <class Visit>
  void for_each_gathered(std::size_t order, const Visit& visit) const {
    if (!counted_) return of_width([&](auto width) { for_each_of_bits<width>(order, visit); });
    for (Ngram ngram = ngrams_.first(order); ngram < ngrams_.last(order); ++ngram) {
      if (most_[ngram] > 0) visit(ngrams_.start(ngram), ngrams_.start(ngrams_.beginning(ngram)), times(ngram));
    }
  }

 private:
  static constexpr std::size_t kWidest = 4;  // machine words
  using Bits = std::uint64_t;
  template <std::size_t kWidth>
  using Places = std::array<Bits, kWidth>;
  using ByOrder = std::array<Places<kWidest>, kOrders>;

  template <class Work>
  void of_width(const Work& work) const {
    switch (width_) {
      case 1: return work(std::integral_constant<std::size_t, 1>());
      case 2: return work(std::integral_constant<std::size_t, 2>());
      case 3: return work(std::integral_constant<std::size_t, 3>());
      default: return work(std::integral_constant<std::size_t, kWidest>());
    }
  }

  template <std::size_t kWidth>
  void compare_bits(std::span<const Id> other) {
    std::array<Places<kWidth>, kOrders> ends{}, free;
    for (Places<kWidth>& places : free) places.fill(~Bits{0});
    for (const Id word : other) {
      const Bits* const here = &places_[word * kWidth];
      for (std::size_t order = kOrders; order-- > 0;) {
        Bits carry = 0, open = ~Bits{0};  // nothing was taken yet
        for (std::size_t i = 0; i < kWidth; ++i) {
          Bits& end = ends[order][i];
          end = here[i];
          if (order > 0) end &= shifted(ends[order - 1][i], carry);
          const Bits left = end & free[order][i];
          free[order][i] ^= left & -left & open;
          open &= left == 0 ? ~Bits{0} : 0;
        }
      }
    }
    for (std::size_t order = 0; order < kOrders; ++order) {
      for (std::size_t i = 0; i < kWidth; ++i) taken_[order][i] = ~free[order][i];
    }
  }

  // The places behind these; `carry` goes from one machine word to the next.
  static Bits shifted(Bits places, Bits& carry) {
    const Bits behind = places << 1 | carry;
    carry = places >> 63;
    return behind;
  }

  template <std::size_t kWidth, class Visit>
  void for_each_of_bits(std::size_t order, const Visit& visit) const {
    for (std::size_t start = 0; start + order <= text_.size(); ++start) {
      const std::size_t end = start + order - 1;
      if ((gathered_[order - 1][end / 64] >> end % 64 & 1) == 0) continue;
      Places<kWidth> ends = places_of<kWidth>(text_[start]);
      std::size_t beginning = 0;
      for (std::size_t words = 1; words < order; ++words) {
        beginning = first(ends) + 1 - words;
        follow(ends, text_[start + words]);
      }
      if (first(ends) < end) continue;
      std::size_t times = 0;
      for (std::size_t i = 0; i < kWidth; ++i) times += std::popcount(ends[i] & gathered_[order - 1][i]);
      visit(start, beginning, times);
    }
  }

  template <std::size_t kWidth>
  Places<kWidth> places_of(Id word) const {
    Places<kWidth> places;
    std::copy_n(&places_[word * kWidth], kWidth, places.begin());
    return places;
  }

  // From where some words end to where they do with another one behind.
  template <std::size_t kWidth>
  void follow(Places<kWidth>& ends, Id word) const {
    Bits carry = 0;
    for (std::size_t i = 0; i < kWidth; ++i) ends[i] = shifted(ends[i], carry) & places_[word * kWidth + i];
  }

  template <std::size_t kWidth>
  static std::size_t first(const Places<kWidth>& places) {
    std::size_t i = 0;
    while (places[i] == 0) ++i;
    return 64 * i + std::countr_zero(places[i]);
  }

  std::size_t size(const Places<kWidest>& places) const {
    std::size_t size = 0;
    for (std::size_t i = 0; i < width_; ++i) size += std::popcount(places[i]);
    return size;
  }

  std::size_t times(Ngram ngram) const { return std::min(most_[ngram], ngrams_.count(ngram)); }

  std::size_t words_, width_ = 1;
  std::vector<Id> text_;
  // Of a short text:
  std::vector<Bits> places_;  // by word, of the width that the text has
  ByOrder taken_{}, gathered_{};
  // Of one that is counted:
  bool counted_ = false;
  TextNgrams ngrams_;
  std::vector<std::uint32_t> most_;  // how often the n-gram is in the text that has most of it
};

}  // namespace rainbow
