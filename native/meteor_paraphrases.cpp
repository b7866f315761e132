// METEOR's paraphrases as a tree of phrases, built while the file is read: the twin of sources._tree in Python.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bind.hpp"
#include "hashing.hpp"

namespace rainbow {
namespace {

namespace py = pybind11;

using Place = std::uint32_t;
using PlaceArray = py::array_t<Place>;

PlaceArray places_of(std::size_t size) { return PlaceArray(static_cast<py::ssize_t>(size)); }

// Where each of `count` rows begins, the first at `begin`, and the last ends; `row_of` names the row of each entry.
template <class Starts, class RowOf>
void fill_starts(Starts& starts, std::size_t count, std::size_t entries, const RowOf& row_of, Place begin = 0) {
  std::fill_n(&starts[0], count + 1, 0);
  for (std::size_t entry = 0; entry < entries; ++entry) ++starts[row_of(entry) + 1];
  starts[0] = begin;
  for (std::size_t row = 0; row < count; ++row) starts[row + 1] += starts[row];
}

class MeteorParaphrases {
 public:
  // Reads on; a line may go on in the next part. Three lines are a probability and two phrases.
  void add(const std::string_view part) {
    std::size_t begin = 0;
    for (std::size_t end; (end = part.find('\n', begin)) != part.npos; begin = end + 1) {
      if (rest_.empty()) {
        line(part.substr(begin, end - begin));
        continue;
      }
      line(rest_.append(part.substr(begin, end - begin)));
      rest_.clear();
    }
    rest_.append(part.substr(begin));
  }

  py::list words() const {
    if (lines_ % 3 != 0 || !rest_.empty()) throw std::invalid_argument("three lines each, probability and two phrases");
    py::list found;
    for (std::size_t word = 0; word + 1 < word_starts_.size(); ++word) found.append(py::bytes(std::string(word_at(word))));
    return found;
  }

  // The tables of the tree; `numbers` says how each word is numbered there. Nothing can be added afterwards.
  py::dict tree(const py::array_t<Place, py::array::c_style | py::array::forcecast>& numbers) {
    if (static_cast<std::size_t>(numbers.size()) + 1 != word_starts_.size()) throw std::invalid_argument("not a number for each word");
    places_ = HashIndex();
    for (std::size_t node = 1; node < words_.size(); ++node) words_[node] = numbers.data()[words_[node]];
    const std::vector<Place> order = level_by_level();
    const std::size_t nodes = order.size(), count = left_.size();
    py::dict tables;
    PlaceArray own = places_of(nodes), children = places_of(nodes + 1), starts = places_of(nodes + 1), pairs = places_of(count);
    for (std::size_t place = 0; place < nodes; ++place) own.mutable_data()[place] = words_[order[place]];
    std::vector<Place>& rank = words_;  // no longer needed
    for (std::size_t place = 0; place < nodes; ++place) rank[order[place]] = static_cast<Place>(place);
    Place* begin = children.mutable_data();
    fill_starts(begin, nodes, nodes - 1, [&](std::size_t node) { return rank[parents_[node + 1]]; }, 1);
    begin = starts.mutable_data();
    fill_starts(begin, nodes, count, [&](std::size_t pair) { return rank[left_[pair]]; });
    std::vector<Place> next(begin, begin + nodes);
    for (std::size_t pair = 0; pair < count; ++pair) pairs.mutable_data()[next[rank[left_[pair]]]++] = rank[right_[pair]];
    tables["node_words"] = own;
    tables["node_children"] = children;
    tables["node_pairs"] = starts;
    tables["pairs"] = pairs;
    return tables;
  }

 private:
  void line(const std::string_view text) {
    const std::size_t kind = lines_++ % 3;
    if (kind == 1 && text != last_text_) {
      last_text_ = text;
      last_ = phrase(text);
    }
    if (kind == 1) left_.push_back(last_);
    if (kind == 2) right_.push_back(phrase(text));
  }

  Place phrase(const std::string_view text) {
    Place node = 0;
    for (std::size_t begin = 0;;) {
      const std::size_t end = text.find(' ', begin);
      node = child(node, word(text.substr(begin, end - begin)));
      if (end == text.npos) return node;
      begin = end + 1;
    }
  }

  Place word(const std::string_view text) {
    const std::uint64_t hash = hash_of(text);
    Place found = lexicon_.find(hash, [&](Place place) { return word_at(place) == text; });
    if (found == HashIndex::kNone) {
      found = static_cast<Place>(word_starts_.size() - 1);
      word_bytes_.append(text);
      word_starts_.push_back(word_bytes_.size());
      lexicon_.add(hash, found, [&](Place place) { return hash_of(word_at(place)); });
    }
    return found;
  }

  Place child(Place parent, Place word) {
    const std::uint64_t hash = hash_at(parent, word);
    Place found = places_.find(hash, [&](Place node) { return parents_[node] == parent && words_[node] == word; });
    if (found == HashIndex::kNone) {
      found = static_cast<Place>(words_.size());
      parents_.push_back(parent);
      words_.push_back(word);
      places_.add(hash, found, [&](Place node) { return hash_at(parents_[node], words_[node]); });
    }
    return found;
  }

  // The nodes, those of a level after one another: by the place of their parents, then by word.
  std::vector<Place> level_by_level() const {
    std::vector<Place> starts(words_.size() + 1), children(words_.size() - 1);
    fill_starts(starts, words_.size(), children.size(), [&](std::size_t node) { return parents_[node + 1]; });
    for (std::size_t node = children.size(); node > 0; --node) children[--starts[parents_[node] + 1]] = static_cast<Place>(node);
    std::vector<Place> order{0};
    order.reserve(words_.size());
    for (std::size_t place = 0; place < order.size(); ++place) {
      // Filled from behind: the row of a node now begins where that of the next one did.
      const std::size_t node = order[place], begin = starts[node + 1];
      const std::size_t end = node + 2 < starts.size() ? starts[node + 2] : children.size();
      std::sort(children.begin() + begin, children.begin() + end, [&](Place a, Place b) { return words_[a] < words_[b]; });
      order.insert(order.end(), children.begin() + begin, children.begin() + end);
    }
    return order;
  }

  std::string_view word_at(std::size_t word) const {
    return std::string_view(word_bytes_).substr(word_starts_[word], word_starts_[word + 1] - word_starts_[word]);
  }

  static std::uint64_t hash_at(Place parent, Place word) { return mixed((std::uint64_t{parent} << 32 | word) + 1); }

  std::size_t lines_ = 0;
  std::string rest_, last_text_ = "\n", word_bytes_;
  std::vector<std::size_t> word_starts_{0};
  HashIndex lexicon_, places_;
  std::vector<Place> parents_{0}, words_{0}, left_, right_;
  Place last_ = 0;
};

}  // namespace

void bind_meteor_paraphrases(py::module_& module) {
  py::class_<MeteorParaphrases>(module, "MeteorParaphrases", "METEOR's paraphrases, read part by part.")
      .def(py::init<>())
      .def("add", [](MeteorParaphrases& self, const py::bytes& part) { self.add(part); }, py::arg("part"),
           "Read the next bytes of the file.")
      .def("words", &MeteorParaphrases::words, "The words of the phrases, in the order they came in.")
      .def("tree", &MeteorParaphrases::tree, py::arg("numbers"),
           "The tables of the phrases, given a number for each word; done once.");
}

}  // namespace rainbow
