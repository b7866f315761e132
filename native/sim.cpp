// How much of a meaning representation an output says: its words with the most similar ones of the other text.
#include <pybind11/pybind11.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "bind.hpp"
#include "exact_sum.hpp"
#include "rows.hpp"
#include "strings.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

// How similar words are, asked of Python once for each pair.
class WordSimilarity {
 public:
  explicit WordSimilarity(py::function similarity) : similarity_(std::move(similarity)) {}

  // For each text the similarity with the meaning representation at its place, shape (texts, 1).
  Matrix scores(const Texts& texts, const Texts& meanings) {
    if (texts.size() != meanings.size()) throw std::invalid_argument("there must be one meaning for each text");
    // Full, it is replaced, not emptied: calls of other threads, let in while Python runs, may still look at it.
    if (memory_->known.size() >= kRemembered) memory_ = std::make_shared<Memory>();
    const std::shared_ptr<Memory> memory = memory_;
    Matrix scores({static_cast<py::ssize_t>(texts.size()), py::ssize_t{1}});
    for (std::size_t text = 0; text < texts.size(); ++text) {
      scores.mutable_data()[text] = score(*memory, numbers(*memory, meanings, text), numbers(*memory, texts, text));
    }
    return scores;
  }

 private:
  static constexpr std::size_t kRemembered = 1 << 20;  // pairs

  struct Memory {
    Vocabulary words;
    std::unordered_map<std::uint64_t, double> known;  // by the numbers of two words
  };

  static std::vector<Id> numbers(Memory& memory, const Texts& texts, std::size_t text) {
    std::vector<Id> found;
    for (const Id id : texts[text]) found.push_back(memory.words.add(texts.vocabulary()->word(id)));
    return found;
  }

  double score(Memory& memory, std::vector<Id> meaning, const std::vector<Id>& output) const {
    if (meaning.empty()) return std::numeric_limits<double>::quiet_NaN();
    if (output.empty()) return 0;
    meaning = parted(memory.words, meaning, output);
    std::vector<double> of_meaning(meaning.size()), of_output(output.size());
    for (std::size_t i = 0; i < meaning.size(); ++i) {
      for (std::size_t j = 0; j < output.size(); ++j) {
        const double similar = similarity(memory, meaning[i], output[j]);
        of_meaning[i] = std::max(of_meaning[i], similar);
        of_output[j] = std::max(of_output[j], similar);
      }
    }
    return (mean(of_meaning) + mean(of_output)) / 2;
  }

  // The words of a meaning representation, those that the output writes as two as these two.
  static std::vector<Id> parted(const Vocabulary& known, const std::vector<Id>& meaning,
                                const std::vector<Id>& output) {
    std::vector<Id> words;
    for (const Id id : meaning) {
      const std::string_view word = known.word(id);
      std::size_t second = output.size() - 1;
      for (; second > 0; --second) {
        const std::string_view first = known.word(output[second - 1]), last = known.word(output[second]);
        if (first.size() + last.size() == word.size() && word.starts_with(first) && word.ends_with(last)) break;
      }
      if (second > 0) {
        words.insert(words.end(), {output[second - 1], output[second]});
      } else {
        words.push_back(id);
      }
    }
    return words;
  }

  double similarity(Memory& memory, Id word, Id other) const {
    const std::uint64_t pair = static_cast<std::uint64_t>(word) << 32 | static_cast<std::uint32_t>(other);
    if (const auto known = memory.known.find(pair); known != memory.known.end()) return known->second;
    const py::object asked = similarity_(text_of(memory.words.word(word)), text_of(memory.words.word(other)));
    return memory.known.emplace(pair, asked.cast<double>()).first->second;
  }

  static double mean(const std::vector<double>& values) {
    ExactSum sum;
    for (const double value : values) sum.add(value);
    return sum.rounded() / static_cast<double>(values.size());
  }

  py::function similarity_;
  std::shared_ptr<Memory> memory_ = std::make_shared<Memory>();
};

}  // namespace

void bind_sim(py::module_& module) {
  py::class_<WordSimilarity>(module, "WordSimilarity", "How similar words are, asked once for each pair.")
      .def(py::init<py::function>(), py::arg("similarity"))
      .def("scores", &WordSimilarity::scores, py::arg("texts"), py::arg("meanings"),
           "How similar each text is to the meaning representation at its place, shape (texts, 1).");
}

}  // namespace rainbow
