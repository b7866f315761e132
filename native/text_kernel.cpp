// Weighted sums over the n-grams of texts: what a kernel machine on tf-idf vectors predicts.
//
// The n-grams of a text are parts of it, so that none has to be copied: of words from the start of one to the end of
// another, of characters within a word and the blanks beside it.
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
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
    py::object keeper;
    for (const py::handle ngram : ngrams) add(utf8(ngram, keeper));
  }

  // For every text the sums of its weights, each times the n-gram's coefficients; shape (texts, ratings).
  Matrix sums(const py::list& texts, const Table& coefficients) const {
    if (coefficients.ndim() != 2 || coefficients.shape(0) != static_cast<py::ssize_t>(rarity_.size())) {
      throw std::invalid_argument("coefficients (n-grams, ratings)");
    }
    std::vector<std::string> padded;
    py::object keeper;
    for (const py::handle text : texts) padded.push_back(' ' + std::string(utf8(text, keeper)) + ' ');
    const std::size_t ratings = coefficients.shape(1);
    Matrix found({static_cast<py::ssize_t>(padded.size()), static_cast<py::ssize_t>(ratings)});
    double* const cells = found.mutable_data();
    const py::gil_scoped_release release;
    std::fill(cells, cells + found.size(), 0.0);
    Scratch scratch;
    for (std::size_t i = 0; i < padded.size(); ++i) {
      add_sums(padded[i], coefficients.data(), ratings, scratch, cells + i * ratings);
    }
    return found;
  }

 private:
  static constexpr std::size_t kLongest = 99;

  struct Weight {
    Place place;
    double value;
  };

  struct Scratch {
    std::vector<std::size_t> starts, ends;  // of words, or of the characters of one word
    std::vector<Place> places;
    std::vector<Weight> weights;
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

  void count(std::string_view bytes, Scratch& scratch) const {
    const Place place = find(bytes, hash_of(bytes));
    if (place != HashIndex::kNone) scratch.places.push_back(place);
  }

  void count_words(std::string_view text, Scratch& scratch) const {
    scratch.starts.clear();
    scratch.ends.clear();
    for (std::size_t start = 1; start < text.size();) {
      const std::size_t end = text.find(' ', start);
      scratch.starts.push_back(start);
      scratch.ends.push_back(end);
      start = end + 1;
    }
    for (std::size_t first = 0; first < scratch.starts.size(); ++first) {
      const std::size_t behind = std::min(first + longest_, scratch.starts.size());
      for (std::size_t last = first + shortest_ - 1; last < behind; ++last) {
        count(text.substr(scratch.starts[first], scratch.ends[last] - scratch.starts[first]), scratch);
      }
    }
  }

  void count_characters(std::string_view text, Scratch& scratch) const {
    for (std::size_t start = 1; start < text.size();) {
      const std::size_t end = text.find(' ', start);
      count_characters_of(text.substr(start - 1, end - start + 2), scratch);
      start = end + 1;
    }
  }

  void count_characters_of(std::string_view word, Scratch& scratch) const {
    std::vector<std::size_t>& starts = scratch.starts;
    starts.clear();
    for (std::size_t i = 0; i < word.size(); ++i) {
      if (begins_character(word[i])) starts.push_back(i);
    }
    const std::size_t characters = starts.size();
    starts.push_back(word.size());
    for (std::size_t length = shortest_; length <= longest_; ++length) {
      if (length >= characters) {  // a short word is counted once
        count(word, scratch);
        return;
      }
      for (std::size_t i = 0; i + length <= characters; ++i) {
        count(word.substr(starts[i], starts[i + length] - starts[i]), scratch);
      }
    }
  }

  void add_sums(std::string_view text, const double* coefficients, std::size_t ratings, Scratch& scratch,
                double* sums) const {
    scratch.places.clear();
    scratch.weights.clear();
    if (text.size() > 2) words_ ? count_words(text, scratch) : count_characters(text, scratch);
    std::vector<Place>& places = scratch.places;
    std::sort(places.begin(), places.end(), std::greater<>());
    double squares = 0;
    for (std::size_t i = 0, next = 0; i < places.size(); i = next) {
      while (next < places.size() && places[next] == places[i]) ++next;
      const double weight = (1 + std::log(static_cast<double>(next - i))) * rarity_[places[i]];
      scratch.weights.push_back({places[i], weight});
      squares += weight * weight;
    }
    const double length = std::sqrt(squares);
    for (const auto& [place, weight] : scratch.weights) {
      const double share = length > 0 ? weight / length : weight;
      for (std::size_t rating = 0; rating < ratings; ++rating) {
        sums[rating] += share * coefficients[place * ratings + rating];
      }
    }
  }

  bool words_;
  std::size_t shortest_, longest_;
  std::vector<double> rarity_;
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
           "For texts of words with one blank between the sums of coefficients (n-grams, ratings) times the weighted "
           "counts of n-grams, each text's of length 1; shape (texts, ratings).");
}

}  // namespace rainbow
