#include "meteor_align.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace rainbow {
namespace {

// What the program adds up in whole numbers, each rounded down.
std::int64_t weight(const Match& match) {
  if (match.stage == kExact) return 2;
  return match.stage == kParaphrase ? match.length / 2 + match.other_length / 2 : 0;
}

}  // namespace

// No text has so many words that a number overflows its bits: a path has less than 2^15 matches, since the product of
// the texts' lengths is bounded, and less than 2^18 times some distance below 2^27 is ever added up.
Aligner::Key Aligner::key(const Path& path, std::size_t order) {
  const std::uint64_t distance = path.distance, lightness = (std::uint64_t{1} << 16) - path.weight;
  return {lightness << 47 | static_cast<std::uint64_t>(path.chunks) << 32 | distance >> (64 - kOrderBits),
          distance << kOrderBits | order};
}

const std::vector<Match>& Aligner::align(std::span<const Match> matches, std::span<const std::int32_t> starts,
                                         std::size_t output_size) {
  matches_ = matches;
  blocks_ = (output_size + 63) / 64;
  paths_.assign(1, Path{});
  used_.assign(blocks_, 0);
  trail_.clear();
  find_forced(matches, starts, output_size);
  for (std::int32_t place = 0; place + 1 < static_cast<std::int32_t>(starts.size()); ++place) {
    if (starts[place] == starts[place + 1]) {
      go_on(place);
      continue;
    }
    choices_.clear();
    keys_.clear();
    for (std::int32_t parent = 0; parent < static_cast<std::int32_t>(paths_.size()); ++parent) {
      if (paths_[parent].until > place) {
        add(paths_[parent], parent, -1);
      } else if (forced_[place] >= 0) {
        extend(parent, forced_[place], paths_[parent].distance);
      } else {
        choose(parent, place, starts[place], starts[place + 1]);
      }
    }
    keep_best();
  }
  const auto key = [](const Path& path) { return std::tuple(-path.weight, path.chunks + (path.expected >= 0), path.distance); };
  const auto best = std::min_element(paths_.begin(), paths_.end(), [&](const Path& a, const Path& b) { return key(a) < key(b); });
  best_.clear();
  for (std::int32_t step = best->trail; step >= 0; step = trail_[step].before) best_.push_back(matches[trail_[step].match]);
  std::reverse(best_.begin(), best_.end());
  return best_;
}

// Finds the matches whose words have no other match: every path takes them.
void Aligner::find_forced(std::span<const Match> matches, std::span<const std::int32_t> starts, std::size_t output_size) {
  mine_.assign(output_size, 0);
  theirs_.assign(starts.size(), 0);
  forced_.assign(starts.size(), -1);
  for (const Match& match : matches) {
    for (std::int32_t k = 0; k < match.length; ++k) ++theirs_[match.start + k];
    for (std::int32_t k = 0; k < match.other_length; ++k) ++mine_[match.other + k];
  }
  const auto once = [](const std::vector<std::int32_t>& counts, std::int32_t start, std::int32_t length) {
    return std::all_of(counts.begin() + start, counts.begin() + start + length, [](std::int32_t count) { return count == 1; });
  };
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const Match& match = matches[i];
    if (once(theirs_, match.start, match.length) && once(mine_, match.other, match.other_length)) {
      forced_[match.start] = static_cast<std::int32_t>(i);
    }
  }
}

// Adds a path with each match that is still free, and without any. The distance of a match is added to all that is
// tried after it, not to itself.
void Aligner::choose(std::int32_t parent, std::int32_t place, std::int32_t begin, std::int32_t end) {
  Path without = paths_[parent];
  for (std::int32_t i = begin; i < end; ++i) {
    const Match& match = matches_[i];
    if (!is_free(parent, match)) continue;
    extend(parent, i, without.distance);
    without.distance += std::abs(match.start - match.other);
  }
  without.chunks += without.expected >= 0;
  without.expected = -1;
  without.until = place + 1;
  add(without, parent, -1);
}

void Aligner::extend(std::int32_t parent, std::int32_t number, std::int64_t distance) {
  const Match& match = matches_[number];
  Path path = paths_[parent];
  path.weight += weight(match);
  path.chunks += path.expected >= 0 && path.expected != match.other;
  path.distance = distance;
  path.expected = match.other + match.other_length;
  path.until = match.start + match.length;
  add(path, parent, number);
}

bool Aligner::is_free(std::int32_t parent, const Match& match) const {
  const std::uint64_t* const used = used_.data() + parent * blocks_;
  for (std::int32_t word = match.other; word < match.other + match.other_length; ++word) {
    if (used[word / 64] >> (word % 64) & 1) return false;
  }
  return true;
}

// Takes every path past a word without matches. Their order is the same after it, except for the chunks it ends.
void Aligner::go_on(std::int32_t place) {
  choices_.clear();
  keys_.clear();
  for (Path& path : paths_) {
    if (path.until <= place) {
      path.chunks += path.expected >= 0;
      path.expected = -1;
      path.until = place + 1;
    }
    add(path, static_cast<std::int32_t>(choices_.size()), -1);
  }
  if (!std::is_sorted(keys_.begin(), keys_.end())) keep_best();
}

void Aligner::keep_best() {
  if (keys_.size() > kBeam) {
    std::nth_element(keys_.begin(), keys_.begin() + kBeam, keys_.end());
    keys_.resize(kBeam);
  }
  std::sort(keys_.begin(), keys_.end());
  paths_.clear();
  next_used_.resize(keys_.size() * blocks_);
  for (const Key& key : keys_) keep(key.low & ((std::uint64_t{1} << kOrderBits) - 1));
  used_.swap(next_used_);
}

void Aligner::keep(std::size_t order) {
  const Choice& choice = choices_[order];
  std::uint64_t* const used = next_used_.data() + paths_.size() * blocks_;
  for (std::size_t block = 0; block < blocks_; ++block) used[block] = used_[choice.parent * blocks_ + block];
  paths_.push_back(choice.path);
  if (choice.match < 0) return;
  const Match& match = matches_[choice.match];
  for (std::int32_t word = match.other; word < match.other + match.other_length; ++word) {
    used[word / 64] |= std::uint64_t{1} << (word % 64);
  }
  trail_.push_back({choice.match, choice.path.trail});
  paths_.back().trail = static_cast<std::int32_t>(trail_.size()) - 1;
}

}  // namespace rainbow
