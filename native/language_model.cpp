// Log probabilities of words under an interpolated Kneser-Ney model.
//
// Chen, S. F. and Goodman, J. (1999). An empirical study of smoothing techniques for language modeling. Computer Speech
// & Language 13(4).
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "bind.hpp"
#include "rows.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

using Node = std::int32_t;
constexpr Node kNone = -1;

// What is known of a run of words: how often it counts itself, and what comes after it.
struct Counts {
  double count = 0, total = 0, kinds = 0;
};

class LanguageModel {
 public:
  // `levels`: for every length, from 1, the counts of runs of that length, and totals and kinds by the run before the
  // last word; `start` and `end` are the marks of a sentence.
  LanguageModel(const py::list& levels, std::vector<double> discounts, const std::string& start, const std::string& end)
      : discounts_(std::move(discounts)) {
    if (discounts_.empty() || levels.size() != discounts_.size()) {
      throw std::invalid_argument("every length needs its counts and its discount");
    }
    counts_.emplace_back();  // of no word: the root
    for (const py::handle level : levels) {
      const py::tuple parts = py::reinterpret_borrow<py::tuple>(level);
      read(parts[0], &Counts::count);
      read(parts[1], &Counts::total);
      read(parts[2], &Counts::kinds);
    }
    start_ = vocabulary_.add(start);
    end_ = vocabulary_.add(end);
  }

  // The natural logarithms of the probabilities of the words of a text, and of its end, into `logs`.
  void log_probabilities(const std::vector<Id>& words, std::vector<double>& logs) const {
    const std::vector<Id> marked = between_marks(words);
    logs.clear();
    for (std::size_t place = 1; place < marked.size(); ++place) logs.push_back(std::log(probability(marked, place)));
  }

  // How many words the longest known run has that ends with each word of a text, and with its end, into `lengths`.
  void known_runs(const std::vector<Id>& words, std::vector<std::int32_t>& lengths) const {
    const std::vector<Id> marked = between_marks(words);
    lengths.clear();
    for (std::size_t place = 1; place < marked.size(); ++place) {
      std::int32_t length = 0;
      for (std::size_t more = 1; more <= std::min(place + 1, discounts_.size()) && known(marked, place, more); ++more) {
        length = static_cast<std::int32_t>(more);
      }
      lengths.push_back(length);
    }
  }

  Id number(std::string_view word) const { return vocabulary_.find(word); }

 private:
  static std::uint64_t key(Node before, Id word) {
    return static_cast<std::uint64_t>(before) << 32 | static_cast<std::uint32_t>(word);
  }

  void read(const py::dict& found, double Counts::*part) {
    for (const auto& [run, number] : found) {
      Node node = 0;
      for (const py::handle word : py::reinterpret_borrow<py::tuple>(run)) node = grown(node, word);
      counts_[node].*part = number.cast<double>();
    }
  }

  Node grown(Node before, const py::handle& word) {
    const py::bytes bytes = py::reinterpret_steal<py::bytes>(
        PyUnicode_AsEncodedString(word.ptr(), "utf-8", "surrogatepass"));
    if (!bytes) throw py::error_already_set();
    const auto [place, is_new] = next_.try_emplace(key(before, vocabulary_.add(std::string_view(bytes))),
                                                   static_cast<Node>(counts_.size()));
    if (is_new) counts_.emplace_back();
    return place->second;
  }

  Node after(Node before, Id word) const {
    const auto found = word < 0 ? next_.end() : next_.find(key(before, word));
    return found == next_.end() ? kNone : found->second;
  }

  std::vector<Id> between_marks(const std::vector<Id>& words) const {
    std::vector<Id> marked{start_};
    marked.insert(marked.end(), words.begin(), words.end());
    marked.push_back(end_);
    return marked;
  }

  // Whether the run of so many words that ends at this place counts.
  bool known(const std::vector<Id>& words, std::size_t place, std::size_t length) const {
    Node node = 0;
    for (std::size_t i = place + 1 - length; i <= place && node != kNone; ++i) node = after(node, words[i]);
    return node != kNone && counts_[node].count != 0;
  }

  double probability(const std::vector<Id>& words, std::size_t place) const {
    double probability = 1 / (counts_[0].kinds + 1);
    for (std::size_t length = 0; length <= place && length < discounts_.size(); ++length) {
      Node history = 0;
      for (std::size_t i = place - length; i < place && history != kNone; ++i) history = after(history, words[i]);
      if (history == kNone || counts_[history].total == 0) break;
      const Node run = after(history, words[place]);
      const double count = run == kNone ? 0 : counts_[run].count, discount = discounts_[length];
      const double kept = count != 0 ? count - discount : 0;
      probability = (kept + discount * counts_[history].kinds * probability) / counts_[history].total;
    }
    return probability;
  }

  Vocabulary vocabulary_;
  std::unordered_map<std::uint64_t, Node> next_;
  std::vector<Counts> counts_;
  std::vector<double> discounts_;
  Id start_ = 0, end_ = 0;
};

// What `of` gives for the words of texts and each text's end, as the model numbers the words, one text after another.
template <typename Value, typename Of>
py::array_t<Value> of_texts(const LanguageModel& model, const Texts& texts, const std::vector<std::size_t>& rows, Of of) {
  for (const std::size_t row : rows) {
    if (row >= texts.size()) throw std::out_of_range("there is no such row");
  }
  std::vector<Value> all, values;
  {
    const py::gil_scoped_release release;
    std::vector<Id> words;
    for (const std::size_t row : rows) {
      words.clear();
      for (const Id id : texts[row]) words.push_back(model.number(texts.vocabulary()->word(id)));
      of(words, values);
      all.insert(all.end(), values.begin(), values.end());
    }
  }
  return py::array_t<Value>(static_cast<py::ssize_t>(all.size()), all.data());
}

}  // namespace

void bind_language_model(py::module_& module) {
  py::class_<LanguageModel>(module, "LanguageModel", "Counts of a Kneser-Ney model.")
      .def(py::init<py::list, std::vector<double>, std::string, std::string>(), py::arg("levels"),
           py::arg("discounts"), py::arg("start"), py::arg("end"))
      .def(
          "log_probabilities",
          [](const LanguageModel& model, const Texts& texts, const std::vector<std::size_t>& rows, bool backwards) {
            return of_texts<double>(model, texts, rows, [&](std::vector<Id>& words, std::vector<double>& logs) {
              if (backwards) std::reverse(words.begin(), words.end());
              model.log_probabilities(words, logs);
              // Turned back, so that they are of the words as they stand; the last is that of the beginning.
              if (backwards) std::reverse(logs.begin(), logs.end() - 1);
            });
          },
          py::arg("texts"), py::arg("rows"), py::arg("backwards") = false,
          "Log probabilities of the words and the end (or beginning) of these texts, one text after another.")
      .def(
          "known_runs",
          [](const LanguageModel& model, const Texts& texts, const std::vector<std::size_t>& rows) {
            return of_texts<std::int32_t>(
                model, texts, rows,
                [&](const std::vector<Id>& words, std::vector<std::int32_t>& lengths) { model.known_runs(words, lengths); });
          },
          py::arg("texts"), py::arg("rows"),
          "Lengths of the longest known runs that end with the words and the end of these texts, one text after another.");
}

}  // namespace rainbow
