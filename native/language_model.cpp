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

// What is known of a run of words: how often it counts itself, what comes after it, and how often it occurs.
struct Counts {
  double count = 0, total = 0, kinds = 0, occurrences = 0;
};

// What is to be taken off the counts of runs to leave a document out.
using Removal = std::unordered_map<Node, Counts>;

// Words as UTF-8.
using Sentences = std::vector<std::vector<std::string>>;

class LanguageModel {
 public:
  // `levels`: for every length, from 1, the counts of runs of that length, and how often they occur (nothing where no
  // document is to be left out); `start` and `end` are the marks of a sentence.
  LanguageModel(const py::list& levels, std::vector<double> discounts, const std::string& start, const std::string& end)
      : discounts_(std::move(discounts)) {
    if (discounts_.empty() || levels.size() != discounts_.size()) {
      throw std::invalid_argument("every length needs its counts and its discount");
    }
    counts_.emplace_back();  // of no word: the root
    for (const py::handle level : levels) {
      const py::tuple parts = py::reinterpret_borrow<py::tuple>(level);
      for (const auto& [run, number] : py::reinterpret_borrow<py::dict>(parts[0])) {
        const auto [before, node] = grown(run);
        counts_[node].count = number.cast<double>();
        counts_[before].total += counts_[node].count;
        counts_[before].kinds += 1;
      }
      for (const auto& [run, number] : py::reinterpret_borrow<py::dict>(parts[1])) {
        counts_[grown(run).second].occurrences = number.cast<double>();
      }
    }
    start_ = vocabulary_.add(start);
    end_ = vocabulary_.add(end);
  }

  // The natural logarithms of the probabilities of the words of a text, and of its end, into `logs`.
  void log_probabilities(const std::vector<Id>& words, const Removal& removal, std::vector<double>& logs) const {
    const std::vector<Id> marked = between_marks(words);
    logs.clear();
    for (std::size_t place = 1; place < marked.size(); ++place) {
      logs.push_back(std::log(probability(marked, place, removal)));
    }
  }

  // How many words the longest known run has that ends with each word of a text, and with its end, into `lengths`.
  void known_runs(const std::vector<Id>& words, const Removal& removal, std::vector<std::int32_t>& lengths) const {
    const std::vector<Id> marked = between_marks(words);
    lengths.clear();
    for (std::size_t place = 1; place < marked.size(); ++place) {
      const std::size_t longest = std::min(place + 1, discounts_.size());
      std::size_t length = 0;
      while (length < longest && known(marked, place, length + 1, removal)) ++length;
      lengths.push_back(static_cast<std::int32_t>(length));
    }
  }

  // What these sentences, a document of the model, have given to its counts.
  Removal removal(const Sentences& sentences) const {
    Removal removal;
    std::vector<Run> runs;
    for (const std::vector<std::string>& sentence : sentences) {
      std::vector<Id> words;
      for (const std::string& word : sentence) words.push_back(vocabulary_.find(word));
      add_runs(between_marks(words), removal, runs);
    }
    for (const Run& run : runs) {
      const double own = removal[run.node].occurrences;
      if (run.length == discounts_.size() || run.starts) removal[run.node].count += own;
      // A shorter run counts once for each word before it that stands there in no other document.
      if (run.length > 1 && own == counts_[run.node].occurrences) removal[run.without_first].count += 1;
    }
    for (const Run& run : runs) {
      const double count = removal[run.node].count;
      if (count == 0) continue;
      Counts& before = removal[run.without_last];
      before.total += count;
      before.kinds += count == counts_[run.node].count;
    }
    return removal;
  }

  Id number(std::string_view word) const { return vocabulary_.find(word); }

 private:
  // A run of words in a document: its node, those of what is left without its first or last word, whether it starts a
  // sentence.
  struct Run {
    Node node, without_first, without_last;
    std::size_t length;
    bool starts;
  };

  // Count the runs of a sentence, and add those that are new.
  void add_runs(const std::vector<Id>& marked, Removal& removal, std::vector<Run>& runs) const {
    const std::size_t order = discounts_.size();
    std::vector<Node> later(order + 1, kNone), nodes(order + 1, kNone);  // by length: of the place after this, of this
    for (std::size_t place = marked.size(); place-- > 0;) {
      nodes[0] = 0;
      for (std::size_t length = 1; length <= order; ++length) {
        nodes[length] = place + length > marked.size() ? kNone : after(nodes[length - 1], marked[place + length - 1]);
        if (nodes[length] == kNone || (place == 0 && length == 1)) continue;  // the start is context only
        if (removal[nodes[length]].occurrences++ == 0) {
          const Node without_first = length > 1 ? later[length - 1] : 0;
          runs.push_back({nodes[length], without_first, nodes[length - 1], length, place == 0});
        }
      }
      later = nodes;
    }
  }

