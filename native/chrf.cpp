// chrF++: n-grams of characters and of words in common with the best reference.
//
// Popović, M. (2017). chrF++: words helping character n-grams. WMT.
#include <pybind11/pybind11.h>

#include "bind.hpp"
#include "ngrams.hpp"
#include "rows.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

constexpr std::size_t kCharacterOrders = 6, kWordOrders = 2;

// Precision and recall, summed over the orders that both texts have.
struct Sums {
  double precision = 0, recall = 0;
  std::size_t orders = 0;

  double f_score(double beta) const {
    if (precision + recall == 0) return 0;
    const double mean_precision = precision / orders, mean_recall = recall / orders, factor = beta * beta;
    return (1 + factor) * mean_precision * mean_recall / (factor * mean_precision + mean_recall);
  }
};

// Characters or words of one output, compared with those of references.
class Side {
 public:
  explicit Side(std::size_t orders) : orders_(orders) {}

  void take(std::span<const Id> output) {
    ngrams_.index(output, orders_);
    size_ = output.size();
  }

  void compare(std::span<const Id> reference, Sums& sums) {
    ngrams_.compare(reference);
    for (std::size_t order = 1; order <= orders_; ++order) {
      const std::size_t ours = ngram_total(size_, order), theirs = ngram_total(reference.size(), order);
      if (ours == 0 || theirs == 0) break;
      const double matches = ngrams_.matches(order);
      sums.precision += matches / ours;
      sums.recall += matches / theirs;
      ++sums.orders;
    }
  }

 private:
  std::size_t orders_, size_ = 0;
  TextNgrams ngrams_;
};

bool same_sizes(const Sets& one, const Sets& other) {
  if (one.size() != other.size()) return false;
  for (std::size_t set = 0; set < one.size(); ++set) {
    if (one.last(set) != other.last(set)) return false;
  }
  return true;
}

Matrix chrf_scores(const Texts& characters, const Sets& reference_characters, const Texts& words,
                   const Sets& reference_words, const Indices& rows, const Indices& sets, double beta, int threads) {
  if (characters.size() != words.size() || !same_sizes(reference_characters, reference_words)) {
    throw std::invalid_argument("the characters are those of other texts than the words");
  }
  checked_rows(words, reference_words, rows, sets);
  // A text's place among the words is its place among the characters.
  const auto work = [&, of_characters = Side(kCharacterOrders), of_words = Side(kWordOrders)](
                        std::size_t output, std::size_t set, double* score) mutable {
    of_characters.take(characters[output]);
    of_words.take(words[output]);
    double best = 0;
    for (std::size_t text = reference_words.first(set); text < reference_words.last(set); ++text) {
      Sums sums;
      of_characters.compare(reference_characters.texts()[text], sums);
      of_words.compare(reference_words.texts()[text], sums);
      best = std::max(best, sums.f_score(beta));
    }
    *score = 100 * best;
  };
  return scores_of_rows(characters, reference_characters, rows, sets, 1, threads, work);
}

}  // namespace

void bind_chrf(py::module_& module) {
  module.def("chrf", &chrf_scores, py::arg("characters"), py::arg("reference_characters"), py::arg("words"),
             py::arg("reference_words"), py::arg("rows"), py::arg("sets"), py::arg("beta"), py::arg("threads") = 1,
             "chrF++ of each row, shape (rows, 1).");
}

}  // namespace rainbow
