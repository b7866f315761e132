// Sums of what is known of the n-grams of texts.
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bind.hpp"
#include "rows.hpp"
#include "strings.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

class NgramVectors {
 public:
  using Table = py::array_t<std::int8_t, py::array::c_style | py::array::forcecast>;

  // `ngrams`: words with a blank between them, at most `longest`; `rows`: what is known of each.
  NgramVectors(const py::list& ngrams, const Table& rows, std::size_t longest)
      : rows_(rows.data(), rows.data() + rows.size()), longest_(longest) {
    if (rows.ndim() != 2 || rows.shape(0) != static_cast<py::ssize_t>(ngrams.size())) {
      throw std::invalid_argument("there must be one row for each n-gram");
    }
    dimensions_ = rows.shape(1);
    py::object keeper;
    for (const py::handle ngram : ngrams) ngrams_.add(utf8(ngram, keeper));
    if (static_cast<std::size_t>(ngrams_.size()) != ngrams.size()) {
      throw std::invalid_argument("an n-gram is there twice");
    }
  }

  // For every text the sum of the rows of its n-grams, whole numbers; shape (texts, dimensions).
  Matrix sums(const Texts& texts) const {
    Matrix found({static_cast<py::ssize_t>(texts.size()), static_cast<py::ssize_t>(dimensions_)});
    double* row = found.mutable_data();
    const py::gil_scoped_release release;
    std::fill(row, row + found.size(), 0.0);
    std::string ngram;
    for (std::size_t text = 0; text < texts.size(); ++text, row += dimensions_) {
      const std::span<const Id> words = texts[text];
      for (std::size_t first = 0; first < words.size(); ++first) {
        ngram.clear();
        for (std::size_t last = first; last < std::min(first + longest_, words.size()); ++last) {
          if (last > first) ngram += ' ';
          ngram += texts.vocabulary()->word(words[last]);
          add(ngrams_.find(ngram), row);
        }
      }
    }
    return found;
  }

 private:
  void add(Id ngram, double* sums) const {
    if (ngram < 0) return;
    const std::int8_t* row = rows_.data() + ngram * dimensions_;
    for (std::size_t i = 0; i < dimensions_; ++i) sums[i] += row[i];
  }

  Vocabulary ngrams_;
  std::vector<std::int8_t> rows_;
  std::size_t longest_, dimensions_ = 0;
};

}  // namespace

void bind_ngram_vectors(py::module_& module) {
  py::class_<NgramVectors>(module, "NgramVectors", "Rows of whole numbers by n-grams.")
      .def(py::init<py::list, NgramVectors::Table, std::size_t>(), py::arg("ngrams"), py::arg("rows"),
           py::arg("longest"))
      .def("sums", &NgramVectors::sums, py::arg("texts"),
           "The sum of the rows of each text's n-grams, shape (texts, dimensions).");
}

}  // namespace rainbow
