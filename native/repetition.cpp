// How much of a text repeats itself.
#include <pybind11/pybind11.h>

#include <cmath>

#include "bind.hpp"
#include "ngrams.hpp"
#include "rows.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

void repetition(TextNgrams& ngrams, std::span<const Id> text, double* scores) {
  scores[0] = scores[1] = text.empty() ? std::nan("") : 0;
  if (text.size() < 2) return;
  ngrams.index(text, 2);
  std::size_t doubled = 0;
  for (std::size_t i = 1; i < text.size(); ++i) doubled += text[i] == text[i - 1];
  scores[0] = 1 - static_cast<double>(ngrams.last(2) - ngrams.first(2)) / (text.size() - 1);
  scores[1] = static_cast<double>(doubled) / text.size();
}

Matrix repetition_scores(const Texts& outputs, const Sets& references, const Indices& rows, const Indices& sets,
                         int threads) {
  const auto work = [ngrams = TextNgrams()](std::span<const Id> output, std::size_t, double* scores) mutable {
    repetition(ngrams, output, scores);
  };
  return scores_of_rows(outputs, references, rows, sets, 2, threads, work);
}

}  // namespace

void bind_repetition(py::module_& module) {
  module.def("repetition", &repetition_scores, py::arg("outputs"), py::arg("references"), py::arg("rows"),
             py::arg("sets"), py::arg("threads") = 1, "Repeated bigrams and doubled words of each row, shape (rows, 2).");
}

}  // namespace rainbow
