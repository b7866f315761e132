// CIDEr and CIDEr-D: cosines of tf-idf vectors of n-grams.
//
// Vedantam, R., Zitnick, C. L. and Parikh, D. (2015). CIDEr: consensus-based image description evaluation. CVPR.
#include <pybind11/pybind11.h>

#include <array>
#include <cmath>
#include <limits>
#include <mutex>

#include "bind.hpp"
#include "ngram_counts.hpp"
#include "ngrams.hpp"
#include "rows.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

constexpr std::size_t kCiderOrders = 4;
using ByOrder = std::array<double, kCiderOrders>;

// In how many documents of a collection n-grams stand, and the weight that follows.
class DocumentFrequencies {
 public:
  DocumentFrequencies(std::size_t documents, const py::dict& counts) : documents_(documents), counts_(counts) { weigh(); }

  // Each of the chosen sets that has a text is a document; what stands in one of them only is not remembered.
  DocumentFrequencies(const Sets& sets, const std::vector<std::size_t>& chosen) : counts_(sets.texts()) {
    if (chosen.size() >= std::numeric_limits<std::uint32_t>::max()) throw std::length_error("too many documents");
    for (const std::size_t set : chosen) {
      if (sets.first(set) == sets.last(set)) continue;
      ++documents_;
      for (std::size_t text = sets.first(set); text < sets.last(set); ++text) {
        counts_.add_new(sets.texts()[text], kCiderOrders, static_cast<std::uint32_t>(documents_));
      }
    }
    counts_.keep_from(2);
    weigh();
  }

  std::size_t documents() const { return documents_; }
  const NgramCounts& counts() const { return counts_; }
  double weight(Ngram ngram) const { return weights_[ngram]; }  // of 0: that of an n-gram in no document

 private:
  void weigh() {
    const double documents = std::max<std::size_t>(documents_, 1);
    weights_.resize(counts_.size());
    for (Ngram ngram = 0; ngram < counts_.size(); ++ngram) {
      weights_[ngram] = std::log(documents) - std::log(counts_.count(ngram));
    }
  }

  std::size_t documents_ = 0;
  NgramCounts counts_;
  std::vector<double> weights_;
};

// The tf-idf vector of one text after another.
class Vector {
 public:
  Vector(const DocumentFrequencies& frequencies, const Vocabulary& vocabulary)
      : frequencies_(&frequencies), lookup_(frequencies.counts(), vocabulary) {}

  void take(std::span<const Id> text) {
    ngrams_.index(text, kCiderOrders);
    lookup_.look_up(ngrams_);
    inverse_.resize(ngrams_.size());
    for (std::size_t order = 1; order <= kCiderOrders; ++order) {
      double squares = 0;
      for (Ngram ngram = ngrams_.first(order); ngram < ngrams_.last(order); ++ngram) {
        inverse_[ngram] = frequencies_->weight(lookup_.number(ngram));
        const double weight = ngrams_.count(ngram) * inverse_[ngram];
        squares += weight * weight;
      }
      norms_[order - 1] = std::sqrt(squares);
    }
  }

  const ByOrder& norms() const { return norms_; }

  struct Products {
    ByOrder full{}, clipped{};
  };

  // The scalar products with a reference: of the weights, and of those that are clipped to the reference's.
  Products with(std::span<const Id> reference) {
    Products products;
    ngrams_.compare(reference);
    for (std::size_t order = 1; order <= kCiderOrders; ++order) {
      double full = 0, clipped = 0;
      for (const Ngram ngram : ngrams_.common(order)) {
        const double ours = ngrams_.count(ngram) * inverse_[ngram];
        const double theirs = ngrams_.other_count(ngram) * inverse_[ngram];
        full += ours * theirs;
        clipped += std::min(ours, theirs) * theirs;
      }
      products.full[order - 1] = full;
      products.clipped[order - 1] = clipped;
    }
    return products;
  }

 private:
  const DocumentFrequencies* frequencies_;
  NgramLookup lookup_;
  TextNgrams ngrams_;
  std::vector<double> inverse_;  // inverse document frequencies
  ByOrder norms_{};
};

// References with the norms of their vectors, made where they are needed first and kept.
class WeightedSets {
 public:
  WeightedSets(std::shared_ptr<const Sets> references, std::shared_ptr<const DocumentFrequencies> frequencies)
      : references_(std::move(references)),
        frequencies_(std::move(frequencies)),
        norms_(references_->texts().size()),
        known_(references_->size()) {}

  const Sets& references() const { return *references_; }
  const DocumentFrequencies& frequencies() const { return *frequencies_; }
  const ByOrder& norms(std::size_t text) const { return norms_[text]; }

