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
  first_.assign(1, 1);
  at_.assign(text.size(), kNoWords);
  counts_.assign(1, 0);
  orders_.assign(1, 0);
  beginnings_.assign(1, kNoWords);
  endings_.assign(1, kNoWords);
  words_.assign(1, -1);
  for (std::size_t order = 1; order <= orders; ++order) {
    for (std::size_t i = 0; i < ngram_total(text.size(), order); ++i) {
      const Id word = text[i + order - 1];
      const Ngram ngram = chains_.add(at_[i], word);
      if (ngram == counts_.size()) {
        counts_.push_back(0);
        orders_.push_back(static_cast<std::uint32_t>(order));
        beginnings_.push_back(at_[i]);
        endings_.push_back(order == 1 ? kNoWords : at_[i + 1]);  // which is of the order before still
        words_.push_back(word);
      }
      ++counts_[ngram];
      at_[i] = ngram;
    }
    first_.push_back(static_cast<Ngram>(counts_.size()));
  }
  others_.assign(counts_.size(), 0);
  others_[kNoWords] = 1;  // is never new
  common_.resize(counts_.size() + orders + 1);
  common_end_.assign(orders + 1, 0);
  for (std::size_t order = 1; order <= orders; ++order) common_end_[order] = common_start(order);
}

// As an automaton counts the words of a dictionary in a text (Aho and Corasick 1975): only the longest n-gram is counted
// at each place, and then, from long to short, each one passes its count on to the n-gram that it ends with.
void TextNgrams::compare(std::span<const Id> other) {
  forget_other();
  count_longest(other);
  for (std::size_t order = orders(); order > 1; --order) pass_on(order);
}

void TextNgrams::forget_other() {
  for (std::size_t order = 1; order <= orders(); ++order) {
    for (const Ngram ngram : common(order)) others_[ngram] = 0;
    common_end_[order] = common_start(order);
  }
}

void TextNgrams::count_longest(std::span<const Id> other) {
  Ngram longest = kNoWords;  // of this text, at the end of what was read
  for (const Id word : other) {
    if (orders_[longest] == orders()) longest = endings_[longest];
    Ngram found;
    while ((found = chains_.find(longest, word)) == 0 && longest != kNoWords) longest = endings_[longest];
    longest = found;
    // Written down in any case, but kept only if it is new: no branch to mispredict.
    std::size_t& end = common_end_[orders_[longest]];
    common_[end] = longest;
    end += others_[longest]++ == 0;
  }
}

void TextNgrams::pass_on(std::size_t order) {
  std::size_t end = common_end_[order - 1];
  for (const Ngram ngram : common(order)) {
    const Ngram ending = endings_[ngram];
    const std::uint32_t before = others_[ending];
    common_[end] = ending;
    end += before == 0;
    others_[ending] = before + others_[ngram];
  }
  common_end_[order - 1] = end;
}

}  // namespace rainbow
