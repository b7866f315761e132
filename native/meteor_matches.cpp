#include "meteor_matches.hpp"

#include <algorithm>

namespace rainbow {

void MatchFinder::set_output(const Line& output) {
  output_ = &output;
  words_.begin(lexicon_.size());
  stems_.begin(lexicon_.size());
  std::size_t count = 0;
  for (const WordNumber word : output.words) count += lexicon_[word].senses.size();
  senses_.begin(count);
  for (std::size_t i = output.words.size(); i-- > 0;) {
    const WordNumber word = output.words[i];
    const auto place = static_cast<std::int32_t>(i);
    words_.add(word, place);
    stems_.add(lexicon_[word].stem, place);
    for (const std::uint32_t sense : lexicon_[word].senses) senses_.add(sense, place);
  }
  index_phrases(phrases_, output);
  synonyms_.resize(lexicon_.size());
  for (const WordNumber word : known_) synonyms_[word] = {};
  known_.clear();
  others_.clear();
}

void MatchFinder::index_phrases(PlaceChains& chains, const Line& line) const {
  chains.begin(book_.size());
  for (std::size_t i = line.phrases.size(); i-- > 0;) chains.add(line.phrases[i].number, static_cast<std::int32_t>(i));
}

bool MatchFinder::find(const Line& reference, Matches& matches) {
  found_.clear();
  if (output_->words.size() * reference.words.size() > kMostCells) return false;
  if (!words_alike(reference) || !paraphrases(reference)) return false;
  auto& starts = matches.starts;
  starts.assign(reference.words.size() + 1, 0);
  for (const Match& match : found_) ++starts[match.start + 1];
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  matches.all.resize(found_.size());
  fill_.assign(starts.begin(), starts.end());
  for (const Match& match : found_) matches.all[fill_[match.start]++] = match;
  find_forced(matches);
  return true;
}

bool MatchFinder::words_alike(const Line& reference) {
  for (std::size_t i = 0; i < reference.words.size(); ++i) {
    const WordNumber word = reference.words[i];
    const auto start = static_cast<std::int32_t>(i);
    for (auto other = words_.first(word); other >= 0; other = words_.next(other)) add(start, 1, other, 1, kExact);
    for (auto other = stems_.first(lexicon_[word].stem); other >= 0; other = stems_.next(other)) {
      if (output_->words[other] != word) add(start, 1, other, 1, kStem);
    }
    for (const std::int32_t other : synonyms(word)) add(start, 1, other, 1, kSynonym);
    if (found_.size() > kMostMatches) return false;
  }
  return true;
}

// References share most of their words: each is looked up once for an output.
std::span<const std::int32_t> MatchFinder::synonyms(WordNumber word) {
  Synonyms& synonyms = synonyms_[word];
  if (!synonyms.known) {
    const auto begin = static_cast<std::ptrdiff_t>(others_.size());
    for (const std::uint32_t sense : lexicon_[word].senses) {
      senses_.each(sense, [&](std::int32_t place) {
        if (output_->words[place] != word) others_.push_back(place);
      });
    }
    std::sort(others_.begin() + begin, others_.end());
    others_.erase(std::unique(others_.begin() + begin, others_.end()), others_.end());
    synonyms = {static_cast<std::size_t>(begin), others_.size(), true};
    known_.push_back(word);
  }
  return {others_.data() + synonyms.begin, others_.data() + synonyms.end};
}

bool MatchFinder::paraphrases(const Line& reference) {
  for (const Phrase& theirs : reference.phrases) {
    for (const std::uint32_t paraphrase : book_.paraphrases(theirs.number)) {
      for (auto i = phrases_.first(paraphrase); i >= 0; i = phrases_.next(i)) {
        const Phrase& mine = output_->phrases[i];
        add(theirs.start, theirs.length, mine.start, mine.length, kParaphrase);
      }
    }
    if (found_.size() > kMostMatches) return false;
  }
  index_phrases(their_phrases_, reference);
  for (const Phrase& mine : output_->phrases) {
    for (const std::uint32_t paraphrase : book_.paraphrases(mine.number)) {
      for (auto i = their_phrases_.first(paraphrase); i >= 0; i = their_phrases_.next(i)) {
        const Phrase& theirs = reference.phrases[i];
        add(theirs.start, theirs.length, mine.start, mine.length, kParaphrase);
      }
    }
    if (found_.size() > kMostMatches) return false;
  }
  return true;
}

// Finds the matches whose words have no other match.
void MatchFinder::find_forced(Matches& matches) {
  mine_.assign(output_->words.size(), 0);
  theirs_.assign(matches.starts.size(), 0);
  matches.forced.assign(matches.starts.size(), -1);
  for (const Match& match : matches.all) {
    for (std::int32_t k = 0; k < match.length; ++k) ++theirs_[match.start + k];
    for (std::int32_t k = 0; k < match.other_length; ++k) ++mine_[match.other + k];
  }
  const auto once = [](const std::vector<std::int32_t>& counts, std::int32_t start, std::int32_t length) {
    return std::all_of(counts.begin() + start, counts.begin() + start + length, [](std::int32_t count) { return count == 1; });
  };
  for (std::size_t i = 0; i < matches.all.size(); ++i) {
    const Match& match = matches.all[i];
    if (once(theirs_, match.start, match.length) && once(mine_, match.other, match.other_length)) {
      matches.forced[match.start] = static_cast<std::int32_t>(i);
    }
  }
}

}  // namespace rainbow
