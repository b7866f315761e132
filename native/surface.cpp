// Measures of the surface of texts: what stands between blanks is counted once and remembered.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "bind.hpp"
#include "rows.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

// The counts of a text; those of texts put side by side, with a blank between, add up.
enum Count { kCharacters, kWords, kLetteredWords, kSyllables, kPolysyllables, kCounts };
using SegmentCounts = std::array<std::int64_t, kCounts>;

constexpr py::ssize_t kMeasures = 8;

double ratio(std::int64_t amount, std::int64_t words) {
  if (words == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(amount) / static_cast<double>(words);
}

void measure(const SegmentCounts& counts, double* measures) {
  const auto words = counts[kWords], lettered = counts[kLetteredWords];
  measures[0] = 206.835 - 1.015 * static_cast<double>(lettered) - 84.6 * ratio(counts[kSyllables], lettered);
  measures[1] = static_cast<double>(counts[kCharacters]);
  measures[2] = ratio(counts[kCharacters], words);
  measures[3] = static_cast<double>(words);
  measures[4] = static_cast<double>(counts[kSyllables]);
  measures[5] = ratio(counts[kSyllables], words);
  measures[6] = static_cast<double>(counts[kPolysyllables]);
  measures[7] = ratio(counts[kPolysyllables], words);
}

// The function that is given (a Python function of one text) decides what is counted.
class Surface {
 public:
  explicit Surface(py::function count) : count_(std::move(count)) {}

  Matrix measures(const py::list& texts) {
    Matrix found({static_cast<py::ssize_t>(texts.size()), kMeasures});
    double* cells = found.mutable_data();
    for (const py::handle text : texts) {
      measure(count(text), cells);
      cells += kMeasures;
    }
    return found;
  }

 private:
  static constexpr std::size_t kRemembered = 1 << 15;  // segments
  static constexpr std::size_t kLongest = 64;          // bytes of a segment worth remembering

  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  SegmentCounts count(const py::handle& text) {
    if (!PyUnicode_Check(text.ptr())) throw py::type_error("a text is not a string");
    Py_ssize_t size = 0;
    const char* const utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (utf8 == nullptr) {  // lone surrogates
      PyErr_Clear();
      return ask(text);
    }
    const std::string_view bytes{utf8, static_cast<std::size_t>(size)};
    SegmentCounts sum{};
    for (std::size_t start = 0; start < bytes.size();) {
      const std::size_t end = std::min(bytes.find(' ', start), bytes.size());
      if (end > start) add(bytes.substr(start, end - start), sum);
      start = end + 1;
    }
    return sum;
  }

  void add(std::string_view segment, SegmentCounts& sum) {
    const auto found = known_.find(segment);
    // Asking runs Python, which may let another thread in here: nothing found before is used after it.
    const SegmentCounts counts = found != known_.end() ? found->second : learn(segment);
    for (std::size_t i = 0; i < kCounts; ++i) sum[i] += counts[i];
  }

  SegmentCounts learn(std::string_view segment) {
    const SegmentCounts counts = ask(py::str(segment.data(), segment.size()));
    if (segment.size() > kLongest) return counts;
    if (known_.size() >= kRemembered) known_.clear();
    known_.insert_or_assign(std::string(segment), counts);
    return counts;
  }

  SegmentCounts ask(const py::handle& text) const {
    const py::tuple given = count_(text);
    if (given.size() != kCounts) throw py::value_error("the function gives another number of counts");
    SegmentCounts counts;
    for (std::size_t i = 0; i < kCounts; ++i) counts[i] = given[i].cast<std::int64_t>();
    return counts;
  }

  py::function count_;
  std::unordered_map<std::string, SegmentCounts, Hash, std::equal_to<>> known_;
};

}  // namespace

void bind_surface(py::module_& module) {
  py::class_<Surface>(module, "Surface", "Counts of words, asked of a function once and remembered.")
      .def(py::init<py::function>(), py::arg("count"))
      .def("measures", &Surface::measures, py::arg("texts"), "The measures of the surface, shape (texts, 8).");
}

}  // namespace rainbow
