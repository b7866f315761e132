// BLEU of single texts in the form of MS-COCO, and what a text adds to the BLEU of its system.
//
// Papineni, K. et al. (2002). BLEU: a method for automatic evaluation of machine translation. ACL.
#include <pybind11/pybind11.h>

#include <array>
#include <cmath>
#include <cstring>

#include "bind.hpp"
#include "rows.hpp"
#include "shared_ngrams.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

constexpr std::size_t kBleuOrders = 4;

// What keeps a text without matches, or without n-grams of an order, from the logarithm of zero and from 0 / 0.
struct Floors {
  double matches, count;
};

// What a text adds up to BLEU.
struct Sums {
  std::array<double, kBleuOrders> matches, ngrams;
  double length, nearest;
};
constexpr std::size_t kSums = sizeof(Sums) / sizeof(double);

class Bleu {
 public:
  explicit Bleu(const Texts& outputs) : ngrams_(outputs.vocabulary()->size()) {}

  Sums sums(std::span<const Id> output, const Sets& references, std::size_t set) {
    compare(output, references, set);
    std::size_t nearest = 0;
    for (std::size_t text = references.first(set); text < references.last(set); ++text) {
      const auto reference = references.texts()[text];
      if (text == references.first(set) || nearer(reference.size(), nearest, output.size())) nearest = reference.size();
    }
    Sums sums{{}, {}, static_cast<double>(output.size()), static_cast<double>(nearest)};
    for (std::size_t order = 1; order <= kBleuOrders; ++order) {
      sums.matches[order - 1] = static_cast<double>(ngrams_.gathered(order));
      sums.ngrams[order - 1] = static_cast<double>(ngram_total(output.size(), order));
    }
    return sums;
  }

  void score(std::span<const Id> output, const Sets& references, std::size_t set, Floors floors, double* scores) {
    const Sums found = sums(output, references, set);
    const double ratio = (found.length + floors.matches) / (found.nearest + floors.count);
    const double penalty = std::exp(std::min(1 - 1 / ratio, 0.0));
    double product = 1;
    for (std::size_t order = 0; order < kBleuOrders; ++order) {
      product *= (found.matches[order] + floors.matches) / (found.ngrams[order] + floors.count);
      scores[order] = std::pow(product, 1.0 / (order + 1)) * penalty;
    }
  }

 private:
  void compare(std::span<const Id> output, const Sets& references, std::size_t set) {
    ngrams_.take(output);
    for (std::size_t text = references.first(set); text < references.last(set); ++text) {
      ngrams_.compare(references.texts()[text]);
      ngrams_.gather();
    }
  }

  // Whether one length is nearer to the output's than another; of two equally near ones, the shorter is.
  static bool nearer(std::size_t length, std::size_t other, std::size_t output) {
    const auto distance = [output](std::size_t size) { return size < output ? output - size : size - output; };
    return distance(length) < distance(other) || (distance(length) == distance(other) && length < other);
  }

  SharedNgrams<kBleuOrders> ngrams_;
};

Matrix bleu_scores(const Texts& outputs, const Sets& references, const Indices& rows, const Indices& sets,
                   double matches_floor, double count_floor, int threads) {
  const auto work = [&, bleu = Bleu(outputs)](std::span<const Id> output, std::size_t set, double* scores) mutable {
    bleu.score(output, references, set, {matches_floor, count_floor}, scores);
  };
  return scores_of_rows(outputs, references, rows, sets, kBleuOrders, threads, work);
}

Matrix bleu_sums(const Texts& outputs, const Sets& references, const Indices& rows, const Indices& sets, int threads) {
  const auto work = [&, bleu = Bleu(outputs)](std::span<const Id> output, std::size_t set, double* found) mutable {
    const Sums sums = bleu.sums(output, references, set);
    std::memcpy(found, &sums, sizeof(sums));
  };
  return scores_of_rows(outputs, references, rows, sets, kSums, threads, work);
}

}  // namespace

void bind_bleu(py::module_& module) {
  module.def("bleu", &bleu_scores, py::arg("outputs"), py::arg("references"), py::arg("rows"), py::arg("sets"),
             py::arg("matches_floor"), py::arg("count_floor"), py::arg("threads") = 1,
             "BLEU-1 to BLEU-4 of each row, shape (rows, 4).");
  module.def("bleu_sums", &bleu_sums, py::arg("outputs"), py::arg("references"), py::arg("rows"), py::arg("sets"),
             py::arg("threads") = 1,
             "What each row adds up to BLEU: matches and n-grams of four orders, two lengths, shape (rows, 10).");
}

}  // namespace rainbow
