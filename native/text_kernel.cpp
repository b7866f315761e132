// Weighted sums over the n-grams of texts: what a kernel machine on tf-idf vectors predicts.
//
// The n-grams of a text are parts of it, written with one blank between words: of words from the start of one to the end
// of another, of characters within a word and the blanks beside it.
#include <pybind11/pybind11.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "hashing.hpp"
#include "rows.hpp"
#include "strings.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

using Table = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Place = std::uint32_t;

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

// How often each of so many places was counted.
class PlaceCounts {
 public:
  explicit PlaceCounts(std::size_t places)
      : seen_((places + 63) / 64), counts_(std::make_unique_for_overwrite<std::uint32_t[]>(places)) {}

  void add(Place place) {
    const std::uint64_t bit = std::uint64_t{1} << place % 64;
    counts_[place] = (seen_[place / 64] & bit) ? counts_[place] + 1 : 1;
    seen_[place / 64] |= bit;
    ++added_;
  }

  std::uint32_t operator[](Place place) const { return counts_[place]; }

  // Gives the places that were counted, the last one first, and forgets that they were.
  void take(std::vector<Place>& places) {
    places.resize(added_);
    Place* next = places.data();
    for (std::size_t i = seen_.size(); i-- > 0;) {
      for (std::uint64_t bits = std::exchange(seen_[i], 0); bits != 0; bits ^= std::bit_floor(bits)) {
        *next++ = static_cast<Place>(64 * i + std::bit_width(bits) - 1);
      }
    }
    places.resize(next - places.data());
    added_ = 0;
  }

 private:
  std::vector<std::uint64_t> seen_;          // a bit for each place
  std::unique_ptr<std::uint32_t[]> counts_;  // of those that were seen
  std::size_t added_ = 0;
};

class TextKernel {
 public:
  TextKernel(const py::list& ngrams, const Table& rarity, bool words, std::size_t shortest, std::size_t longest)
      : words_(words), shortest_(shortest), longest_(longest), rarity_(rarity.data(), rarity.data() + rarity.size()) {
    if (rarity.ndim() != 1 || rarity_.size() != ngrams.size() || ngrams.size() >= HashIndex::kNone) {
      throw std::invalid_argument("there must be one weight for each n-gram");
    }
    if (shortest < 1 || longest < shortest || longest > kLongest) {
      throw std::invalid_argument("n-grams have from 1 to 99 units");
    }
    for (std::size_t count = 1; count < damped_.size(); ++count) damped_[count] = 1 + std::log(static_cast<double>(count));
    py::object keeper;
    for (const py::handle ngram : ngrams) add(utf8(ngram, keeper));
  }

  // For every text the sums of its weights, each times the n-gram's coefficients; shape (texts, ratings).
  Matrix sums(const Texts& texts, const Table& coefficients) const {
    if (coefficients.ndim() != 2 || coefficients.shape(0) != static_cast<py::ssize_t>(rarity_.size())) {
      throw std::invalid_argument("coefficients (n-grams, ratings)");
    }
    const std::size_t ratings = coefficients.shape(1);
    Matrix found({static_cast<py::ssize_t>(texts.size()), static_cast<py::ssize_t>(ratings)});
    double* const cells = found.mutable_data();
    const py::gil_scoped_release release;
    std::fill(cells, cells + found.size(), 0.0);
    Scratch scratch(rarity_.size(), *texts.vocabulary());
    for (std::size_t text = 0; text < texts.size(); ++text) {
      add_sums(texts[text], coefficients.data(), ratings, scratch, cells + text * ratings);
    }
    return found;
  }

  // For every text the share of its words that are n-grams, 0 without a word; shape (texts, 1).
  Matrix known(const Texts& texts) const {
    Matrix shares({static_cast<py::ssize_t>(texts.size()), py::ssize_t{1}});
    double* share = shares.mutable_data();
    const py::gil_scoped_release release;
    for (std::size_t text = 0; text < texts.size(); ++text) {
      const auto words = texts[text];
      const auto known = std::ranges::count_if(words, [&](Id word) {
        const std::string_view bytes = texts.vocabulary()->word(word);
        return find(bytes, hash_of(bytes)) != HashIndex::kNone;
      });
      *share++ = static_cast<double>(known) / static_cast<double>(std::max<std::size_t>(words.size(), 1));
    }
    return shares;
  }

 private:
  static constexpr std::size_t kLongest = 99;

  // Where the places of a word's n-grams begin and end.
  struct Run {
    std::size_t first = 0, last = 0;
    bool known = false;
  };

  struct Scratch {
    Scratch(std::size_t ngrams, const Vocabulary& words) : vocabulary(words), counts(ngrams), runs(words.size()) {}

    const Vocabulary& vocabulary;
    std::string text;                       // as it is written, or one word with its blanks
    std::vector<std::size_t> starts, ends;  // of words, or of the characters of one word
    PlaceCounts counts;
    std::vector<Place> counted;
    std::vector<double> weights;
    std::vector<Run> runs;  // by word: what its characters count for
    std::vector<Place> places;
  };

  std::string_view ngram(Place place) const {
    return std::string_view(bytes_).substr(ends_[place], ends_[place + 1] - ends_[place]);
  }

