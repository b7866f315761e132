// ROUGE-N: the best share of n-grams in common with a reference.
//
// Lin, C.-Y. (2004). ROUGE: a package for automatic evaluation of summaries. Text Summarization Branches Out.
#include <pybind11/pybind11.h>

#include "bind.hpp"
#include "rows.hpp"
#include "shared_ngrams.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

constexpr std::size_t kRougeOrders = 4;

using Ngrams = SharedNgrams<kRougeOrders>;

void rouge_n(Ngrams& ngrams, std::span<const Id> output, const Sets& references, std::size_t set, double* scores) {
  ngrams.take(output);
  std::fill_n(scores, kRougeOrders, 0.0);
  for (std::size_t text = references.first(set); text < references.last(set); ++text) {
    const auto reference = references.texts()[text];
    ngrams.compare(reference);
    for (std::size_t order = 1; order <= kRougeOrders; ++order) {
      const std::size_t matches = ngrams.matches(order);
      if (matches == 0) break;
      const std::size_t both = ngram_total(output.size(), order) + ngram_total(reference.size(), order);
      scores[order - 1] = std::max(scores[order - 1], 2.0 * matches / both);
    }
  }
}

Matrix rouge_n_scores(const Texts& outputs, const Sets& references, const Indices& rows, const Indices& sets,
                      int threads) {
  const auto work = [&, ngrams = Ngrams(outputs.vocabulary()->size())](std::span<const Id> output, std::size_t set,
                                                                       double* scores) mutable {
    rouge_n(ngrams, output, references, set, scores);
  };
  return scores_of_rows(outputs, references, rows, sets, kRougeOrders, threads, work);
}

}  // namespace

void bind_rouge_n(py::module_& module) {
  module.def("rouge_n", &rouge_n_scores, py::arg("outputs"), py::arg("references"), py::arg("rows"), py::arg("sets"),
             py::arg("threads") = 1, "ROUGE-1 to ROUGE-4 of each row, shape (rows, 4).");
}

}  // namespace rainbow
