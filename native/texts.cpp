#include "texts.hpp"

#include <limits>
#include <stdexcept>

namespace rainbow {

Vocabulary::Vocabulary(std::shared_ptr<const Vocabulary> base)
    : base_(std::move(base)), first_(base_ ? base_->size() : 0) {}

Id Vocabulary::find(std::string_view word) const { return find(word, hash_of(word)); }

Id Vocabulary::find(std::string_view word, std::uint64_t hash) const {
  if (base_) {
    if (const Id id = base_->find(word, hash); id >= 0) return id;
  }
  const auto place = numbers_.find(hash, [&](std::uint32_t other) { return words_[other] == word; });
  return place == HashIndex::kNone ? -1 : first_ + static_cast<Id>(place);
}

Id Vocabulary::add(std::string_view word) {
  const std::uint64_t hash = hash_of(word);
  if (const Id id = find(word, hash); id >= 0) return id;
  const Id id = size();
  if (id == std::numeric_limits<Id>::max()) throw std::length_error("too many different words");
  words_.emplace_back(word);
  numbers_.add(hash, id - first_, [&](std::uint32_t place) { return hash_of(words_[place]); });
  return id;
}

Sets::Sets(std::shared_ptr<const Texts> texts, const std::vector<std::size_t>& sizes) : texts_(std::move(texts)) {
  for (const std::size_t size : sizes) {
    if (size > texts_->size() - starts_.back()) throw std::invalid_argument("the sets need more texts than there are");
    starts_.push_back(starts_.back() + size);
  }
  if (starts_.back() != texts_->size()) throw std::invalid_argument("there are more texts than the sets need");
}

}  // namespace rainbow
