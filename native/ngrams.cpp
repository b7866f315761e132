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
  entries_.resize(std::max(entries_.size(), most + 1));
  entries_[kNoWords] = {0, 0, 0, kNoWords, kNoWords, -1};
  Ngram size = 1;
  for (std::size_t order = 1; order <= orders; ++order) {
    for (std::size_t i = 0; i < ngram_total(text.size(), order); ++i) {
      const Id word = text[i + order - 1];
      const Ngram ngram = chains_.add(at_[i], word);
      if (ngram == size) {
        const Ngram ending = order == 1 ? kNoWords : at_[i + 1];  // which is of the order before still
        entries_[size++] = {0, static_cast<std::uint32_t>(order), static_cast<std::uint32_t>(i), at_[i], ending, word};
      }
      ++entries_[ngram].count;
      at_[i] = ngram;
    }
    first_.push_back(size);
  }
  others_.assign(size, 0);
  others_[kNoWords] = 1;  // is never new
  common_.resize(size + orders + 1);
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
    if (entries_[longest].order == orders()) longest = entries_[longest].ending;
    Ngram found;
    while ((found = chains_.find(longest, word)) == 0 && longest != kNoWords) longest = entries_[longest].ending;
    longest = found;
    // Written down in any case, but kept only if it is new: no branch to mispredict.
    std::size_t& end = common_end_[entries_[longest].order];
    common_[end] = longest;
    end += others_[longest]++ == 0;
  }
}

void TextNgrams::pass_on(std::size_t order) {
  std::size_t end = common_end_[order - 1];
  for (const Ngram ngram : common(order)) {
    const Ngram ending = entries_[ngram].ending;
    const std::uint32_t before = others_[ending];
    common_[end] = ending;
    end += before == 0;
    others_[ending] = before + others_[ngram];
  }
  common_end_[order - 1] = end;
}

}  // namespace rainbow
