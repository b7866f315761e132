// Sums of Gaussian kernels between scores: what a kernel machine predicts.
#include <pybind11/pybind11.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "bind.hpp"
#include "rows.hpp"

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define RAINBOW_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))  // the same operations, several at a time
#else
#define RAINBOW_WIDE
#endif

namespace py = pybind11;

namespace rainbow {
namespace {

constexpr std::size_t kBlock = 256;  // of the support; the bits of the sums hang on it
constexpr std::size_t kRows = 4;

// e to the powers of x, each between -700 and 0, by the series of its rest after whole powers of two; the last bit may
// be wrong. Without branches, so that the compiler does several at once.
RAINBOW_WIDE void exponentials(double* x, std::size_t size) {
  constexpr double kRound = 0x1.8p52, kLog2E = 1.4426950408889634, kHigh = 0x1.62e42fee00000p-1;
  constexpr double kLow = 1.90821492927058770002e-10;  // kHigh + kLow is the logarithm of 2
  for (std::size_t i = 0; i < size; ++i) {
    const double shifted = x[i] * kLog2E + kRound, twos = shifted - kRound;
    const double rest = (x[i] - twos * kHigh) - twos * kLow;
    double sum = 1.0 / 6227020800;
    sum = sum * rest + 1.0 / 479001600;
    sum = sum * rest + 1.0 / 39916800;
    sum = sum * rest + 1.0 / 3628800;
    sum = sum * rest + 1.0 / 362880;
    sum = sum * rest + 1.0 / 40320;
    sum = sum * rest + 1.0 / 5040;
    sum = sum * rest + 1.0 / 720;
    sum = sum * rest + 1.0 / 120;
    sum = sum * rest + 1.0 / 24;
    sum = sum * rest + 1.0 / 6;
    sum = sum * rest + 0.5;
    sum = sum * rest + 1;
    sum = sum * rest + 1;
    x[i] = sum * std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) << 52) + (std::uint64_t{1023} << 52));
  }
}

using Block = std::array<double, kBlock>;

// To the sums of one row, the squares of its distances in one column.
RAINBOW_WIDE void add_squares(double* sums, const std::int16_t* column, double value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) sums[i] += (column[i] - value) * (column[i] - value);
}

// The same in four columns that follow each other, added in their order: of one row, and of four at once.
RAINBOW_WIDE void add_squares_of_row(double* __restrict sums, const std::int16_t* __restrict column, std::size_t stride,
                                     const double* row, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    double sum = sums[i];
    for (std::size_t c = 0; c < 4; ++c) {
      const double far = column[i + c * stride] - row[c];
      sum += far * far;
    }
    sums[i] = sum;
  }
}

RAINBOW_WIDE void add_squares_of_rows(Block* __restrict sums, const std::int16_t* __restrict column, std::size_t stride,
                                      const double* rows, std::size_t columns, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t row = 0; row < kRows; ++row) {
      const double* const values = rows + row * columns;
      double sum = sums[row][i];
      for (std::size_t c = 0; c < 4; ++c) {
        const double far = column[i + c * stride] - values[c];
        sum += far * far;
      }
      sums[row][i] = sum;
    }
  }
}

RAINBOW_WIDE void scale(double* values, double factor, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) values[i] = std::max(values[i] * factor, -700.0);
}

// The sum of likeness times weights in four chains of additions, always the same.
double weighed(const double* likeness, const double* weights, std::size_t size) {
  double a = 0, b = 0, c = 0, d = 0;
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    a += likeness[i] * weights[i];
    b += likeness[i + 1] * weights[i + 1];
    c += likeness[i + 2] * weights[i + 2];
    d += likeness[i + 3] * weights[i + 3];
  }
  if (i < size) a += likeness[i] * weights[i];
  if (i + 1 < size) b += likeness[i + 1] * weights[i + 1];
  if (i + 2 < size) c += likeness[i + 2] * weights[i + 2];
  return (a + b) + (c + d);
}

using Table = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Support = py::array_t<std::int16_t, py::array::c_style | py::array::forcecast>;  // it stays in the cache

// The likeness of some rows to a block of the support that begins at `start`.
void compare(const Table& rows, std::size_t first, std::size_t last, const Support& support, std::size_t start,
             double factor, std::array<Block, kRows>& likeness) {
  const std::size_t columns = support.shape(0), size = support.shape(1), width = std::min(kBlock, size - start);
  for (Block& of_row : likeness) of_row.fill(0);
  // Column by column for all rows, so that what was fetched of the support serves them all.
  std::size_t c = 0;
  for (; c + 4 <= columns; c += 4) {
    const std::int16_t* const column = support.data() + c * size + start;
    const double* const values = rows.data() + first * columns + c;
    if (last - first == kRows) {
      add_squares_of_rows(likeness.data(), column, size, values, columns, width);
      continue;
    }
    for (std::size_t row = 0; row < last - first; ++row) {
      add_squares_of_row(likeness[row].data(), column, size, values + row * columns, width);
    }
  }
  for (; c < columns; ++c) {
    for (std::size_t row = first; row < last; ++row) {
      add_squares(likeness[row - first].data(), support.data() + c * size + start, rows.data()[row * columns + c], width);
    }
  }
  for (std::size_t row = first; row < last; ++row) {
    scale(likeness[row - first].data(), factor, width);
    exponentials(likeness[row - first].data(), width);
  }
}

Matrix gaussian_sums(const Table& rows, const Support& support, const Table& weights, double gamma) {
  if (rows.ndim() != 2 || support.ndim() != 2 || weights.ndim() != 2 || rows.shape(1) != support.shape(0) ||
      weights.shape(1) != support.shape(1) || !(gamma >= 0)) {
    throw std::invalid_argument("rows (n, columns), support (columns, m), weights (ratings, m), gamma of 0 or more");
  }
  const std::size_t size = support.shape(1), ratings = weights.shape(0), count = rows.shape(0);
  Matrix sums({rows.shape(0), weights.shape(0)});
  double* const cells = sums.mutable_data();
  const py::gil_scoped_release release;
  std::fill(cells, cells + count * ratings, 0.0);
  std::array<Block, kRows> likeness;
  for (std::size_t first = 0; first < count; first += kRows) {
    const std::size_t last = std::min(first + kRows, count);
    for (std::size_t start = 0; start < size; start += kBlock) {
      compare(rows, first, last, support, start, -gamma, likeness);
      for (std::size_t cell = first * ratings; cell < last * ratings; ++cell) {
        const double* const of_block = weights.data() + cell % ratings * size + start;
        cells[cell] += weighed(likeness[cell / ratings - first].data(), of_block, std::min(kBlock, size - start));
      }
    }
  }
  return sums;
}

}  // namespace

void bind_gaussian(py::module_& module) {
  module.def("gaussian_sums", &gaussian_sums, py::arg("rows"), py::arg("support"), py::arg("weights"), py::arg("gamma"),
             "For each row and rating the weights summed over the support, each times exp(-gamma times the squared "
             "distance); the support is given column by column, in whole numbers.");
}

}  // namespace rainbow
