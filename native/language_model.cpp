// What interpolated Kneser-Ney models of a text's words, read forwards, backwards and each word alone, say of it.
//
// Chen, S. F. and Goodman, J. (1999). An empirical study of smoothing techniques for language modeling. Computer Speech
// & Language 13(4).
//
// Both directions share one tree of n-grams: what stands behind an n-gram in one is what stands before it in the other.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "bind.hpp"
#include "rows.hpp"
#include "strings.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

using Node = std::uint32_t;
constexpr Node kRoot = 0, kNoNode = ~Node{0};
constexpr double kFallbackDiscount = 0.5;

// The Kneser-Ney counts of a model: of an n-gram itself, and of the words that follow it their sum and their kinds.
struct ReadCounts {
  std::int64_t count = 0, total = 0;
  std::int32_t kinds = 0;

  ReadCounts& operator-=(const ReadCounts& other) {
    count -= other.count, total -= other.total, kinds -= other.kinds;
    return *this;
  }
};

// Of an n-gram: how often it occurs, and its counts read forwards, backwards, and in the model of single words.
struct GramCounts {
  std::int64_t occurrences = 0;
  ReadCounts forwards, backwards, alone;
};

struct Gram {
  Node before = kRoot, without_first = kRoot;
  Id word = -1;
  std::uint32_t length = 0;
  bool starts = false, ends = false;  // a sentence
  std::int64_t occurrences = 0;
};

// In which direction a model reads: its counts in those of an n-gram.
using Direction = ReadCounts GramCounts::*;

class LanguageModel {
 public:
  // A model of documents, each a sequence of sentences, and of what else was counted: n-grams of that order, and
  // sentences that are shorter, with their marks.
  LanguageModel(std::size_t order, const py::handle& documents, const py::dict& further, const std::string& start,
                const std::string& end)
      : order_(order), grams_(1), start_(vocabulary_.add(start)), end_(vocabulary_.add(end)) {
    for (const py::handle document : documents) {
      documents_.emplace_back();
      for (const py::handle sentence : document) {
        documents_.back().push_back(between_marks(numbers_of(sentence)));
        add(documents_.back().back(), 1);
      }
    }
    for (const auto& [gram, count] : further) add(numbers_of(gram), count.cast<std::int64_t>());
    finish();
  }

  // How often n-grams of that order occur, and sentences that are shorter.
  py::dict counts() const {
    py::dict found;
    for (Node node = 1; node < grams_.size(); ++node) {
      const Gram& gram = grams_[node];
      if (gram.length != order_ && !(gram.starts && gram.ends)) continue;
      if (order_ == 1 && gram.word == start_) continue;
      py::tuple words(gram.length);
      Node rest = node;
      for (std::size_t place = gram.length; place-- > 0; rest = grams_[rest].before) {
        words[place] = text_of(vocabulary_.word(grams_[rest].word));
      }
      found[words] = counts_[node].occurrences;
    }
    return found;
  }

  // Whether nothing but this document (-1: nothing at all) has a sentence.
  bool is_all(std::int32_t document) const;

  // Of the words and the end of these texts, one text after another, the logarithms of their probabilities after what
  // is before, before what follows (the last is that of the beginning) and alone, and how many words the longest known
  // n-grams have that end there; each text without the document of the model at its place (-1: with all).
  py::tuple logs(const Texts& texts, const Indices& rows, const Indices& without, int threads) const;

 private:
  class Taken;
  class Reader;

  std::vector<Id> numbers_of(const py::handle& words) {
    std::vector<Id> numbers;
    py::object keeper;
    for (const py::handle word : words) numbers.push_back(vocabulary_.add(utf8(word, keeper)));
    return numbers;
  }

  std::vector<Id> between_marks(std::vector<Id> words) const {
    words.insert(words.begin(), start_);
    words.push_back(end_);
    return words;
  }

  static std::uint64_t hash_of_step(Node before, Id word) {
    return mixed(static_cast<std::uint64_t>(before) << 32 | static_cast<std::uint32_t>(word));
  }

  // The n-gram with one word more; kNoNode if there is none.
  Node after(Node before, Id word) const {
    if (before == kNoNode || word < 0) return kNoNode;
    return steps_.find(hash_of_step(before, word),
                       [&](Node node) { return grams_[node].before == before && grams_[node].word == word; });
  }

  Node grown(Node before, Id word) {
    if (const Node known = after(before, word); known != kNoNode) return known;
    const auto node = static_cast<Node>(grams_.size());
    if (node == kNoNode) throw std::length_error("too many different n-grams");
    const bool starts = before == kRoot ? word == start_ : grams_[before].starts;
    grams_.push_back({before, kRoot, word, grams_[before].length + 1, starts, word == end_});
    steps_.add(hash_of_step(before, word), node,
               [&](Node other) { return hash_of_step(grams_[other].before, grams_[other].word); });
    return node;
  }

