// The longest common subsequence of two texts, 64 cells of a row of its table at once.
//
// Hyyrö, H. (2004). Bit-parallel LCS-length computation revisited. AWOCA.
#include <pybind11/pybind11.h>

#include <bit>

#include "bind.hpp"
#include "rows.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

using Word = std::uint64_t;

class LongestSubsequence {
 public:
  // Remembers where each word stands in a text.
  void prepare(std::span<const Id> text) {
    for (const Id id : known_) places_[id].clear();
    known_.assign(text.begin(), text.end());
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (places_.size() <= static_cast<std::size_t>(text[i])) places_.resize(text[i] + 1);
      places_[text[i]].push_back(i);
    }
    size_ = text.size();
  }

  std::size_t with(std::span<const Id> other) {
    row_.assign((size_ + 63) / 64, ~Word{0});
    matches_.assign(row_.size(), 0);
    for (const Id id : other) {
      if (static_cast<std::size_t>(id) < places_.size() && !places_[id].empty()) step(places_[id]);
    }
    std::size_t ones = 0;
    for (std::size_t block = 0; block < row_.size(); ++block) {
      const std::size_t used = std::min<std::size_t>(size_ - block * 64, 64);
      ones += std::popcount(row_[block] << (64 - used));
    }
    return size_ - ones;
  }

 private:
  void step(const std::vector<std::size_t>& places) {
    for (const std::size_t place : places) matches_[place / 64] |= Word{1} << (place % 64);
    Word carry = 0;
    for (std::size_t block = 0; block < row_.size(); ++block) {
      const Word before = row_[block], common = before & matches_[block];
      const Word sum = before + common, total = sum + carry;
      carry = (sum < before) | (total < sum);
      row_[block] = total | (before - common);
    }
    for (const std::size_t place : places) matches_[place / 64] = 0;
  }

  std::vector<std::vector<std::size_t>> places_;
  std::vector<Id> known_;
  std::vector<Word> row_, matches_;
  std::size_t size_ = 0;
};

// ROUGE-L: the best precision and the best recall, each over all references, in one number.
double rouge_l(LongestSubsequence& common, std::span<const Id> output, const Sets& references, std::size_t set,
               double beta) {
  common.prepare(output);
  double precision = 0, recall = 0;
  for (std::size_t text = references.first(set); text < references.last(set); ++text) {
    const auto reference = references.texts()[text];
    const double length = common.with(reference);
    if (length == 0) continue;
    precision = std::max(precision, length / output.size());
    recall = std::max(recall, length / reference.size());
  }
  if (precision == 0) return 0;
  return (1 + beta * beta) * precision * recall / (recall + beta * beta * precision);
}

Matrix rouge_l_scores(const Texts& outputs, const Sets& references, const Indices& rows, const Indices& sets,
                      double beta, int threads) {
  const auto chosen = checked_rows(outputs, references, rows, sets);
  Matrix scores({static_cast<py::ssize_t>(chosen.size()), py::ssize_t{1}});
  double* const cells = scores.mutable_data();
  const py::gil_scoped_release release;
  for_each(chosen.size(), threads, [&, common = LongestSubsequence()](std::size_t i) mutable {
    cells[i] = rouge_l(common, outputs[chosen[i].output], references, chosen[i].set, beta);
  });
  return scores;
}

}  // namespace

void bind_longest_subsequence(py::module_& module) {
  module.def("rouge_l", &rouge_l_scores, py::arg("outputs"), py::arg("references"), py::arg("rows"), py::arg("sets"),
             py::arg("beta"), py::arg("threads") = 1, "ROUGE-L of each row, shape (rows, 1).");
}

}  // namespace rainbow
