#include "meteor_bound.hpp"

#include <algorithm>

namespace rainbow {

using namespace meteor;

void Bound::Reach::begin(const Line& text) {
  line = &text;
  weights.assign(text.words.size(), 0);
  joined.assign(text.words.size() + 1, false);
  mixed.assign(text.words.size(), false);
  certain.assign(text.words.size(), false);
}

void Bound::Reach::add(std::int32_t start, std::int32_t length, Stage stage) {
  for (std::int32_t place = start; place < start + length; ++place) {
    weights[place] = std::max(weights[place], kWeights[stage]);
    if (stage != kExact) mixed[place] = true;
    if (place > start) joined[place] = true;
  }
}

// Of n words that could be matched, in both texts together, of which j may be joined to the word before them, k words
// make (k - j) / 2 chunks at least; which k are matched costs at least what the cheapest words add that are not matched
// for certain, as the mean of precision and recall is concave.
double Bound::operator()(const Line& output, const Line& reference, const Matches& matches) {
  reach(output, reference, matches);
  match_equal_words();
  auto& [mine, theirs] = reaches_;
  const double output_length = lexicon_.weight(output), reference_length = lexicon_.weight(reference);
  const double precision = weighted(mine) / output_length, recall = weighted(theirs) / reference_length;
  if (precision == 0 || recall == 0) return 0;
  const double both = kAlpha * precision + (1 - kAlpha) * recall;
  losses_.clear();
  words_ = 0;
  add_losses(mine, (1 - kAlpha) * recall * recall / (both * both * output_length));
  add_losses(theirs, kAlpha * precision * precision / (both * both * reference_length));
  std::sort(losses_.begin(), losses_.end());
  return best(precision * recall / both, words_ == output.words.size() + reference.words.size()) * (1 + 1e-9);  // sums are rounded
}

void Bound::reach(const Line& output, const Line& reference, const Matches& matches) {
  auto& [mine, theirs] = reaches_;
  mine.begin(output);
  theirs.begin(reference);
  for (const Match& match : matches.all) {
    mine.add(match.other, match.other_length, match.stage);
    theirs.add(match.start, match.length, match.stage);
    const std::int32_t next = match.start + match.length, other = match.other + match.other_length;
    if (next == static_cast<std::int32_t>(reference.words.size())) continue;
    for (std::int32_t i = matches.starts[next]; i < matches.starts[next + 1]; ++i) {
      if (matches.all[i].other == other) mine.joined[other] = theirs.joined[next] = true;
    }
  }
  for (const std::int32_t forced : matches.forced) {
    if (forced < 0) continue;
    const Match& match = matches.all[forced];
    std::fill_n(mine.certain.begin() + match.other, match.other_length, true);
    std::fill_n(theirs.certain.begin() + match.start, match.length, true);
  }
}

// A word whose places match nothing but each other is matched as often as it stands in both texts: of two alignments that
// are alike in all else, the one that matches it more often has more weight, and stays in the beam if the other does.
void Bound::match_equal_words() {
  if (equals_.size() < lexicon_.size()) equals_.resize(lexicon_.size());
  for (std::size_t side = 0; side < 2; ++side) {
    const Reach& reach = reaches_[side];
    for (std::size_t place = 0; place < reach.weights.size(); ++place) {
      Equals& equals = equals_[reach.line->words[place]];
      ++equals.all[side];
      if (reach.mixed[place]) equals.mixed = true;
    }
  }
  leave_out(0);
  leave_out(1);
  for (const Reach& reach : reaches_) {
    for (const WordNumber word : reach.line->words) equals_[word] = {};
  }
}

// Leaves out what stands more often in a text than in the other, of equal words those that are not joined.
void Bound::leave_out(std::size_t side) {
  Reach& reach = reaches_[side];
  for (const bool joined : {true, false}) {
    for (std::size_t place = 0; place < reach.weights.size(); ++place) {
      Equals& equals = equals_[reach.line->words[place]];
      if (equals.mixed || reach.weights[place] == 0 || static_cast<bool>(reach.joined[place]) != joined) continue;
      reach.certain[place] = true;
      if (++equals.passed[side] <= equals.all[1 - side]) continue;
      reach.weights[place] = 0;
      reach.joined[place] = false;
    }
  }
}

// Makes the weights of words what they are worth; returns their sum.
double Bound::weighted(Reach& reach) const {
  double sum = 0;
  for (std::size_t place = 0; place < reach.weights.size(); ++place) {
    sum += reach.weights[place] *= lexicon_[reach.line->words[place]].weight;
  }
  return sum;
}

void Bound::add_losses(const Reach& reach, double slope) {
  for (std::size_t place = 0; place < reach.weights.size(); ++place) {
    if (reach.weights[place] == 0) continue;
    ++words_;
    if (!reach.certain[place]) losses_.push_back(slope * reach.weights[place]);
  }
}

// The best score, starting from the mean of precision and recall if all is matched and leaving out one word after the
// other. If all words are matched that there are, and may be joined, nothing is left over.
double Bound::best(double most, bool all) {
  std::size_t joined = 0;
  for (const Reach& reach : reaches_) joined += std::count(reach.joined.begin(), reach.joined.end(), true);
  double words = static_cast<double>(words_), found = 0;
  if (all && joined + 2 >= words_) return most;
  const double fewest = penalised(std::min(2 / words, 1.0));
  const auto scored = [&] { return most * penalised(std::max(words - joined, 2.0) / words); };
  for (const double loss : losses_) {
    if (most * fewest <= found) return found;
    found = std::max(found, scored());
    most -= loss;
    words -= 1;
  }
  return std::max(found, scored());
}

}  // namespace rainbow