  // Count the n-grams that begin with the first word and, where a sentence ends, those that begin with a later one:
  // else these are counted where they begin another run.
  void add(const std::vector<Id>& words, std::int64_t count) {
    const bool whole = words.size() > order_ || (!words.empty() && words.back() == end_);
    for (std::size_t first = 0; first < (whole ? words.size() : 1); ++first) {
      Node node = kRoot;
      for (std::size_t last = first; last < std::min(first + order_, words.size()); ++last) {
        node = grown(node, words[last]);
        grams_[node].occurrences += count;
      }
    }
  }

  // An n-gram before which, or behind which, nothing can stand, or none is counted, counts as often as it occurs.
  bool counts_whole(const Gram& gram, bool at_edge) const { return gram.length == order_ || at_edge; }

  // The start is only the context of what follows, read forwards; so is the end, read backwards.
  bool is_mark_alone(const Gram& gram, Id mark) const { return gram.length == 1 && gram.word == mark; }

  // From the occurrences of n-grams, given in an order in which their parts come first, all other counts; `gone` tells
  // whether all occurrences of an n-gram are among those given.
  template <class Nodes, class CountsOf, class Gone>
  void count(const Nodes& nodes, const CountsOf& of, const Gone& gone) const {
    for (const Node node : nodes) {
      const Gram& gram = grams_[node];
      if (gram.length < 2 || !gone(node)) continue;
      if (const Gram& shorter = grams_[gram.without_first]; !counts_whole(shorter, shorter.starts)) {
        ++of(gram.without_first).forwards.count;
      }
      if (const Gram& shorter = grams_[gram.before]; !counts_whole(shorter, shorter.ends)) {
        ++of(gram.before).backwards.count;
      }
    }
    for (const Node node : nodes) {
      const Gram& gram = grams_[node];
      GramCounts& counts = of(node);
      if (counts_whole(gram, gram.starts)) counts.forwards.count = counts.occurrences;
      if (counts_whole(gram, gram.ends)) counts.backwards.count = counts.occurrences;
      if (is_mark_alone(gram, start_)) counts.forwards.count = 0;
      if (is_mark_alone(gram, end_)) counts.backwards.count = 0;
      if (gram.length == 1 && gram.word != start_) counts.alone.count = counts.occurrences;
    }
  }

  // What n-grams with these counts add to those of their contexts; a kind counts where it has all of its count.
  template <class Nodes, class CountsOf>
  void sum(const Nodes& nodes, const CountsOf& of, const std::vector<GramCounts>& whole) const {
    for (const Node node : nodes) {
      const auto add = [&](Node context, Direction direction) {
        const std::int64_t count = (of(node).*direction).count;
        if (count == 0) return;
        ReadCounts& sums = of(context).*direction;
        sums.total += count;
        sums.kinds += count == (whole[node].*direction).count;
      };
      add(grams_[node].before, &GramCounts::forwards);
      add(grams_[node].without_first, &GramCounts::backwards);
      if (grams_[node].length == 1) add(kRoot, &GramCounts::alone);
    }
  }

  void finish() {
    for (Node node = 1; node < grams_.size(); ++node) {  // it may grow meanwhile, where counts are not those of texts
      const Gram gram = grams_[node];
      if (gram.length > 1) grams_[node].without_first = grown(grams_[gram.before].without_first, gram.word);
    }
    std::vector<Node> nodes(grams_.size() - 1);
    std::iota(nodes.begin(), nodes.end(), Node{1});
    counts_.resize(grams_.size());
    for (const Node node : nodes) counts_[node].occurrences = grams_[node].occurrences;
    const auto of = [&](Node node) -> GramCounts& { return counts_[node]; };
    count(nodes, of, [&](Node node) { return grams_[node].occurrences > 0; });
    sum(nodes, of, counts_);
    for (std::size_t length = 1; length <= order_; ++length) {
      forward_discounts_.push_back(discount(length, &GramCounts::forwards));
      backward_discounts_.push_back(discount(length, &GramCounts::backwards));
    }
    discounts_alone_ = {discount(1, &GramCounts::alone)};
  }

  double discount(std::size_t length, Direction direction) const {
    std::int64_t once = 0, twice = 0;
    for (Node node = 1; node < grams_.size(); ++node) {
      if (grams_[node].length != length) continue;
      once += (counts_[node].*direction).count == 1;
      twice += (counts_[node].*direction).count == 2;
    }
    return once && twice ? static_cast<double>(once) / static_cast<double>(once + 2 * twice) : kFallbackDiscount;
  }