  // Makes the norms of these sets; call it before asking for them, without the GIL.
  void prepare(const std::vector<Row>& rows, int threads) {
    const std::lock_guard guard(lock_);
    std::vector<std::size_t> texts;
    for (const Row& row : rows) {
      if (known_[row.set]) continue;
      known_[row.set] = true;
      for (std::size_t text = references_->first(row.set); text < references_->last(row.set); ++text) {
        texts.push_back(text);
      }
    }
    if (texts.empty()) return;
    const Texts& all = references_->texts();
    for_each(texts.size(), threads, [&, vector = Vector(*frequencies_, *all.vocabulary())](std::size_t i) mutable {
      vector.take(all[texts[i]]);
      norms_[texts[i]] = vector.norms();
    });
  }

 private:
  std::shared_ptr<const Sets> references_;
  std::shared_ptr<const DocumentFrequencies> frequencies_;
  std::vector<ByOrder> norms_;  // by text
  std::vector<char> known_;     // by set
  std::mutex lock_;
};

void cider(Vector& vector, std::span<const Id> output, const WeightedSets& weighted, std::size_t set, double sigma,
           double scale, double* scores) {
  const Sets& references = weighted.references();
  vector.take(output);
  double cosine = 0, clipped = 0;
  for (std::size_t text = references.first(set); text < references.last(set); ++text) {
    const auto reference = references.texts()[text];
    const auto products = vector.with(reference);
    double full_sum = 0, clipped_sum = 0;
    for (std::size_t order = 0; order < kCiderOrders; ++order) {
      const double norms = vector.norms()[order] * weighted.norms(text)[order];
      if (norms == 0) continue;
      full_sum += products.full[order] / norms;
      clipped_sum += products.clipped[order] / norms;
    }
    const double difference = static_cast<double>(output.size()) - static_cast<double>(reference.size());
    cosine += full_sum;
    clipped += clipped_sum * std::exp(-(difference * difference) / (2 * sigma * sigma));
  }
  const double size = static_cast<double>(kCiderOrders * (references.last(set) - references.first(set)));
  scores[0] = scale * cosine / size;
  scores[1] = scale * clipped / size;
}

Matrix cider_scores(const Texts& outputs, const Sets& references, const Indices& rows, const Indices& sets,
                    WeightedSets& weighted, double sigma, double scale, int threads) {
  if (&weighted.references() != &references) throw std::invalid_argument("the weights are those of other references");
  const auto chosen = checked_rows(outputs, references, rows, sets);
  {
    const py::gil_scoped_release release;
    weighted.prepare(chosen, threads);
  }
  const auto work = [&, vector = Vector(weighted.frequencies(), *outputs.vocabulary())](
                        std::span<const Id> output, std::size_t set, double* scores) mutable {
    cider(vector, output, weighted, set, sigma, scale, scores);
  };
  return scores_of_rows(outputs, references, rows, sets, 2, threads, work);
}

}  // namespace

void bind_cider(py::module_& module) {
  py::class_<DocumentFrequencies, std::shared_ptr<DocumentFrequencies>>(module, "DocumentFrequencies",
                                                                        "In how many documents n-grams stand.")
      .def(py::init<std::size_t, const py::dict&>(), py::arg("documents"), py::arg("counts"))
      .def(py::init([](const Sets& references, const Indices& sets) {
             const auto chosen = checked_sets(references, sets);
             const py::gil_scoped_release release;
             return std::make_shared<DocumentFrequencies>(references, chosen);
           }),
           py::arg("references"), py::arg("sets"))
      .def_property_readonly("documents", &DocumentFrequencies::documents)
      .def("counts", [](const DocumentFrequencies& frequencies) { return frequencies.counts().counts(); })
      .def("json", [](const DocumentFrequencies& frequencies) { return py::bytes(frequencies.counts().json(true)); }, "The counts as JSON.");
  py::class_<WeightedSets, std::shared_ptr<WeightedSets>>(module, "WeightedSets",
                                                          "Sets of references with document frequencies.")
      .def(py::init([](const std::shared_ptr<Sets>& references, const std::shared_ptr<DocumentFrequencies>& frequencies) {
             return std::make_shared<WeightedSets>(references, frequencies);
           }),
           py::arg("references"), py::arg("frequencies"));
  module.def("cider", &cider_scores, py::arg("outputs"), py::arg("references"), py::arg("rows"), py::arg("sets"),
             py::arg("weighted"), py::arg("sigma"), py::arg("scale"), py::arg("threads") = 1,
             "CIDEr and CIDEr-D of each row, shape (rows, 2).");
}

}  // namespace rainbow
