#include "ngram_counts.hpp"

#include <stdexcept>

#include "strings.hpp"

namespace py = pybind11;

namespace rainbow {

NgramCounts::NgramCounts(const py::dict& counts) {
  chains_.reset(counts.size());
  for (const auto& [ngram, count] : counts) add(ngram, count.cast<double>());
}

void NgramCounts::add(const py::handle& ngram, double count) {
  if (!(count >= 1)) throw std::invalid_argument("the count of an n-gram must be 1 or more");
  if (!PyTuple_Check(ngram.ptr())) throw py::type_error("an n-gram is not a tuple of words");
  Ngram number = kNoWords;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(ngram.ptr()); ++i) {
    py::object keeper;
    const Ngram beginning = number;
    number = chains_.add(beginning, words_.add(utf8(PyTuple_GET_ITEM(ngram.ptr(), i), keeper)));
    if (number == counts_.size()) {
      counts_.push_back(1);
      beginnings_.push_back(beginning);
    }
  }
  if (number != kNoWords) counts_[number] = count;
}

}  // namespace rainbow
