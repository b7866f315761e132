// Words as numbers: what every kernel works on.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hashing.hpp"

namespace rainbow {

using Id = std::int32_t;

// Words and their numbers, counted from 0. A vocabulary may stand on another one, which must not change any more: its
// words keep their numbers there. So texts of many batches can be numbered against the same references at once.
class Vocabulary {
 public:
  explicit Vocabulary(std::shared_ptr<const Vocabulary> base = nullptr);

  Id add(std::string_view word);         // its number, a new one if it has none
  Id find(std::string_view word) const;  // its number, or -1
  Id size() const { return first_ + static_cast<Id>(words_.size()); }
  std::string_view word(Id id) const { return id < first_ ? base_->word(id) : words_[id - first_]; }

  // Whether the numbers of another vocabulary hold here.
  bool stands_on(const Vocabulary& other) const { return this == &other || (base_ && base_->stands_on(other)); }

 private:
  Id find(std::string_view word, std::uint64_t hash) const;

  std::shared_ptr<const Vocabulary> base_;
  Id first_;
  std::deque<std::string> words_;
  HashIndex numbers_;
};

// Texts one after another, each a run of word numbers.
class Texts {
 public:
  explicit Texts(std::shared_ptr<Vocabulary> vocabulary) : vocabulary_(std::move(vocabulary)) {}

  void push(std::string_view word) { push(vocabulary_->add(word)); }
  void push(Id word) { ids_.push_back(word); }
  void end_text() { starts_.push_back(ids_.size()); }

  std::size_t size() const { return starts_.size() - 1; }
  std::span<const Id> operator[](std::size_t text) const {
    return {ids_.data() + starts_[text], starts_[text + 1] - starts_[text]};
  }
  const std::shared_ptr<Vocabulary>& vocabulary() const { return vocabulary_; }

 private:
  std::shared_ptr<Vocabulary> vocabulary_;
  std::vector<Id> ids_;
  std::vector<std::size_t> starts_{0};
};

// Sets of references, each a run of texts; the texts of all sets share one vocabulary.
class Sets {
 public:
  Sets(std::shared_ptr<const Texts> texts, const std::vector<std::size_t>& sizes);

  std::size_t size() const { return starts_.size() - 1; }
  std::size_t first(std::size_t set) const { return starts_[set]; }
  std::size_t last(std::size_t set) const { return starts_[set + 1]; }  // behind the last
  const Texts& texts() const { return *texts_; }

 private:
  std::shared_ptr<const Texts> texts_;
  std::vector<std::size_t> starts_{0};
};

}  // namespace rainbow