  static std::uint64_t key(Node before, Id word) {
    return static_cast<std::uint64_t>(before) << 32 | static_cast<std::uint32_t>(word);
  }

  // The nodes of a run without its last word, and with it.
  std::pair<Node, Node> grown(const py::handle& run) {
    Node before = 0, node = 0;
    for (const py::handle word : py::reinterpret_borrow<py::tuple>(run)) {
      before = node;
      node = grown(node, word);
    }
    return {before, node};
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
  bool known(const std::vector<Id>& words, std::size_t place, std::size_t length, const Removal& removal) const {
    Node node = 0;
    for (std::size_t i = place + 1 - length; i <= place && node != kNone; ++i) node = after(node, words[i]);
    return left(node, removal).count != 0;
  }

  // What is left of the counts of a run.
  Counts left(Node node, const Removal& removal) const {
    if (node == kNone) return {};
    Counts counts = counts_[node];
    if (const auto found = removal.find(node); found != removal.end()) {
      counts.count -= found->second.count;
      counts.total -= found->second.total;
      counts.kinds -= found->second.kinds;
    }
    return counts;
  }

  double probability(const std::vector<Id>& words, std::size_t place, const Removal& removal) const {
    double probability = 1 / (left(0, removal).kinds + 1);
    for (std::size_t length = 0; length <= place && length < discounts_.size(); ++length) {
      Node history = 0;
      for (std::size_t i = place - length; i < place && history != kNone; ++i) history = after(history, words[i]);
      const Counts context = left(history, removal);
      if (context.total == 0) break;
      const double count = left(after(history, words[place]), removal).count, discount = discounts_[length];
      const double kept = count != 0 ? count - discount : 0;
      probability = (kept + discount * context.kinds * probability) / context.total;
    }
    return probability;
  }

  Vocabulary vocabulary_;
  std::unordered_map<std::uint64_t, Node> next_;
  std::vector<Counts> counts_;
  std::vector<double> discounts_;
  Id start_ = 0, end_ = 0;
};

// What `of` gives for the words of texts and each text's end, as the model numbers the words, one text after another;
// without a document of the model.
template <typename Value, typename Of>
py::array_t<Value> of_texts(const LanguageModel& model, const Texts& texts, const std::vector<std::size_t>& rows,
                            const Sentences& without, Of of) {
  for (const std::size_t row : rows) {
    if (row >= texts.size()) throw std::out_of_range("there is no such row");
  }
  std::vector<Value> all, values;
  {
    const py::gil_scoped_release release;
    const Removal removal = model.removal(without);
    std::vector<Id> words;
    for (const std::size_t row : rows) {
      words.clear();
      for (const Id id : texts[row]) words.push_back(model.number(texts.vocabulary()->word(id)));
      of(words, removal, values);
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
          [](const LanguageModel& model, const Texts& texts, const std::vector<std::size_t>& rows, bool backwards,
             const Sentences& without) {
            const auto of = [&](std::vector<Id>& words, const Removal& removal, std::vector<double>& logs) {
              if (backwards) std::reverse(words.begin(), words.end());
              model.log_probabilities(words, removal, logs);
              // Turned back, so that they are of the words as they stand; the last is that of the beginning.
              if (backwards) std::reverse(logs.begin(), logs.end() - 1);
            };
            return of_texts<double>(model, texts, rows, without, of);
          },
          py::arg("texts"), py::arg("rows"), py::arg("backwards") = false, py::arg("without") = Sentences{},
          "Log probabilities of the words and the end (or beginning) of these texts, one text after another.")
      .def(
          "known_runs",
          [](const LanguageModel& model, const Texts& texts, const std::vector<std::size_t>& rows,
             const Sentences& without) {
            const auto of = [&](std::vector<Id>& words, const Removal& removal, std::vector<std::int32_t>& lengths) {
              model.known_runs(words, removal, lengths);
            };
            return of_texts<std::int32_t>(model, texts, rows, without, of);
          },
          py::arg("texts"), py::arg("rows"), py::arg("without") = Sentences{},
          "Lengths of the longest known runs that end with the words and the end of these texts, one text after another.");
}

}  // namespace rainbow
