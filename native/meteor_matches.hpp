// The possible matches of an output's words and a reference's, as rainbow/metrics/word/meteor/alignment.py describes them.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "meteor_align.hpp"
#include "meteor_lexicon.hpp"

namespace rainbow {

// Where each of some synonym sets stands in a text: chains in a table of 2^n heads.
class Places {
 public:
  void begin(std::size_t count) {
    shift_ = 64 - std::max(4, static_cast<int>(std::bit_width(2 * count)));
    heads_.assign(std::size_t{1} << (64 - shift_), -1);
    entries_.clear();
  }
  // To be called from the last place to the first: chains then run from the first to the last.
  void add(std::uint32_t key, std::int32_t value) {
    std::int32_t& head = heads_[slot(key)];
    entries_.push_back({key, value, head});
    head = static_cast<std::int32_t>(entries_.size()) - 1;
  }
  template <class Use>
  void each(std::uint32_t key, const Use& use) const {
    for (std::int32_t i = heads_[slot(key)]; i >= 0; i = entries_[i].next) {
      if (entries_[i].key == key) use(entries_[i].value);
    }
  }

 private:
  struct Entry {
    std::uint32_t key;
    std::int32_t value, next;
  };
  std::size_t slot(std::uint32_t key) const { return key * 0x9E3779B97F4A7C15u >> shift_; }

  int shift_ = 60;
  std::vector<std::int32_t> heads_;
  std::vector<Entry> entries_;
};

// Where each of some numbers (words, stems, phrases) stands in a text: chains from a head for every number there is.
class PlaceChains {
 public:
  void begin(std::size_t numbers) {
    if (heads_.size() < numbers) heads_.resize(numbers, -1);
    for (const std::size_t number : given_) heads_[number] = -1;
    given_.clear();
    next_.clear();
  }
  // To be called from the last place to the first: chains then run from the first to the last.
  void add(std::size_t number, std::int32_t place) {
    if (next_.size() <= static_cast<std::size_t>(place)) next_.resize(place + 1);
    next_[place] = heads_[number];
    heads_[number] = place;
    given_.push_back(number);
  }
  std::int32_t first(std::size_t number) const { return heads_[number]; }
  std::int32_t next(std::int32_t place) const { return next_[place]; }

 private:
  std::vector<std::int32_t> heads_, next_;
  std::vector<std::size_t> given_;
};

class MatchFinder {
 public:
  MatchFinder(const Lexicon& lexicon, const PhraseBook& phrases) : lexicon_(lexicon), book_(phrases) {}

  void set_output(const Line& output);
  // Finds all possible matches; false if they are too many.
  bool find(const Line& reference, Matches& matches);

 private:
  static constexpr std::size_t kMostMatches = 250'000, kMostCells = 100'000'000;

  // The places of the output that are synonyms of a word, in others_.
  struct Synonyms {
    std::size_t begin = 0, end = 0;
    bool known = false;
  };

  void index_phrases(PlaceChains& chains, const Line& line) const;
  bool words_alike(const Line& reference);
  std::span<const std::int32_t> synonyms(WordNumber word);
  bool paraphrases(const Line& reference);
  void add(std::int32_t start, std::int32_t length, std::int32_t other, std::int32_t other_length, Stage stage) {
    found_.push_back({start, length, other, other_length, stage});
  }
  void find_forced(Matches& matches);

  const Lexicon& lexicon_;
  const PhraseBook& book_;
  const Line* output_ = nullptr;
  PlaceChains words_, stems_, phrases_, their_phrases_;  // of the output, but for the last
  Places senses_;
  std::vector<Match> found_;
  std::vector<std::int32_t> fill_, mine_, theirs_;
  std::vector<Synonyms> synonyms_;      // of each word of the lexicon, if they are known
  std::vector<WordNumber> known_;       // of which they are
  std::vector<std::int32_t> others_;    // their places, one word after the other
};

}  // namespace rainbow
