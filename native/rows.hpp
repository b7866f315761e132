// Which output meets which references, and the work shared among threads.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include "texts.hpp"

namespace rainbow {

using Indices = pybind11::array_t<std::int32_t, pybind11::array::c_style | pybind11::array::forcecast>;
using Matrix = pybind11::array_t<double, pybind11::array::c_style>;

// One output and the set of references it is compared with.
struct Row {
  std::size_t output;
  std::size_t set;
};

// The rows asked for, checked: outputs `rows`, and for each the set at its place in `sets`.
inline std::vector<Row> checked_rows(const Texts& outputs, const Sets& references, const Indices& rows,
                                     const Indices& sets) {
  if (rows.ndim() != 1 || sets.ndim() != 1 || rows.size() != sets.size()) {
    throw std::invalid_argument("rows and sets must be two lists of the same length");
  }
  if (references.texts().vocabulary() == nullptr) throw std::invalid_argument("the references have no vocabulary");
  if (!outputs.vocabulary()->stands_on(*references.texts().vocabulary())) {
    throw std::invalid_argument("the outputs were not numbered against these references");
  }
  std::vector<Row> found(rows.size());
  for (pybind11::ssize_t i = 0; i < rows.size(); ++i) {
    const std::int64_t output = rows.data()[i], set = sets.data()[i];
    if (output < 0 || output >= static_cast<std::int64_t>(outputs.size()) || set < 0 ||
        set >= static_cast<std::int64_t>(references.size())) {
      throw std::out_of_range("there is no such row or set of references");
    }
    found[i] = {static_cast<std::size_t>(output), static_cast<std::size_t>(set)};
  }
  return found;
}

// The sets at these places, checked.
inline std::vector<std::size_t> checked_sets(const Sets& references, const Indices& sets) {
  if (sets.ndim() != 1) throw std::invalid_argument("sets must be a list");
  std::vector<std::size_t> found(sets.size());
  for (pybind11::ssize_t i = 0; i < sets.size(); ++i) {
    if (sets.data()[i] < 0 || sets.data()[i] >= static_cast<std::int64_t>(references.size())) {
      throw std::out_of_range("there is no such set of references");
    }
    found[i] = static_cast<std::size_t>(sets.data()[i]);
  }
  return found;
}

// Calls work(i) for i below `count` on so many threads, each thread with a copy of `work` (its scratch memory); the
// first exception is thrown again here. Call it without the GIL.
template <class Work>
void for_each(std::size_t count, int threads, const Work& work) {
  const std::size_t used = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(count, 1));
  if (used == 1) {
    Work own = work;
    for (std::size_t i = 0; i < count; ++i) own(i);
    return;
  }
  constexpr std::size_t kChunk = 16;
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex lock;
  const auto run = [&] {
    try {
      Work own = work;
      for (std::size_t start; (start = next.fetch_add(kChunk)) < count;) {
        for (std::size_t i = start; i < std::min(start + kChunk, count); ++i) own(i);
      }
    } catch (...) {
      next = count;
      const std::lock_guard guard(lock);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < used; ++i) others.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

// The scores of the rows asked for, shape (rows, columns): work(output, set, scores) fills in those of one row; it
// takes the output's words or, if it takes a number, its place.
template <class Work>
Matrix scores_of_rows(const Texts& outputs, const Sets& references, const Indices& rows, const Indices& sets,
                      std::size_t columns, int threads, const Work& work) {
  const auto chosen = checked_rows(outputs, references, rows, sets);
  Matrix scores({static_cast<pybind11::ssize_t>(chosen.size()), static_cast<pybind11::ssize_t>(columns)});
  double* const cells = scores.mutable_data();
  const pybind11::gil_scoped_release release;
  for_each(chosen.size(), threads, [&, own = work](std::size_t i) mutable {
    if constexpr (std::is_invocable_v<Work&, std::size_t, std::size_t, double*>) {
      own(chosen[i].output, chosen[i].set, cells + i * columns);
    } else {
      own(outputs[chosen[i].output], chosen[i].set, cells + i * columns);
    }
  });
  return scores;
}

}  // namespace rainbow
