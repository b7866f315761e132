#include "ngrams.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace rainbow {

void Chains::grow() {
  if (last_ >= std::numeric_limits<Ngram>::max() / 2) throw std::length_error("too many n-grams");
  std::vector<Slot> before(2 * slots_.size());
  before.swap(slots_);
  mask_ = slots_.size() - 1;
  for (const Slot& slot : before) {
    if (slot.number != 0) slots_[place(slot.key)] = slot;
  }
}

void TextNgrams::index(std::span<const Id> text, std::size_t orders) {
  std::size_t most = 0;
  for (std::size_t order = 1; order <= orders; ++order) most += ngram_total(text.size(), order);
  chains_.reset(most);
  ngrams_.assign(1, Entry{});
  first_.assign(1, 1);
  at_.assign(text.size(), kNoWords);
  for (std::size_t order = 1; order <= orders; ++order) {
    for (std::size_t i = 0; i < ngram_total(text.size(), order); ++i) {
      const Id word = text[i + order - 1];
      const Ngram ngram = chains_.add(at_[i], word);
      if (ngram == ngrams_.size()) ngrams_.push_back({at_[i], word, 0, static_cast<std::uint32_t>(order)});
      ++ngrams_[ngram].count;
      at_[i] = ngram;
    }
    first_.push_back(static_cast<Ngram>(ngrams_.size()));
  }
  common_.clear();
  others_.assign(ngrams_.size(), 0);
}

void TextNgrams::compare(std::span<const Id> other) {
  for (const Ngram ngram : common_) others_[ngram] = 0;
  common_.clear();
  for (std::size_t start = 0; start < other.size(); ++start) {
    const std::size_t end = std::min(start + orders(), other.size());
    Ngram ngram = kNoWords;
    for (std::size_t i = start; i < end; ++i) {
      ngram = chains_.find(ngram, other[i]);
      if (ngram == 0) break;
      if (others_[ngram]++ == 0) common_.push_back(ngram);
    }
  }
}

}  // namespace rainbow
