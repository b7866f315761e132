// The alignment METEOR finds among the possible matches of two texts, as rainbow/metrics/word/meteor/alignment.py describes it.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace rainbow {

enum Stage : std::int32_t { kExact, kStem, kSynonym, kParaphrase };

// Words of the reference from `start` on, and of the output from `other` on, that may be aligned.
struct Match {
  std::int32_t start, length, other, other_length;
  Stage stage;
};

// The possible matches of two texts.
struct Matches {
  std::vector<Match> all;            // sorted by their start, in the order they are tried
  std::vector<std::int32_t> starts;  // where those of each word of the reference begin (words + 1)
  std::vector<std::int32_t> forced;  // for each word the match from there on whose words have no other match, or -1
};

// A sum that is too long for 64 bits.
struct WideSum {
  std::uint64_t high = 0, low = 0;

  auto operator<=>(const WideSum&) const = default;
  WideSum operator+(WideSum other) const {
    const std::uint64_t sum = low + other.low;
    return {high + other.high + (sum < low), sum};
  }
  WideSum operator-(WideSum other) const { return {high - other.high - (low < other.low), low - other.low}; }
};

// Searches from the reference's first word to its last and keeps the best 40 alignments so far. How good one is stands in
// one number, less is better; from its highest bits on: the weight it lacks, its chunks, its distance, and of equals the
// one found first.
template <class Sum>
class BeamSearch {
 public:
  struct Shifts {
    int distance, chunk, weight;
  };

  // Appends the matches of the best alignment, the last first. `all` is the weight that none exceeds.
  void align(const Matches& matches, std::size_t output_size, Shifts shifts, std::uint64_t all, std::vector<Match>& best);

 private:
  struct Path {
    Sum sum{};
    std::int32_t expected = -1;  // the word of the output that would continue the chunk
    std::int32_t until = 0;      // words of the reference before this one are done
    std::int32_t trail = -1;     // the last of its matches that are not forced, in trail_
    std::int32_t used = 0;       // which block of used_ is its own
  };
  struct Step {
    std::int32_t match, before;
  };

  template <class Move>
  void move_all(const Move& ends_chunk);
  void branch(const Matches& matches, std::int32_t place);
  Sum* choose(const Path& path, std::uint32_t order, std::int32_t place, const Match* matches, std::size_t count, Sum* choices) const;
  void keep(const Path& parent, Sum sum, std::int32_t place, std::int32_t number, const Match* match);
  bool is_free(const Path& path, const Match& match) const;
  Sum after_chunk(const Path& path) const { return path.expected >= 0 ? path.sum + chunk_ : path.sum; }

  Shifts shifts_{};
  Sum chunk_{};
  std::size_t blocks_ = 0;  // of 64 words of the output
  std::vector<Path> paths_, next_;
  std::vector<std::uint64_t> used_, next_used_;  // words of the output, as bits
  std::vector<Sum> gains_, distances_, choices_;
  std::vector<Step> trail_;
};

class Aligner {
 public:
  // Gives the matches of the best alignment, in the order of the reference.
  const std::vector<Match>& align(const Matches& matches, std::size_t output_size);

 private:
  BeamSearch<std::uint64_t> search_;
  BeamSearch<WideSum> wide_search_;
  std::vector<Match> best_;
};

}  // namespace rainbow
