// LEPOR and hLEPOR; rainbow/metrics/word/lepor.py has the formulas and what they come from.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "rows.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

constexpr int kContext = 2;    // neighbours on each side that help to align a repeated word
constexpr int kFrequent = 64;  // places of a word from which looking at each of them takes too long

using Words = std::span<const Id>;

int length(Words words) { return static_cast<int>(words.size()); }

Words left_of(Words words, int i) { return words.subspan(std::max(0, i - kContext), std::min(i, kContext)); }

Words right_of(Words words, int i) {
  return words.subspan(i + 1, std::min(kContext, length(words) - i - 1));
}

bool share(Words some, Words others) { return std::ranges::find_first_of(some, others) != some.end(); }

// Whether one of two places is nearer to `wanted`, or as near and farther left.
bool is_nearer(int place, int other, int wanted) {
  return std::pair(std::abs(place - wanted), place) < std::pair(std::abs(other - wanted), other);
}

// The free places of one frequent word, by the neighbours that they stand beside.
class FrequentWord {
 public:
  FrequentWord(Words reference, const std::vector<int>& falling) : reference_(reference) {
    for (const int place : falling) {
      for_each_key(reference, place, [&](const Key& key) { free_[key].push_back(place); });
    }
  }

  // Takes the nearest place beside a shared neighbour, or else the nearest; -1 if none is free.
  int take(Words hypothesis, int i) {
    int best = -1;
    for_each_key(hypothesis, i, [&](const Key& key) {
      if (key.first != kAnywhere) best = nearest(key, i, best);
    });
    if (best < 0) best = nearest({kAnywhere, 0}, i, best);
    if (best >= 0) {
      for_each_key(reference_, best, [&](const Key& key) {
        auto& places = free_[key];
        places.erase(std::ranges::lower_bound(places, best, std::greater()));
      });
    }
    return best;
  }

 private:
  enum Side { kAnywhere, kLeft, kRight };
  using Key = std::pair<Side, Id>;

  template <class Visit>
  static void for_each_key(Words words, int i, const Visit& visit) {
    visit(Key{kAnywhere, 0});
    for (const auto& [side, beside] : {std::pair(kLeft, left_of(words, i)), std::pair(kRight, right_of(words, i))}) {
      for (std::size_t k = 0; k < beside.size(); ++k) {
        if (std::ranges::find(beside.first(k), beside[k]) == beside.begin() + k) visit(Key{side, beside[k]});
      }
    }
  }

  int nearest(const Key& key, int i, int best) const {
    const auto found = free_.find(key);
    if (found == free_.end()) return best;
    const auto& places = found->second;
    const auto behind = std::ranges::lower_bound(places, i, std::greater());  // the first place not right of i
    if (behind != places.end() && (best < 0 || is_nearer(*behind, best, i))) best = *behind;
    if (behind != places.begin() && (best < 0 || is_nearer(*(behind - 1), best, i))) best = *(behind - 1);
    return best;
  }

  Words reference_;
  // Falling: what is left of a list is mostly taken from its end, where deleting is cheap.
  std::map<Key, std::vector<int>> free_;
};

// Aligns from left to right: each word takes a free equal word of the reference, which no other gets then.
class LeporAlignment {
 public:
  struct Counts {
    int aligned;
    double shift;  // the sum of the differences in relative position
  };

  Counts align(Words hypothesis, Words reference) {
    prepare(reference);
    Counts counts{0, 0};
    for (int i = 0; i < length(hypothesis); ++i) {
      const int place = take(hypothesis, reference, i);
      if (place < 0) continue;
      ++counts.aligned;
      counts.shift += std::abs((i + 1) / double(length(hypothesis)) - (place + 1) / double(length(reference)));
    }
    for (const Id id : reference) words_[id] = {};
    return counts;
  }

 private:
  struct Word {
    int places = 0;
    int first = -1;
  };

  void prepare(Words reference) {
    frequent_.clear();
    next_.resize(reference.size());
    taken_.assign(reference.size(), false);
    if (const auto size = std::ranges::max(reference) + std::size_t{1}; words_.size() < size) words_.resize(size);
    for (int j = length(reference) - 1; j >= 0; --j) {
      auto& [places, first] = words_[reference[j]];
      next_[j] = first;
      first = j;
      ++places;
    }
  }

