// The longest common subsequence of two texts, 64 cells of a row of its table at once; ROUGE-L and string edit
// similarity, which follow from its length.
//
// Hyyrö, H. (2004). Bit-parallel LCS-length computation revisited. AWOCA.
#include <pybind11/pybind11.h>

#include <bit>

#include "bind.hpp"
#include "rows.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

using Bits = std::uint64_t;
constexpr std::size_t kBits = 64;

class LongestSubsequence {
 public:
  explicit LongestSubsequence(std::size_t words) : words_(words), first_(words, 0) {}

  // Remembers where each word stands in a text.
  void prepare(std::span<const Id> text) {
    for (const Id id : known_) {
      first_[id] = 0;
      if (!places_.empty()) places_[id].clear();
    }
    known_.assign(text.begin(), text.end());
    if (text.size() > kBits) {
      places_.resize(words_);
      for (std::size_t i = 0; i < text.size(); ++i) places_[text[i]].push_back(i);
    } else {
      for (std::size_t i = 0; i < text.size(); ++i) first_[text[i]] |= Bits{1} << i;
    }
  }

  std::size_t with(std::span<const Id> other) { return known_.size() <= kBits ? in_one(other) : in_many(other); }

 private:
  // A row's cells fit in one machine word.
  std::size_t in_one(std::span<const Id> other) const {
    Bits row = ~Bits{0};
    for (const Id id : other) {
      const Bits common = row & first_[id];
      row = (row + common) | (row - common);
    }
    return known_.size() - size_of_ones(row, known_.size());
  }

  std::size_t in_many(std::span<const Id> other) {
    row_.assign((known_.size() + kBits - 1) / kBits, ~Bits{0});
    matches_.assign(row_.size(), 0);
    for (const Id id : other) {
      if (!places_[id].empty()) step(places_[id]);
    }
    std::size_t ones = 0;
    for (std::size_t block = 0; block < row_.size(); ++block) {
      ones += size_of_ones(row_[block], std::min(known_.size() - block * kBits, kBits));
    }
    return known_.size() - ones;
  }

  // How many of the lowest bits are set.
  static std::size_t size_of_ones(Bits row, std::size_t used) {
    return used == 0 ? 0 : std::popcount(row << (kBits - used));
  }

  void step(const std::vector<std::size_t>& places) {
    for (const std::size_t place : places) matches_[place / kBits] |= Bits{1} << (place % kBits);
    Bits carry = 0;
    for (std::size_t block = 0; block < row_.size(); ++block) {
      const Bits before = row_[block], common = before & matches_[block];
      const Bits sum = before + common, total = sum + carry;
      carry = (sum < before) | (total < sum);
      row_[block] = total | (before - common);
    }
    for (const std::size_t place : places) matches_[place / kBits] = 0;
  }

  std::size_t words_;                             // how many different ones there are
  std::vector<Bits> first_;                       // by word: its places in a short text
  std::vector<std::vector<std::size_t>> places_;  // by word: its places in a long one; empty until there is one
  std::vector<Id> known_;
  std::vector<Bits> row_, matches_;
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

// The mean similarity over the references: what is not in the common subsequence is deleted or inserted.
double edit_similarity(LongestSubsequence& common, std::span<const Id> output, const Sets& references,
                       std::size_t set) {
  common.prepare(output);
  double sum = 0;
  for (std::size_t text = references.first(set); text < references.last(set); ++text) {
    const auto reference = references.texts()[text];
    const std::size_t both = output.size() + reference.size(), edits = both - 2 * common.with(reference);
    sum += both == 0 ? 1 : 1 - static_cast<double>(edits) / both;
  }
  return sum / (references.last(set) - references.first(set));
}

Matrix rouge_l_scores(const Texts& outputs, const Sets& references, const Indices& rows, const Indices& sets,
                      double beta, int threads) {
  const auto work = [&, common = LongestSubsequence(outputs.vocabulary()->size())](
                        std::span<const Id> output, std::size_t set, double* score) mutable {
    *score = rouge_l(common, output, references, set, beta);
  };
  return scores_of_rows(outputs, references, rows, sets, 1, threads, work);
}

Matrix edit_similarities(const Texts& outputs, const Sets& references, const Indices& rows, const Indices& sets,
                         int threads) {
  const auto work = [&, common = LongestSubsequence(outputs.vocabulary()->size())](
                        std::span<const Id> output, std::size_t set, double* score) mutable {
    *score = edit_similarity(common, output, references, set);
  };
  return scores_of_rows(outputs, references, rows, sets, 1, threads, work);
}

}  // namespace

void bind_longest_subsequence(py::module_& module) {
  module.def("rouge_l", &rouge_l_scores, py::arg("outputs"), py::arg("references"), py::arg("rows"), py::arg("sets"),
             py::arg("beta"), py::arg("threads") = 1, "ROUGE-L of each row, shape (rows, 1).");
  module.def("edit_similarity", &edit_similarities, py::arg("outputs"), py::arg("references"), py::arg("rows"),
             py::arg("sets"), py::arg("threads") = 1, "The string edit similarity of each row, shape (rows, 1).");
}

}  // namespace rainbow
