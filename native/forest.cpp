// Prediction of regression trees: nodes packed side by side, eight ways down at a time.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "bind.hpp"
#include "rows.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

// A tree of some thousand nodes of sixteen bytes stays in the nearest cache.
struct TreeNode {
  double threshold;
  std::uint32_t next;         // the left child, right before the right one; a leaf's own place
  std::uint32_t column : 31;  // what the node looks at
  std::uint32_t inner : 1;
};

class Forest {
 public:
  Forest(const Indices& roots, const Indices& left, const Indices& right, const Indices& column,
         const Doubles& threshold, const Doubles& value);

  Matrix predict(const Doubles& rows, int threads) const;

 private:
  static constexpr std::size_t kTogether = 8;      // ways down: while one waits for memory, the others go on
  static constexpr std::size_t kRowsAtOnce = 256;  // rows that go down a tree while it is in the cache

  using Places = std::array<std::uint32_t, kTogether>;
  using Rows = std::array<const double*, kTogether>;

  void pack(std::vector<std::int32_t>& given, const Indices& left, const Indices& right, const Indices& column,
            const Doubles& threshold);
  void go_down(Places& places, const Rows& rows) const;
  void predict_row(const double* row, double* said) const;
  void predict_rows(const double* rows, std::size_t count, std::size_t width, double* said) const;
  void add(std::uint32_t leaf, bool first, double* said) const;

  std::vector<TreeNode> nodes_;
  std::vector<std::uint32_t> roots_;
  std::vector<double> values_;  // of each node
  std::size_t columns_ = 1, ratings_;
};

Forest::Forest(const Indices& roots, const Indices& left, const Indices& right, const Indices& column,
               const Doubles& threshold, const Doubles& value)
    : ratings_(value.ndim() == 2 ? value.shape(1) : 0) {
  const py::ssize_t size = left.size();
  if (roots.size() == 0 || ratings_ == 0 || right.size() != size || column.size() != size ||
      threshold.size() != size || value.shape(0) != size || size > std::numeric_limits<std::int32_t>::max()) {
    throw std::invalid_argument("the arrays are not those of trees: they differ in length, or are empty");
  }
  std::vector<std::int32_t> given;  // the place of each packed node in the arrays
  for (py::ssize_t tree = 0; tree < roots.size(); ++tree) {
    if (roots.data()[tree] < 0 || roots.data()[tree] >= size) throw std::invalid_argument("there is no such root");
    roots_.push_back(static_cast<std::uint32_t>(given.size()));
    given.push_back(roots.data()[tree]);
    pack(given, left, right, column, threshold);
  }
  for (const std::int32_t place : given) {
    values_.insert(values_.end(), value.data() + place * ratings_, value.data() + (place + 1) * ratings_);
  }
}

// Packs the tree whose root was given last.
void Forest::pack(std::vector<std::int32_t>& given, const Indices& left, const Indices& right, const Indices& column,
                  const Doubles& threshold) {
  for (std::size_t place = nodes_.size(); place < given.size(); ++place) {
    const std::int32_t own = given[place], less = left.data()[own], more = right.data()[own];
    if (less == own && more == own) {
      nodes_.push_back({0, static_cast<std::uint32_t>(place), 0, 0});
      continue;
    }
    if (std::min(less, more) <= own || std::max(less, more) >= left.size() || column.data()[own] < 0 ||
        given.size() + 2 > static_cast<std::size_t>(left.size())) {
      throw std::invalid_argument("a node leads back, out of its tree, or where another one leads");
    }
    const auto looked_at = static_cast<std::uint32_t>(column.data()[own]);
    nodes_.push_back({threshold.data()[own], static_cast<std::uint32_t>(given.size()), looked_at, 1});
    columns_ = std::max<std::size_t>(columns_, looked_at + std::size_t{1});
    given.insert(given.end(), {less, more});
  }
}

