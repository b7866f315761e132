// chrF++: n-grams of characters and of words in common with the best reference.
//
// Popović, M. (2017). chrF++: words helping character n-grams. WMT.
#include <pybind11/pybind11.h>

#include <array>

#include "bind.hpp"
#include "rows.hpp"
#include "shared_ngrams.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

constexpr std::size_t kCharacterOrders = 6, kWordOrders = 2, kChrfOrders = kCharacterOrders + kWordOrders;

// N-grams of one order: of the output, of the reference, and in common; the output's only where the reference has any.
struct Order {
  double ours = 0, theirs = 0, matches = 0;
};

using OrderCounts = std::array<Order, kChrfOrders>;

// From precision and recall, averaged over the orders that both texts have.
double f_score(const OrderCounts& counts, double beta) {
  double precision = 0, recall = 0;
  std::size_t orders = 0;
  for (const Order& order : counts) {
    if (order.ours == 0 || order.theirs == 0) continue;
    precision += order.matches / order.ours;
    recall += order.matches / order.theirs;
    ++orders;
  }
  if (precision + recall == 0) return 0;
  const double factor = beta * beta;
  return (1 + factor) * (precision / orders) * (recall / orders) / (factor * (precision / orders) + recall / orders);
}

// Characters or words of one output, compared with those of references.
template <std::size_t kOrders>
class Side {
 public:
  explicit Side(const Texts& texts) : ngrams_(texts.vocabulary()->size()) {}

  void take(std::span<const Id> output) {
    ngrams_.take(output);
    size_ = output.size();
  }

  void compare(std::span<const Id> reference, Order* counts) {
    ngrams_.compare(reference);
    for (std::size_t order = 1; order <= kOrders; ++order) {
      const std::size_t ours = ngram_total(size_, order), theirs = ngram_total(reference.size(), order);
      *counts++ = {theirs == 0 ? 0. : ours, static_cast<double>(theirs), static_cast<double>(ngrams_.matches(order))};
    }
  }

 private:
  std::size_t size_ = 0;
  SharedNgrams<kOrders> ngrams_;
};

// The texts as characters and as words; a text's place among the words is its place among the characters.
class Chrf {
 public:
  Chrf(const Texts& characters, const Sets& reference_characters, const Texts& words, const Sets& reference_words,
       double beta)
      : characters_(&characters),
        reference_characters_(&reference_characters),
        words_(&words),
        reference_words_(&reference_words),
        beta_(beta),
        of_characters_(characters),
        of_words_(words) {}

  // The counts with the first of the best references; none if there is no reference.
  OrderCounts best(std::size_t output, std::size_t set) {
    of_characters_.take((*characters_)[output]);
    of_words_.take((*words_)[output]);
    OrderCounts best{}, counts;
    double best_score = -1;
    for (std::size_t text = reference_words_->first(set); text < reference_words_->last(set); ++text) {
      of_characters_.compare(reference_characters_->texts()[text], counts.data());
      of_words_.compare(reference_words_->texts()[text], counts.data() + kCharacterOrders);
      const double score = f_score(counts, beta_);
      if (score > best_score) best = counts, best_score = score;
    }
    return best;
  }

 private:
  const Texts* characters_;
  const Sets* reference_characters_;
  const Texts* words_;
  const Sets* reference_words_;
  double beta_;
  Side<kCharacterOrders> of_characters_;
  Side<kWordOrders> of_words_;
};

bool same_sizes(const Sets& one, const Sets& other) {
  if (one.size() != other.size()) return false;
  for (std::size_t set = 0; set < one.size(); ++set) {
    if (one.last(set) != other.last(set)) return false;
  }
  return true;
}

// What `of_best` gives of the counts of each row, `width` numbers.
template <typename OfBest>
Matrix of_rows(const Texts& characters, const Sets& reference_characters, const Texts& words,
               const Sets& reference_words, const Indices& rows, const Indices& sets, double beta, int threads,
               std::size_t width, const OfBest& of_best) {
  if (characters.size() != words.size() || !same_sizes(reference_characters, reference_words)) {
    throw std::invalid_argument("the characters are those of other texts than the words");
  }
  checked_rows(words, reference_words, rows, sets);
  const auto work = [&, chrf = Chrf(characters, reference_characters, words, reference_words, beta)](
                        std::size_t output, std::size_t set, double* found) mutable {
    of_best(chrf.best(output, set), found);
  };
  return scores_of_rows(characters, reference_characters, rows, sets, width, threads, work);
}

Matrix chrf_scores(const Texts& characters, const Sets& reference_characters, const Texts& words,
                   const Sets& reference_words, const Indices& rows, const Indices& sets, double beta, int threads) {
  return of_rows(characters, reference_characters, words, reference_words, rows, sets, beta, threads, 1,
                 [beta](const OrderCounts& counts, double* score) { *score = 100 * f_score(counts, beta); });
}

Matrix chrf_sums(const Texts& characters, const Sets& reference_characters, const Texts& words,
                 const Sets& reference_words, const Indices& rows, const Indices& sets, double beta, int threads) {
  return of_rows(characters, reference_characters, words, reference_words, rows, sets, beta, threads, 3 * kChrfOrders,
                 [](const OrderCounts& counts, double* found) {
                   for (const Order& order : counts) {
                     for (const double count : {order.ours, order.theirs, order.matches}) *found++ = count;
                   }
                 });
}

}  // namespace

void bind_chrf(py::module_& module) {
  module.def("chrf", &chrf_scores, py::arg("characters"), py::arg("reference_characters"), py::arg("words"),
             py::arg("reference_words"), py::arg("rows"), py::arg("sets"), py::arg("beta"), py::arg("threads") = 1,
             "chrF++ of each row, shape (rows, 1).");
  module.def("chrf_sums", &chrf_sums, py::arg("characters"), py::arg("reference_characters"), py::arg("words"),
             py::arg("reference_words"), py::arg("rows"), py::arg("sets"), py::arg("beta"), py::arg("threads") = 1,
             "The n-grams of each row, of its best reference and in common, by order, shape (rows, 24).");
}

}  // namespace rainbow