  std::size_t order_;
  Vocabulary vocabulary_;
  std::vector<Gram> grams_;
  std::vector<GramCounts> counts_;
  HashIndex steps_;
  Id start_, end_;
  std::vector<std::vector<std::vector<Id>>> documents_;
  std::vector<double> forward_discounts_, backward_discounts_, discounts_alone_;
};

// What one document has given to the counts.
class LanguageModel::Taken {
 public:
  explicit Taken(const LanguageModel& model) : model_(model) {}

  void take(std::int32_t document) {
    for (const Node node : nodes_) places_[node] = kNoNode;
    nodes_.clear();
    counts_.clear();
    if (document < 0) return;
    places_.resize(model_.grams_.size(), kNoNode);
    const auto of = [&](Node node) -> GramCounts& { return this->of(node); };
    of(kRoot);
    for (const std::vector<Id>& sentence : model_.documents_[document]) {
      for (std::size_t first = 0; first < sentence.size(); ++first) {
        Node node = kRoot;
        for (std::size_t last = first; last < std::min(first + model_.order_, sentence.size()); ++last) {
          node = model_.after(node, sentence[last]);
          ++of(node).occurrences;
        }
      }
    }
    const std::span<const Node> nodes = std::span<const Node>(nodes_).subspan(1);
    model_.count(nodes, of, [&](Node node) { return of(node).occurrences == model_.counts_[node].occurrences; });
    model_.sum(nodes, of, model_.counts_);
  }

  // What is left of the counts of an n-gram.
  ReadCounts left(Node node, Direction direction) const {
    if (node == kNoNode) return {};
    ReadCounts counts = model_.counts_[node].*direction;
    if (nodes_.empty()) return counts;
    if (const Node place = places_[node]; place != kNoNode) counts -= counts_[place].*direction;
    return counts;
  }

 private:
  GramCounts& of(Node node) {
    Node& place = places_[node];
    if (place == kNoNode) {
      place = static_cast<Node>(nodes_.size());
      nodes_.push_back(node);
      counts_.emplace_back();
    }
    return counts_[place];
  }

  const LanguageModel& model_;
  std::vector<Node> places_, nodes_;  // of each n-gram its place among those that the document has, and these
  std::vector<GramCounts> counts_;
};

// Where what is known of a text goes.
struct TextLogs {
  double *after, *before, *alone;
  std::int32_t* known;
};

// Reads one text after another.
class LanguageModel::Reader {
 public:
  explicit Reader(const LanguageModel& model) : model_(model) {}

  void read(const Texts& texts, std::size_t row, const Taken& taken, const TextLogs& logs) {
    words_.assign(1, model_.start_);
    for (const Id id : texts[row]) words_.push_back(model_.vocabulary_.find(texts.vocabulary()->word(id)));
    words_.push_back(model_.end_);
    find_nodes();
    for (std::size_t place = 1; place < words_.size(); ++place) {
      logs.after[place - 1] = forwards(place, taken);
      logs.alone[place - 1] = alone(place, taken);
      logs.known[place - 1] = known(place, taken);
    }
    const std::size_t last = words_.size() - 1;
    for (std::size_t place = 1; place <= last; ++place) {
      logs.before[place - 1] = model_.order_ == 1 ? logs.after[place - 1] : backwards(place % last, taken);
    }
  }

 private:
  // The n-grams of the text by where they begin and their length; of length 0 the root.
  void find_nodes() {
    const std::size_t width = model_.order_ + 1;
    nodes_.assign(words_.size() * width, kNoNode);
    for (std::size_t place = 0; place < words_.size(); ++place) {
      nodes_[place * width] = kRoot;
      for (std::size_t length = 1; length < width && place + length <= words_.size(); ++length) {
        nodes_[place * width + length] = model_.after(nodes_[place * width + length - 1], words_[place + length - 1]);
      }
    }
  }

  Node node(std::size_t place, std::size_t length) const {
    return length == 0 ? kRoot : nodes_[place * (model_.order_ + 1) + length];
  }

  double forwards(std::size_t place, const Taken& taken) const {
    return log_of(taken, &GramCounts::forwards, model_.forward_discounts_, place + 1,
                  [&](std::size_t length) { return node(place - length, length); },
                  [&](std::size_t length) { return node(place - length, length + 1); });
  }

  double alone(std::size_t place, const Taken& taken) const {
    return log_of(taken, &GramCounts::alone, model_.discounts_alone_, 1, [](std::size_t) { return kRoot; },
                  [&](std::size_t) { return node(place, 1); });
  }

