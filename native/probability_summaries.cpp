// What the probabilities of its words say of a text.
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

#include "bind.hpp"
#include "exact_sum.hpp"
#include "rows.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

using Values = py::array_t<double, py::array::c_style | py::array::forcecast>;

// What is known of the words of a text and of its end: log probabilities after what is before, before what follows and
// alone, and the lengths of the known runs that end there.
struct Logs {
  std::span<const double> after, before, alone;
  std::span<const std::int32_t> known;
};

// The columns of rainbow.metrics.probability.language_model, in their order; the object keeps its scratch memory between texts.
class Summary {
 public:
  static constexpr std::size_t kColumns = 10;

  Summary(double rare, std::int32_t unseen) : rare_(rare), unseen_(unseen) {}

  void operator()(const Logs& logs, double* scores) {
    const auto rarer = std::ranges::count_if(logs.after, [&](double value) { return value < rare_; });
    // The first word has but one before it, the start of the sentence.
    const auto few = std::ranges::count_if(logs.known.subspan(1), [&](std::int32_t run) { return run < unseen_; });
    scores[0] = mean(logs.after);
    scores[1] = std::ranges::min(logs.after);
    scores[2] = static_cast<double>(rarer) / static_cast<double>(logs.after.size());
    scores[3] = mean(logs.alone);
    set_gains(logs.after, logs.alone);
    scores[4] = mean(gains_);
    scores[5] = median_gain();
    scores[6] = std::ranges::min(gains_);
    scores[7] = std::ranges::min(logs.before);
    set_gains(logs.before, logs.alone);
    scores[8] = std::ranges::min(gains_);
    scores[9] = static_cast<double>(few);
  }

 private:
  void set_gains(std::span<const double> values, std::span<const double> alone) {
    gains_.resize(values.size());
    std::ranges::transform(values, alone, gains_.begin(), std::minus{});
  }

  double mean(std::span<const double> values) {
    sum_.clear();
    for (const double value : values) sum_.add(value);
    return sum_.rounded() / static_cast<double>(values.size());
  }

  double median_gain() {
    const auto middle = gains_.begin() + static_cast<std::ptrdiff_t>(gains_.size() / 2);
    std::nth_element(gains_.begin(), middle, gains_.end());
    return gains_.size() % 2 ? *middle : (*std::max_element(gains_.begin(), middle) + *middle) / 2;
  }

  double rare_;
  std::int32_t unseen_;
  ExactSum sum_;
  std::vector<double> gains_;
};

// What the metric says of each text, shape (texts, 10); the values of texts stand one after another.
Matrix probability_summaries(const Indices& lengths, const Values& after, const Values& before, const Values& alone,
                             const Indices& known, double rare, std::int32_t unseen) {
  const std::span<const std::int32_t> sizes(lengths.data(), lengths.size());
  std::size_t words = 0;
  for (const std::int32_t size : sizes) {
    if (size < 1) throw std::invalid_argument("a text has at least its end");
    words += size;
  }
  for (const py::ssize_t size : {after.size(), before.size(), alone.size(), known.size()}) {
    if (static_cast<std::size_t>(size) != words) throw std::invalid_argument("every word needs its values");
  }
  Matrix scores({lengths.size(), static_cast<py::ssize_t>(Summary::kColumns)});
  double* row = scores.mutable_data();
  const py::gil_scoped_release release;
  Summary summary(rare, unseen);
  std::size_t start = 0;
  for (const std::size_t size : sizes) {
    summary({{after.data() + start, size}, {before.data() + start, size}, {alone.data() + start, size},
             {known.data() + start, size}}, row);
    row += Summary::kColumns;
    start += size;
  }
  return scores;
}

}  // namespace

void bind_probability_summaries(py::module_& module) {
  module.def("probability_summaries", &probability_summaries, py::arg("lengths"), py::arg("after"), py::arg("before"),
             py::arg("alone"), py::arg("known"), py::arg("rare"), py::arg("unseen"),
             "What the values of its words and its end say of each text, shape (texts, 10).");
}

}  // namespace rainbow
