// What METEOR makes of an alignment, and what no alignment of two texts can exceed.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "meteor_align.hpp"
#include "meteor_lexicon.hpp"

namespace rainbow {

namespace meteor {
constexpr std::array kWeights{1.0, 0.6, 0.8, 0.6};  // by stage
constexpr double kAlpha = 0.85, kBeta = 0.2, kGamma = 0.6;

inline double penalised(double fragmentation) { return 1 - kGamma * std::pow(fragmentation, kBeta); }
}  // namespace meteor

// A number that no alignment has a higher score than.
class Bound {
 public:
  explicit Bound(const Lexicon& lexicon) : lexicon_(lexicon) {}

  double operator()(const Line& output, const Line& reference, const Matches& matches);

 private:
  // What could be matched of a text: for each word the weight of its best match, whether it may be in one chunk with the
  // word before it, whether it has matches of other kinds than with equal words, and whether it is matched for certain.
  struct Reach {
    const Line* line;
    std::vector<double> weights;
    std::vector<char> joined, mixed, certain;

    void begin(const Line& text);
    void add(std::int32_t start, std::int32_t length, Stage stage);
  };
  // How often a word stands in the two texts; how many of these were passed; whether any has matches of other kinds.
  struct Equals {
    std::array<std::int32_t, 2> all{}, passed{};
    bool mixed = false;
  };

  void reach(const Line& output, const Line& reference, const Matches& matches);
  void match_equal_words();
  void leave_out(std::size_t side);
  double weighted(Reach& reach) const;
  void add_losses(const Reach& reach, double slope);
  double best(double most, bool all);

  const Lexicon& lexicon_;
  std::array<Reach, 2> reaches_;  // of the output, of the reference
  std::vector<Equals> equals_;    // for each word of the lexicon
  std::vector<double> losses_;
  std::size_t words_ = 0;
};

}  // namespace rainbow