void Forest::go_down(Places& places, const Rows& rows) const {
  const TreeNode* const nodes = nodes_.data();
  for (bool moving = true; moving;) {
    std::uint32_t inner = 0;
    for (std::size_t k = 0; k < kTogether; ++k) {
      const TreeNode& node = nodes[places[k]];
      // A missing number goes to the right.
      places[k] = node.next + (static_cast<std::uint32_t>(!(rows[k][node.column] <= node.threshold)) & node.inner);
      inner |= node.inner;
    }
    moving = inner;
  }
}

// One tree after the other, as scikit-learn adds them: another order changes the last bits.
void Forest::add(std::uint32_t leaf, bool first, double* said) const {
  const double* const value = values_.data() + leaf * ratings_;
  for (std::size_t rating = 0; rating < ratings_; ++rating) {
    said[rating] = first ? value[rating] : said[rating] + value[rating];
  }
}

// Eight trees at a time.
void Forest::predict_row(const double* row, double* said) const {
  Rows rows;
  rows.fill(row);
  for (std::size_t tree = 0; tree < roots_.size(); tree += kTogether) {
    Places places;
    const std::size_t used = std::min(kTogether, roots_.size() - tree);
    for (std::size_t k = 0; k < kTogether; ++k) places[k] = roots_[tree + std::min(k, used - 1)];
    go_down(places, rows);
    for (std::size_t k = 0; k < used; ++k) add(places[k], tree + k == 0, said);
  }
}

// Eight rows at a time, down one tree after the other.
void Forest::predict_rows(const double* rows, std::size_t count, std::size_t width, double* said) const {
  for (std::size_t tree = 0; tree < roots_.size(); ++tree) {
    for (std::size_t row = 0; row < count; row += kTogether) {
      Places places;
      Rows together;
      const std::size_t used = std::min(kTogether, count - row);
      places.fill(roots_[tree]);
      for (std::size_t k = 0; k < kTogether; ++k) together[k] = rows + (row + std::min(k, used - 1)) * width;
      go_down(places, together);
      for (std::size_t k = 0; k < used; ++k) add(places[k], tree == 0, said + (row + k) * ratings_);
    }
  }
}

Matrix Forest::predict(const Doubles& rows, int threads) const {
  if (rows.ndim() != 2 || rows.shape(1) < static_cast<py::ssize_t>(columns_)) {
    throw std::invalid_argument("the trees look at a column that the rows lack");
  }
  const std::size_t count = rows.shape(0), width = rows.shape(1);
  Matrix said({static_cast<py::ssize_t>(count), static_cast<py::ssize_t>(ratings_)});
  const double* const from = rows.data();
  double* const to = said.mutable_data();
  const py::gil_scoped_release release;
  for_each((count + kRowsAtOnce - 1) / kRowsAtOnce, threads, [=, this](std::size_t chunk) {
    const std::size_t first = chunk * kRowsAtOnce, used = std::min(kRowsAtOnce, count - first);
    if (used >= kTogether) {
      predict_rows(from + first * width, used, width, to + first * ratings_);
    } else {
      for (std::size_t row = first; row < count; ++row) predict_row(from + row * width, to + row * ratings_);
    }
  });
  for (std::size_t i = 0; i < count * ratings_; ++i) to[i] /= static_cast<double>(roots_.size());
  return said;
}

}  // namespace

void bind_forest(py::module_& module) {
  py::class_<Forest>(module, "Forest", "Regression trees, packed.")
      .def(py::init<const Indices&, const Indices&, const Indices&, const Indices&, const Doubles&, const Doubles&>(),
           py::arg("roots"), py::arg("left"), py::arg("right"), py::arg("column"), py::arg("threshold"),
           py::arg("value"))
      .def("predict", &Forest::predict, py::arg("rows"), py::arg("threads") = 1,
           "The mean of what the trees say of these rows (n, columns), shape (n, ratings).");
}

}  // namespace rainbow
