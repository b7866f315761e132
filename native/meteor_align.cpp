#include "meteor_align.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <type_traits>

namespace rainbow {
namespace {

constexpr std::size_t kKept = 40;

// What the program adds up in whole numbers, each rounded down.
std::uint64_t weight(const Match& match) {
  if (match.stage == kExact) return 2;
  return match.stage == kParaphrase ? match.length / 2 + match.other_length / 2 : 0;
}

std::uint64_t distance(const Match& match) { return std::abs(match.start - match.other); }

template <class Sum>
Sum sum_of(std::uint64_t number, int shift) {
  if constexpr (std::is_same_v<Sum, WideSum>) {
    if (shift >= 64) return {number << (shift - 64), 0};
    return {shift ? number >> (64 - shift) : 0, number << shift};
  } else {
    return number << shift;
  }
}

std::uint64_t last_bits(std::uint64_t sum, int bits) { return sum & ((std::uint64_t{1} << bits) - 1); }
std::uint64_t last_bits(const WideSum& sum, int bits) { return last_bits(sum.low, bits); }

}  // namespace

template <class Sum>
void BeamSearch<Sum>::align(const Matches& matches, std::size_t output_size, Shifts shifts, std::uint64_t all,
                            std::vector<Match>& best) {
  shifts_ = shifts;
  chunk_ = sum_of<Sum>(1, shifts.chunk);
  blocks_ = (output_size + 63) / 64;
  paths_.assign(1, Path{});
  paths_[0].sum = sum_of<Sum>(all, shifts.weight);
  used_.assign(blocks_, 0);
  trail_.clear();
  const auto places = static_cast<std::int32_t>(matches.starts.size()) - 1;
  for (std::int32_t place = 0; place < places; ++place) {
    if (matches.forced[place] >= 0) {
      const Match& match = matches.all[matches.forced[place]];
      move_all([&](Path& path) {
        const bool ends = path.expected >= 0 && path.expected != match.other;
        path.expected = match.other + match.other_length;
        path.until = match.start + match.length;
        return ends;
      });
    } else if (matches.starts[place] == matches.starts[place + 1]) {
      move_all([&](Path& path) {
        const bool ends = path.until <= place && path.expected >= 0;
        if (path.until <= place) path.expected = -1;
        return ends;
      });
    } else {
      branch(matches, place);
    }
  }
  const auto found = std::min_element(paths_.begin(), paths_.end(), [this](const Path& a, const Path& b) {
    return after_chunk(a) < after_chunk(b);
  });
  std::int32_t step = found->trail;
  for (std::int32_t place = places; place-- > 0;) {
    if (matches.forced[place] >= 0) {
      best.push_back(matches.all[matches.forced[place]]);
    } else if (step >= 0 && matches.all[trail_[step].match].start == place) {
      best.push_back(matches.all[trail_[step].match]);
      step = trail_[step].before;
    }
  }
}

// Takes every path past a place where it has one way to go on. Those that end a chunk there fall behind some others.
template <class Sum>
template <class Move>
void BeamSearch<Sum>::move_all(const Move& ends_chunk) {
  std::array<std::uint32_t, kKept> same, ended, order;
  auto same_end = same.begin(), ended_end = ended.begin();
  for (std::uint32_t i = 0; i < paths_.size(); ++i) {
    const bool ends = ends_chunk(paths_[i]);
    if (ends) paths_[i].sum = paths_[i].sum + chunk_;
    *(ends ? ended_end : same_end)++ = i;
  }
  if (same_end == same.begin() || ended_end == ended.begin()) return;
  const auto order_end = std::merge(same.begin(), same_end, ended.begin(), ended_end, order.begin(), [this](auto a, auto b) {
    return paths_[a].sum != paths_[b].sum ? paths_[a].sum < paths_[b].sum : a < b;
  });
  next_.clear();
  std::for_each(order.begin(), order_end, [this](std::uint32_t i) { next_.push_back(paths_[i]); });
  paths_.swap(next_);
}

template <class Sum>
void BeamSearch<Sum>::branch(const Matches& matches, std::int32_t place) {
  const std::int32_t first = matches.starts[place], count = matches.starts[place + 1] - first;
  gains_.clear();
  distances_.clear();
  for (std::int32_t i = first; i < first + count; ++i) {
    gains_.push_back(sum_of<Sum>(weight(matches.all[i]), shifts_.weight));
    distances_.push_back(sum_of<Sum>(distance(matches.all[i]), shifts_.distance));
  }
  choices_.resize(paths_.size() * (count + 1));
  Sum* end = choices_.data();
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    end = choose(paths_[i], static_cast<std::uint32_t>(i * (count + 1)), place, matches.all.data() + first, count, end);
  }
  choices_.resize(end - choices_.data());
  if (choices_.size() > kKept) {
    std::nth_element(choices_.begin(), choices_.begin() + kKept, choices_.end());
    choices_.resize(kKept);
  }
  std::sort(choices_.begin(), choices_.end());
  next_.clear();
  next_used_.resize(choices_.size() * blocks_);
  for (const Sum& choice : choices_) {
    const auto order = static_cast<std::uint32_t>(last_bits(choice, shifts_.distance));
    const auto parent = order / (count + 1), chosen = order % (count + 1);
    const bool matched = chosen < static_cast<std::uint32_t>(count);
    keep(paths_[parent], choice - sum_of<Sum>(order, 0), place, first + chosen, matched ? &matches.all[first + chosen] : nullptr);
  }
  paths_.swap(next_);
  used_.swap(next_used_);
}