  void add(std::string_view bytes) {
    const std::uint64_t hash = hash_of(bytes);
    if (find(bytes, hash) != HashIndex::kNone) throw std::invalid_argument("an n-gram is there twice");
    bytes_.append(bytes);
    ends_.push_back(bytes_.size());
    index_.add(hash, static_cast<Place>(ends_.size() - 2), [this](Place place) { return hash_of(ngram(place)); });
  }

  Place find(std::string_view bytes, std::uint64_t hash) const {
    return index_.find(hash, [&](Place place) { return ngram(place) == bytes; });
  }

  // Calls add(place) if a part of a text is an n-gram.
  template <class Add>
  void look_up(std::string_view part, const Add& add) const {
    const Place place = find(part, hash_of(part));
    if (place != HashIndex::kNone) add(place);
  }

  void count_words(std::span<const Id> words, Scratch& scratch) const {
    std::string& text = scratch.text;
    text.clear();
    scratch.starts.clear();
    scratch.ends.clear();
    for (const Id word : words) {
      scratch.starts.push_back(text.size());
      text += scratch.vocabulary.word(word);
      scratch.ends.push_back(text.size());
      text += ' ';
    }
    for (std::size_t first = 0; first < words.size(); ++first) {
      const std::size_t start = scratch.starts[first], behind = std::min(first + longest_, words.size());
      for (std::size_t last = first + shortest_ - 1; last < behind; ++last) {
        look_up(std::string_view(text).substr(start, scratch.ends[last] - start),
                [&](Place place) { scratch.counts.add(place); });
      }
    }
  }

  void count_characters(std::span<const Id> words, Scratch& scratch) const {
    for (const Id word : words) {
      Run& run = scratch.runs[word];
      if (!run.known) run = run_of(word, scratch);
      for (std::size_t i = run.first; i < run.last; ++i) scratch.counts.add(scratch.places[i]);
    }
  }

  // Looks up the n-grams of a word that is met for the first time.
  Run run_of(Id word, Scratch& scratch) const {
    scratch.text = ' ';
    scratch.text += scratch.vocabulary.word(word);
    scratch.text += ' ';
    const std::size_t first = scratch.places.size();
    look_up_characters(scratch.text, scratch);
    return {first, scratch.places.size(), true};
  }

  void look_up_characters(std::string_view word, Scratch& scratch) const {
    std::vector<std::size_t>& starts = scratch.starts;
    const auto add = [&](Place place) { scratch.places.push_back(place); };
    starts.clear();
    for (std::size_t i = 0; i < word.size(); ++i) {
      if (begins_character(word[i])) starts.push_back(i);
    }
    const std::size_t characters = starts.size();
    starts.push_back(word.size());
    for (std::size_t length = shortest_; length <= longest_; ++length) {
      if (length >= characters) return look_up(word, add);  // a short word is counted once
      for (std::size_t i = 0; i + length <= characters; ++i) {
        look_up(word.substr(starts[i], starts[i + length] - starts[i]), add);
      }
    }
  }

  void add_sums(std::span<const Id> words, const double* coefficients, std::size_t ratings, Scratch& scratch,
                double* sums) const {
    words_ ? count_words(words, scratch) : count_characters(words, scratch);
    scratch.counts.take(scratch.counted);
    scratch.weights.resize(scratch.counted.size());
    double squares = 0;
    for (std::size_t i = 0; i < scratch.counted.size(); ++i) {
      const Place place = scratch.counted[i];
      const double weight = damped(scratch.counts[place]) * rarity_[place];
      scratch.weights[i] = weight;
      squares += weight * weight;
    }
    const double length = std::sqrt(squares);
    for (std::size_t i = 0; i < scratch.counted.size(); ++i) {
      const double weight = scratch.weights[i], share = length > 0 ? weight / length : weight;
      const double* const own = coefficients + scratch.counted[i] * ratings;
      for (std::size_t rating = 0; rating < ratings; ++rating) sums[rating] += share * own[rating];
    }
  }

  double damped(std::uint32_t count) const {
    return count < damped_.size() ? damped_[count] : 1 + std::log(static_cast<double>(count));
  }

  bool words_;
  std::size_t shortest_, longest_;
  std::vector<double> rarity_;
  std::array<double, 32> damped_{};  // the commonest counts
  std::string bytes_;                 // the n-grams one after another
  std::vector<std::size_t> ends_{0};  // where each begins and the one before it ends
  HashIndex index_;
};

}  // namespace

void bind_text_kernel(py::module_& module) {
  py::class_<TextKernel>(module, "TextKernel", "N-grams and their weights.")
      .def(py::init<py::list, Table, bool, std::size_t, std::size_t>(), py::arg("ngrams"), py::arg("rarity"),
           py::arg("words"), py::arg("shortest"), py::arg("longest"))
      .def("sums", &TextKernel::sums, py::arg("texts"), py::arg("coefficients"),
           "For each text the sums of coefficients (n-grams, ratings) times the weighted "
           "counts of n-grams, each text's of length 1; shape (texts, ratings).")
      .def("known", &TextKernel::known, py::arg("texts"),
           "The share of each text's words that are n-grams, shape (texts, 1); 0 without a word.");
}

}  // namespace rainbow
