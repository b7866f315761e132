#include "meteor_tables.hpp"

#include <pybind11/numpy.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace rainbow {

namespace py = pybind11;

MeteorTables::MeteorTables(const py::list& arrays) : arrays_(arrays) {
  const std::array sections{&word_starts_, &word_bytes_,  &function_words_, &prefixes_,      &numeric_prefixes_,
                            &sense_starts_, &senses_,     &lemma_starts_,   &lemmas_,        &node_words_,
                            &node_children_, &node_pairs_, &pairs_};
  if (arrays.size() != sections.size()) throw std::invalid_argument("these are not METEOR's tables");
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const auto array = py::array_t<std::uint32_t, py::array::c_style>::ensure(arrays[i]);
    if (!array || array.ndim() != 1) throw std::invalid_argument("METEOR's tables are arrays of uint32");
    arrays_[i] = array;
    *sections[i] = {array.data(), static_cast<std::size_t>(array.size())};
  }
  check();
}

void MeteorTables::check() const {
  const std::size_t words = word_starts_.size() - 1, nodes = node_words_.size();
  if (word_starts_.empty() || nodes == 0) throw std::invalid_argument("METEOR's tables are empty");
  const auto ordered = [](Numbers starts, std::size_t rows, std::size_t last) {
    if (starts.size() != rows + 1 || starts.back() > last || !std::is_sorted(starts.begin(), starts.end())) {
      throw std::invalid_argument("METEOR's tables are not in order");
    }
  };
  const auto below = [](Numbers values, std::size_t limit) {
    if (!values.empty() && *std::max_element(values.begin(), values.end()) >= limit) {
      throw std::invalid_argument("METEOR's tables point outside themselves");
    }
  };
  ordered(word_starts_, words, 4 * word_bytes_.size());
  ordered(sense_starts_, words, senses_.size());
  ordered(lemma_starts_, words, lemmas_.size());
  ordered(node_children_, nodes, nodes);
  ordered(node_pairs_, nodes, pairs_.size());
  for (const Numbers& some : {function_words_, prefixes_, numeric_prefixes_, lemmas_}) below(some, words);
  below(pairs_, nodes);
}

std::int64_t MeteorTables::find(std::string_view wanted) const {
  std::size_t low = 0, high = word_starts_.size() - 1;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (word(middle) < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low + 1 < word_starts_.size() && word(low) == wanted ? static_cast<std::int64_t>(low) : kNone;
}

std::int64_t MeteorTables::child(std::uint32_t node, std::int64_t word) const {
  const auto begin = node_words_.begin() + node_children_[node], end = node_words_.begin() + node_children_[node + 1];
  const auto place = std::lower_bound(begin, end, word, [](std::uint32_t a, std::int64_t b) { return a < b; });
  return place != end && *place == word ? place - node_words_.begin() : kNone;
}

bool MeteorTables::has(Numbers sorted, std::int64_t word) {
  return word >= 0 && std::binary_search(sorted.begin(), sorted.end(), static_cast<std::uint32_t>(word));
}

}  // namespace rainbow
