// The alignment METEOR finds among the possible matches of two texts, as rainbow/metrics/word/meteor/align.py describes it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rainbow {

enum Stage : std::int32_t { kExact, kStem, kSynonym, kParaphrase };

// Words of the reference from `start` on, and of the output from `other` on, that may be aligned.
struct Match {
  std::int32_t start, length, other, other_length;
  Stage stage;
};

class Aligner {
 public:
  // Takes the matches sorted by their start (in the order they are tried), and where those of each word of the
  // reference begin (words + 1); gives those of the best alignment, in the order of the reference.
  const std::vector<Match>& align(std::span<const Match> matches, std::span<const std::int32_t> starts,
                                  std::size_t output_size);

 private:
  static constexpr std::size_t kBeam = 40;

  struct Path {
    std::int64_t weight = 0, chunks = 0, distance = 0;
    std::int32_t expected = -1;  // the word of the output that would continue the chunk
    std::int32_t until = 0;      // words of the reference before this one are done
    std::int32_t trail = -1;     // the last of its matches, in trail_
  };
  // A path made longer.
  struct Choice {
    Path path;
    std::int32_t parent, match;
  };
  // What choices are sorted by, in 128 bits: less weight, chunks, distance, and of equals the one found later, is worse.
  struct Key {
    std::uint64_t high, low;
    bool operator<(const Key& other) const { return high != other.high ? high < other.high : low < other.low; }
  };
  static constexpr int kOrderBits = 24;

  struct Step {
    std::int32_t match, before;
  };

  void find_forced(std::span<const Match> matches, std::span<const std::int32_t> starts, std::size_t output_size);
  void choose(std::int32_t parent, std::int32_t place, std::int32_t begin, std::int32_t end);
  void extend(std::int32_t parent, std::int32_t match, std::int64_t distance);
  void go_on(std::int32_t place);
  void keep_best();
  void keep(std::size_t order);
  bool is_free(std::int32_t parent, const Match& match) const;
  void add(const Path& path, std::int32_t parent, std::int32_t match) {
    keys_.push_back(key(path, choices_.size()));
    choices_.push_back({path, parent, match});
  }
  static Key key(const Path& path, std::size_t order);

  std::span<const Match> matches_;
  std::size_t blocks_ = 0;                   // of 64 words of the output
  std::vector<Path> paths_;
  std::vector<std::uint64_t> used_, next_used_;  // words of the output, as bits, for each path
  std::vector<Choice> choices_;
  std::vector<Key> keys_;
  std::vector<Step> trail_;
  std::vector<std::int32_t> forced_, mine_, theirs_;
  std::vector<Match> best_;
};

}  // namespace rainbow
