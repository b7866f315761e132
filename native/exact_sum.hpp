// Sums that are rounded once.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace rainbow {

// The sum of many numbers as it would be if nothing were rounded but the result.
//
// Shewchuk, J. R. (1997). Adaptive precision floating-point arithmetic and fast robust geometric predicates. Discrete &
// Computational Geometry 18(3): the sum is kept as parts that do not overlap, the smallest first.
class ExactSum {
 public:
  void clear() { parts_.clear(); }

  void add(double value) {
    std::size_t kept = 0;
    for (const double part : parts_) {
      const auto [sum, lost] = two_sum(value, part);
      if (lost != 0) parts_[kept++] = lost;
      value = sum;
    }
    parts_.resize(kept);
    parts_.push_back(value);
  }

  double rounded() const {
    double sum = 0, lost = 0;
    std::size_t left = parts_.size();
    while (left > 0 && lost == 0) std::tie(sum, lost) = two_sum(sum, parts_[--left]);
    // What was lost may be half of the last digit; then the sign of what is left decides, not the even digit.
    if (left > 0 && (lost < 0) == (parts_[left - 1] < 0)) {
      const double further = sum + 2 * lost;
      if (further - sum == 2 * lost) sum = further;
    }
    return sum;
  }

 private:
  // The rounded sum of two numbers, and what was lost.
  static std::pair<double, double> two_sum(double a, double b) {
    const double sum = a + b, other = sum - a;
    return {sum, (a - (sum - other)) + (b - other)};
  }

  std::vector<double> parts_;
};

}  // namespace rainbow