// Writes the sums of a path with each match that is still free, and without any, whose last bits say which it is, and
// returns where they end. The distance
// of a match is added to all that is tried after it, not to itself.
template <class Sum>
Sum* BeamSearch<Sum>::choose(const Path& path, std::uint32_t order, std::int32_t place, const Match* matches,
                             std::size_t count, Sum* choices) const {
  Sum sum = path.sum + sum_of<Sum>(order, 0);
  if (path.until > place) {
    *choices++ = sum + sum_of<Sum>(count, 0);
    return choices;
  }
  const Sum one = sum_of<Sum>(1, 0);
  for (std::size_t i = 0; i < count; ++i, sum = sum + one) {
    if (!is_free(path, matches[i])) continue;
    const bool ends = path.expected >= 0 && path.expected != matches[i].other;
    *choices++ = (ends ? sum + chunk_ : sum) - gains_[i];
    sum = sum + distances_[i];
  }
  *choices++ = path.expected >= 0 ? sum + chunk_ : sum;
  return choices;
}

template <class Sum>
bool BeamSearch<Sum>::is_free(const Path& path, const Match& match) const {
  const std::uint64_t* const used = used_.data() + path.used * blocks_;
  for (std::int32_t word = match.other; word < match.other + match.other_length; ++word) {
    if (used[word / 64] >> (word % 64) & 1) return false;
  }
  return true;
}

template <class Sum>
void BeamSearch<Sum>::keep(const Path& parent, Sum sum, std::int32_t place, std::int32_t number, const Match* match) {
  Path path = parent;
  path.sum = sum;
  path.used = static_cast<std::int32_t>(next_.size());
  std::uint64_t* const used = next_used_.data() + path.used * blocks_;
  std::copy_n(used_.data() + parent.used * blocks_, blocks_, used);
  if (match) {
    path.expected = match->other + match->other_length;
    path.until = match->start + match->length;
    path.trail = static_cast<std::int32_t>(trail_.size());
    trail_.push_back({number, parent.trail});
    for (std::int32_t word = match->other; word < path.expected; ++word) used[word / 64] |= std::uint64_t{1} << (word % 64);
  } else if (path.until <= place) {
    path.expected = -1;
  }
  next_.push_back(path);
}

const std::vector<Match>& Aligner::align(const Matches& matches, std::size_t output_size) {
  std::uint64_t all = 0, far = 0, most = 0;
  for (std::size_t place = 0; place + 1 < matches.starts.size(); ++place) {
    std::uint64_t best = 0;
    for (std::int32_t i = matches.starts[place]; i < matches.starts[place + 1]; ++i) {
      best = std::max(best, weight(matches.all[i]));
      far += distance(matches.all[i]);
    }
    all += best;
    most = std::max<std::uint64_t>(most, matches.starts[place + 1] - matches.starts[place]);
  }
  const int order = std::bit_width(kKept * (most + 1)), chunk = order + std::bit_width(far);
  const int weights = chunk + std::bit_width(matches.starts.size());
  best_.clear();
  if (weights + std::bit_width(all) <= 64) {
    search_.align(matches, output_size, {order, chunk, weights}, all, best_);
  } else {
    wide_search_.align(matches, output_size, {order, chunk, weights}, all, best_);
  }
  std::reverse(best_.begin(), best_.end());
  return best_;
}

}  // namespace rainbow
