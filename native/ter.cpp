// Translation edit rate: the fewest edits over the references, per word of the references.
#include <pybind11/pybind11.h>

#include <limits>
#include <utility>

#include "bind.hpp"
#include "rows.hpp"
#include "shifts.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

class EditRate {
 public:
  double operator()(std::span<const Id> output, const Sets& references, std::size_t set) {
    if (references.first(set) == references.last(set)) return std::numeric_limits<double>::quiet_NaN();
    if (output.empty()) return 1;
    sort_references(output, references, set);
    // The references that may be nearest come first; those that cannot be nearer than one already seen are left out.
    int fewest = std::numeric_limits<int>::max();
    double words = 0;
    for (const auto& [least, text] : nearest_) words += static_cast<double>(references.texts()[text].size());
    for (const auto& [least, text] : nearest_) {
      if (least >= fewest) break;
      fewest = std::min(fewest, shifts_.edits(output, references.texts()[text], least, fewest));
    }
    return static_cast<double>(fewest) * static_cast<double>(nearest_.size()) / words;
  }

 private:
  // The edits that each reference needs whatever the order of the words, and the reference.
  void sort_references(std::span<const Id> output, const Sets& references, std::size_t set) {
    nearest_.clear();
    for (const Id id : output) {
      if (counts_.size() <= static_cast<std::size_t>(id)) counts_.resize(id + 1);
      ++counts_[id];
    }
    for (std::size_t text = references.first(set); text < references.last(set); ++text) {
      const auto reference = references.texts()[text];
      const auto known = [this](Id id) { return static_cast<std::size_t>(id) < counts_.size(); };
      int common = 0;
      for (const Id id : reference) common += known(id) && counts_[id]-- > 0;
      for (const Id id : reference) known(id) && ++counts_[id];
      nearest_.emplace_back(static_cast<int>(std::max(output.size(), reference.size())) - common, text);
    }
    for (const Id id : output) counts_[id] = 0;
    std::ranges::sort(nearest_);
  }

  Shifts shifts_;
  std::vector<int> counts_;  // of each word in the output
  std::vector<std::pair<int, std::size_t>> nearest_;
};

Matrix ter_scores(const Texts& outputs, const Sets& references, const Indices& rows, const Indices& sets,
                  int threads) {
  const auto chosen = checked_rows(outputs, references, rows, sets);
  Matrix scores({static_cast<py::ssize_t>(chosen.size()), py::ssize_t{1}});
  double* const cells = scores.mutable_data();
  const py::gil_scoped_release release;
  for_each(chosen.size(), threads, [&, rate = EditRate()](std::size_t i) mutable {
    cells[i] = rate(outputs[chosen[i].output], references, chosen[i].set);
  });
  return scores;
}

}  // namespace

void bind_ter(py::module_& module) {
  module.def("ter", &ter_scores, py::arg("outputs"), py::arg("references"), py::arg("rows"), py::arg("sets"),
             py::arg("threads") = 1, "Translation edit rate of each row, shape (rows, 1).");
}

}  // namespace rainbow
