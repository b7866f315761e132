// How much of a meaning representation an output says: its words with the most similar ones of the other text.
#include <pybind11/pybind11.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "bind.hpp"
#include "exact_sum.hpp"
#include "rows.hpp"
#include "strings.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

// What Python says of a word: its stem, its senses, the senses near to these; by their numbers.
struct Meaning {
  Id stem;
  bool few;  // so few senses that what is near to them counts
  std::vector<Id> senses, near;
};

// Numbers that are marked, until others are.
class Marks {
 public:
  void clear() { ++round_; }
  void add(Id id) {
    if (static_cast<std::size_t>(id) >= rounds_.size()) rounds_.resize(id + 1);
    rounds_[id] = round_;
  }
  bool has(Id id) const { return static_cast<std::size_t>(id) < rounds_.size() && rounds_[id] == round_; }
  bool has_any(const std::vector<Id>& ids) const {
    return std::any_of(ids.begin(), ids.end(), [this](Id id) { return has(id); });
  }

 private:
  std::vector<std::uint64_t> rounds_;
  std::uint64_t round_ = 1;
};

// How similar the words of texts are; Python is asked once for each word, and no two words are compared.
class WordSimilarity {
 public:
  WordSimilarity(py::function tell, double near) : tell_(std::move(tell)), near_(near) {}

  // For each text the similarity with the meaning representation at its place, shape (texts, 1).
  Matrix scores(const Texts& texts, const Texts& meanings) {
    if (texts.size() != meanings.size()) throw std::invalid_argument("there must be one meaning for each text");
    // Full, it is replaced, not emptied: calls of other threads, let in while Python runs, may still look at it.
    if (memory_->is_full()) memory_ = std::make_shared<Memory>();
    const std::shared_ptr<Memory> memory = memory_;
    Matrix scores({static_cast<py::ssize_t>(texts.size()), py::ssize_t{1}});
    for (std::size_t text = 0; text < texts.size(); ++text) {
      const auto meaning = numbers(*memory, meanings, text), output = numbers(*memory, texts, text);
      scores.mutable_data()[text] = score(*memory, meaning, output);
    }
    return scores;
  }

 private:
  struct Memory {
    static constexpr std::size_t kRemembered = 1 << 15, kBytes = 1 << 22;  // words, and what they are made of

    Vocabulary words, stems, senses;
    std::deque<Meaning> told;  // by the numbers of words
    std::size_t bytes = 0;
    Marks of_stems, of_senses, of_few, of_near;  // of the words of one text

    bool is_full() const { return told.size() >= kRemembered || bytes >= kBytes; }

    void mark(const std::vector<Id>& text) {
      for (Marks* marks : {&of_stems, &of_senses, &of_few, &of_near}) marks->clear();
      for (const Id id : text) {
        const Meaning& word = told[id];
        of_stems.add(word.stem);
        for (const Id sense : word.senses) of_senses.add(sense);
        if (!word.few) continue;
        for (const Id sense : word.senses) of_few.add(sense);
        for (const Id sense : word.near) of_near.add(sense);
      }
    }
  };

  std::vector<Id> numbers(Memory& memory, const Texts& texts, std::size_t text) const {
    std::vector<Id> found;
    for (const Id id : texts[text]) found.push_back(number(memory, texts.vocabulary()->word(id)));
    return found;
  }

  Id number(Memory& memory, std::string_view word) const {
    if (const Id known = memory.words.find(word); known >= 0) return known;
    const py::tuple told = tell_(text_of(word));  // it may let another thread in here, which learns the same word
    if (const Id known = memory.words.find(word); known >= 0) return known;
    py::object keeper;
    const auto numbered = [&](const py::handle& senses) {
      std::vector<Id> ids;
      for (const py::handle sense : senses) ids.push_back(memory.senses.add(utf8(sense, keeper)));
      return ids;
    };
    Meaning meaning{memory.stems.add(utf8(told[0], keeper)), told[1].cast<bool>(), numbered(told[2]), numbered(told[3])};
    memory.bytes += word.size() + sizeof(Id) * (meaning.senses.size() + meaning.near.size());
    memory.told.push_back(std::move(meaning));
    return memory.words.add(word);
  }

  double score(Memory& memory, const std::vector<Id>& meaning, const std::vector<Id>& output) const {
    if (meaning.empty()) return std::numeric_limits<double>::quiet_NaN();
    if (output.empty()) return 0;
    const auto asked = parted(memory.words, meaning, output);
    return (mean_best(memory, asked, output) + mean_best(memory, output, asked)) / 2;
  }

  // The mean over the words of one text of how similar the nearest word of the other one is.
  double mean_best(Memory& memory, const std::vector<Id>& words, const std::vector<Id>& others) const {
    memory.mark(others);
    ExactSum sum;
    for (const Id id : words) sum.add(best(memory, memory.told[id]));
    return sum.rounded() / static_cast<double>(words.size());
  }

  double best(const Memory& marked, const Meaning& word) const {
    if (marked.of_stems.has(word.stem) || marked.of_senses.has_any(word.senses)) return 1;
    if (word.few && (marked.of_few.has_any(word.near) || marked.of_near.has_any(word.senses))) return near_;
    return 0;
  }

  // The words of a meaning representation, those that the output writes as two as these two.
  static std::vector<Id> parted(const Vocabulary& known, const std::vector<Id>& meaning,
                                const std::vector<Id>& output) {
    std::unordered_map<std::string, std::size_t> written;  // where the second of two words stands, by both together
    for (std::size_t second = 1; second < output.size(); ++second) {
      std::string both{known.word(output[second - 1])};
      written.insert_or_assign(both.append(known.word(output[second])), second);
    }
    std::vector<Id> words;
    for (const Id id : meaning) {
      const auto found = written.find(std::string{known.word(id)});
      if (found != written.end()) {
        words.insert(words.end(), {output[found->second - 1], output[found->second]});
      } else {
        words.push_back(id);
      }
    }
    return words;
  }

  py::function tell_;
  double near_;
  std::shared_ptr<Memory> memory_ = std::make_shared<Memory>();
};

}  // namespace

void bind_sim(py::module_& module) {
  py::class_<WordSimilarity>(module, "WordSimilarity", "How similar words are; asked once for each word.")
      .def(py::init<py::function, double>(), py::arg("tell"), py::arg("near"))
      .def("scores", &WordSimilarity::scores, py::arg("texts"), py::arg("meanings"),
           "How similar each text is to the meaning representation at its place, shape (texts, 1).");
}

}  // namespace rainbow
