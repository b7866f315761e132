// What a corpus knows of n-grams: how often each occurs, or in how many documents.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "ngrams.hpp"
#include "texts.hpp"

namespace rainbow {

// The count of each n-gram of a corpus; the beginnings of its n-grams have numbers too.
class NgramCounts {
 public:
  explicit NgramCounts(const pybind11::dict& counts);  // by tuples of words
  explicit NgramCounts(const Texts& texts)             // to be counted with add()
      : words_(std::make_shared<Vocabulary>(texts.vocabulary())) {}

  // Counts the n-grams of a text up to some order: all, or those that this document (from 1) has not counted yet.
  void add_all(std::span<const Id> text, std::size_t orders);
  void add_new(std::span<const Id> text, std::size_t orders, std::uint32_t document);
  void keep_from(double least);  // leaves out n-grams with lower counts
  Id add_word(std::string_view word) { return words_->add(word); }

  Id word(std::string_view word) const { return words_->find(word); }
  Ngram find(Ngram beginning, Id word) const { return chains_.find(beginning, word); }

  Ngram size() const { return static_cast<Ngram>(entries_.size()); }                       // behind the last n-gram
  double count(Ngram ngram) const { return std::max(entries_[ngram].count, 1.0); }  // one that was not counted has 1
  Ngram beginning(Ngram ngram) const { return entries_[ngram].beginning; }
  pybind11::dict counts() const;  // by tuples of words
  // The counts as Python's json.dumps writes them, from the first n-gram to the last: lists of words and a count or, if
  // the words are joined by blanks, an object; nothing, if a word has a blank or control character itself, which may
  // change the order.
  std::string json(bool joined) const;

 private:
  struct Entry {
    double count = 0;
    Ngram beginning = kNoWords;
    Id word = -1;
    std::uint32_t document = 0;  // the last one it was counted in
  };

  std::vector<Ngram> sorted() const;  // by their words
  Ngram add(Ngram beginning, Id word);
  void add(const pybind11::handle& ngram, double count);

  std::shared_ptr<Vocabulary> words_;
  Chains chains_;
  std::vector<Entry> entries_ = std::vector<Entry>(1);
};

// The n-grams of texts among those of a corpus. It is scratch memory: one object takes one text after another, all of
// them with the same vocabulary or one that it stands on.
class NgramLookup {
 public:
  NgramLookup(const NgramCounts& counts, const Vocabulary& vocabulary)
      : counts_(&counts), vocabulary_(&vocabulary), words_(vocabulary.size(), kUnknown) {}

  // The number of a word in texts; a new one where no text has it.
  Id number_of(std::string_view word) {
    if (const Id id = vocabulary_->find(word); id >= 0) return id;
    words_.push_back(counts_->word(word));
    return static_cast<Id>(words_.size() - 1);
  }

  // The number in the corpus of an n-gram of a text, by that of its beginning and its last word; 0 where it has none.
  Ngram find(Ngram beginning, Id word) {
    const Id last = this->word(word);
    return last < 0 ? 0 : counts_->find(beginning, last);
  }

  // Looks up the n-grams of a text.
  void look_up(const TextNgrams& ngrams) {
    numbers_.assign(ngrams.size(), 0);
    for (Ngram ngram = 1; ngram < ngrams.size(); ++ngram) {
      const Ngram beginning = ngrams.beginning(ngram);
      if (beginning != kNoWords && numbers_[beginning] == 0) continue;
      numbers_[ngram] = find(numbers_[beginning], ngrams.word(ngram));
    }
  }

  Ngram number(Ngram ngram) const { return numbers_[ngram]; }  // that of the corpus, or 0

 private:
  static constexpr Id kUnknown = -2;  // not looked up yet

  Id word(Id id) {
    Id& found = words_[id];
    if (found == kUnknown) found = counts_->word(vocabulary_->word(id));
    return found;
  }

  const NgramCounts* counts_;
  const Vocabulary* vocabulary_;
  std::vector<Id> words_;
  std::vector<Ngram> numbers_;
};

}  // namespace rainbow
