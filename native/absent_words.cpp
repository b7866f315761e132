// How many words of a text another text lacks.
#include <pybind11/pybind11.h>

#include <stdexcept>
#include <vector>

#include "bind.hpp"
#include "rows.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

Matrix absent_words(const Texts& texts, const Texts& others) {
  if (texts.size() != others.size()) throw std::invalid_argument("there must be one other text for each text");
  Matrix counts({static_cast<py::ssize_t>(texts.size()), py::ssize_t{1}});
  double* const cells = counts.mutable_data();
  const py::gil_scoped_release release;
  std::vector<bool> present(others.vocabulary()->size());
  for (std::size_t text = 0; text < texts.size(); ++text) {
    for (const Id id : others[text]) present[id] = true;
    std::size_t absent = 0;
    // Words that no other text has are numbered behind those that one has.
    for (const Id id : texts[text]) absent += static_cast<std::size_t>(id) >= present.size() || !present[id];
    for (const Id id : others[text]) present[id] = false;
    cells[text] = static_cast<double>(absent);
  }
  return counts;
}

}  // namespace

void bind_absent_words(py::module_& module) {
  module.def("absent_words", &absent_words, py::arg("texts"), py::arg("others"),
             "How many words of each text the other text at its place lacks, shape (texts, 1); the vocabulary of the "
             "texts stands on that of the others.");
}

}  // namespace rainbow