  double backwards(std::size_t place, const Taken& taken) const {
    return log_of(taken, &GramCounts::backwards, model_.backward_discounts_, words_.size() - place,
                  [&](std::size_t length) { return node(place + 1, length); },
                  [&](std::size_t length) { return node(place, length + 1); });
  }

  // The logarithm of the probability of a word after contexts of 0 words and more, fewer than `contexts`.
  template <class Context, class Whole>
  static double log_of(const Taken& taken, Direction direction, const std::vector<double>& discounts,
                       std::size_t contexts, const Context& context_of, const Whole& whole_of) {
    double probability = 1 / (static_cast<double>(taken.left(kRoot, direction).kinds) + 1);
    for (std::size_t length = 0; length < std::min(contexts, discounts.size()); ++length) {
      const ReadCounts context = taken.left(context_of(length), direction);
      if (context.total == 0) break;
      const std::int64_t count = taken.left(whole_of(length), direction).count;
      const double discount = discounts[length], kept = count ? static_cast<double>(count) - discount : 0;
      const double passed_on = discount * static_cast<double>(context.kinds) * probability;
      probability = (kept + passed_on) / static_cast<double>(context.total);
    }
    return std::log(probability);
  }

  // How many words the longest known n-gram has that ends here.
  std::int32_t known(std::size_t place, const Taken& taken) const {
    std::size_t length = 0;
    const std::size_t longest = std::min(place + 1, model_.order_);
    while (length < longest && taken.left(node(place - length, length + 1), &GramCounts::forwards).count != 0) ++length;
    return static_cast<std::int32_t>(length);
  }

  const LanguageModel& model_;
  std::vector<Id> words_;
  std::vector<Node> nodes_;
};

bool LanguageModel::is_all(std::int32_t document) const {
  const Node end = after(kRoot, end_);
  const std::size_t own = document < 0 ? 0 : documents_.at(document).size();
  return end == kNoNode || counts_[end].occurrences == static_cast<std::int64_t>(own);
}

py::tuple LanguageModel::logs(const Texts& texts, const Indices& rows, const Indices& without, int threads) const {
  if (rows.ndim() != 1 || without.ndim() != 1 || rows.size() != without.size()) {
    throw std::invalid_argument("every row needs the document that is left out, or -1");
  }
  std::vector<std::size_t> order(rows.size()), starts{0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::int64_t row = rows.data()[i], document = without.data()[i];
    if (row < 0 || row >= static_cast<std::int64_t>(texts.size()) || document < -1 ||
        document >= static_cast<std::int64_t>(documents_.size())) {
      throw std::out_of_range("there is no such row or document");
    }
    order[i] = i;
    starts.push_back(starts.back() + texts[row].size() + 1);
  }
  const auto size = static_cast<py::ssize_t>(starts.back());
  py::array_t<double> after(size), before(size), alone(size);
  py::array_t<std::int32_t> known(size);
  const TextLogs all{after.mutable_data(), before.mutable_data(), alone.mutable_data(), known.mutable_data()};
  const std::int32_t *const chosen = rows.data(), *const left_out = without.data();
  {
    const py::gil_scoped_release release;
    // What a document has given is found once for all its rows.
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return left_out[a] < left_out[b]; });
    std::vector<std::size_t> groups;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i == 0 || left_out[order[i]] != left_out[order[i - 1]]) groups.push_back(i);
    }
    groups.push_back(order.size());
    for_each(groups.size() - 1, threads, [&, taken = Taken(*this), reader = Reader(*this)](std::size_t group) mutable {
      taken.take(left_out[order[groups[group]]]);
      for (std::size_t i = groups[group]; i < groups[group + 1]; ++i) {
        const std::size_t start = starts[order[i]];
        reader.read(texts, chosen[order[i]], taken,
                    {all.after + start, all.before + start, all.alone + start, all.known + start});
      }
    });
  }
  return py::make_tuple(after, before, alone, known);
}

}  // namespace

void bind_language_model(py::module_& module) {
  py::class_<LanguageModel>(module, "LanguageModel", "Counts of a Kneser-Ney model.")
      .def(py::init<std::size_t, py::object, py::dict, std::string, std::string>(), py::arg("order"),
           py::arg("documents"), py::arg("further"), py::arg("start"), py::arg("end"))
      .def("counts", &LanguageModel::counts, "How often the longest n-grams occur, and sentences that are shorter.")
      .def("is_all", &LanguageModel::is_all, py::arg("document"), "Whether nothing but this document has a sentence.")
      .def("logs", &LanguageModel::logs, py::arg("texts"), py::arg("rows"), py::arg("without"), py::arg("threads"),
           "Of the words and the end of these texts, one text after another, the logarithms of their probabilities "
           "after what is before, before what follows and alone, and the lengths of the longest known n-grams.");
}

}  // namespace rainbow