  int take(Words hypothesis, Words reference, int i) {
    const Id id = hypothesis[i];
    if (static_cast<std::size_t>(id) >= words_.size() || words_[id].places == 0) return -1;
    if (words_[id].places > kFrequent) return frequent(reference, id).take(hypothesis, i);
    const int place = nearest(hypothesis, reference, i, words_[id]);
    if (place >= 0) taken_[place] = true;
    return place;
  }

  int nearest(Words hypothesis, Words reference, int i, const Word& word) const {
    int best = -1;
    bool best_shares = false;
    for (int j = word.first; j >= 0; j = next_[j]) {
      if (taken_[j]) continue;
      const bool shares = word.places > 1 && (share(left_of(hypothesis, i), left_of(reference, j)) ||
                                              share(right_of(hypothesis, i), right_of(reference, j)));
      if (best < 0 || shares > best_shares || (shares == best_shares && is_nearer(j, best, i))) {
        best = j;
        best_shares = shares;
      }
    }
    return best;
  }

  FrequentWord& frequent(Words reference, Id id) {
    const auto found = frequent_.find(id);
    if (found != frequent_.end()) return found->second;
    std::vector<int> falling;
    for (int j = words_[id].first; j >= 0; j = next_[j]) falling.push_back(j);
    std::ranges::reverse(falling);
    return frequent_.emplace(id, FrequentWord(reference, falling)).first->second;
  }

  std::vector<Word> words_;  // of the reference at hand
  std::vector<int> next_;    // place of the same word
  std::vector<bool> taken_;
  std::map<Id, FrequentWord> frequent_;
};

struct Weights {
  double recall, precision, length, order, harmonic;
};

template <std::size_t kTerms>
double harmonic_mean(const std::array<std::pair<double, double>, kTerms>& weighted) {
  double weights = 0, sum = 0;
  for (const auto& [weight, value] : weighted) {
    if (value == 0) return 0;
    weights += weight;
    sum += weight / value;
  }
  return weights / sum;
}

// LEPOR and hLEPOR, each the best over the references.
void score(LeporAlignment& alignment, Words output, const Sets& references, std::size_t set, const Weights& weights,
           double* scores) {
  const bool none = references.first(set) == references.last(set);
  std::fill_n(scores, 2, none ? std::numeric_limits<double>::quiet_NaN() : 0);
  for (std::size_t text = references.first(set); text < references.last(set); ++text) {
    const auto reference = references.texts()[text];
    if (output.empty() || reference.empty()) continue;
    const auto [aligned, shift] = alignment.align(output, reference);
    const double ours = length(output), theirs = length(reference);
    const double length_penalty = std::exp(1 - std::max(ours, theirs) / std::min(ours, theirs));
    const double order_penalty = std::exp(-shift / ours);
    const double harmonic = harmonic_mean<2>({{{weights.recall, aligned / theirs}, {weights.precision, aligned / ours}}});
    scores[0] = std::max(scores[0], length_penalty * order_penalty * harmonic);
    scores[1] = std::max(scores[1], harmonic_mean<3>({{{weights.length, length_penalty},
                                                       {weights.order, order_penalty},
                                                       {weights.harmonic, harmonic}}}));
  }
}

Matrix lepor_scores(const Texts& outputs, const Sets& references, const Indices& rows, const Indices& sets,
                    double alpha, double beta, const std::array<double, 3>& weights, int threads) {
  if (std::min({alpha, beta, weights[0], weights[1], weights[2]}) <= 0) {
    throw std::invalid_argument("weights must be positive");
  }
  const auto chosen = checked_rows(outputs, references, rows, sets);
  const Weights all{alpha, beta, weights[0], weights[1], weights[2]};
  Matrix scores({static_cast<py::ssize_t>(chosen.size()), py::ssize_t{2}});
  double* const cells = scores.mutable_data();
  const py::gil_scoped_release release;
  for_each(chosen.size(), threads, [&, alignment = LeporAlignment()](std::size_t i) mutable {
    score(alignment, outputs[chosen[i].output], references, chosen[i].set, all, cells + 2 * i);
  });
  return scores;
}

}  // namespace

void bind_lepor(py::module_& module) {
  module.def("lepor", &lepor_scores, py::arg("outputs"), py::arg("references"), py::arg("rows"), py::arg("sets"),
             py::arg("alpha"), py::arg("beta"), py::arg("weights"), py::arg("threads") = 1,
             "LEPOR and hLEPOR of each row, shape (rows, 2).");
}

}  // namespace rainbow
