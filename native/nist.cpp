// NIST: shared n-grams, weighted by the information they carry.
//
// Doddington, G. (2002). Automatic evaluation of machine translation quality using n-gram co-occurrence statistics. HLT.
#include <pybind11/pybind11.h>

#include <cmath>

#include "bind.hpp"
#include "ngram_counts.hpp"
#include "rows.hpp"
#include "shared_ngrams.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

constexpr std::size_t kNistOrders = 5;

// A text between quotation marks.
class Quoted {
 public:
  explicit Quoted(Id mark) : mark_(mark) {}

  std::span<const Id> operator()(std::span<const Id> text) {
    words_.assign(1, mark_);
    words_.insert(words_.end(), text.begin(), text.end());
    words_.push_back(mark_);
    return words_;
  }

 private:
  Id mark_;
  std::vector<Id> words_;
};

// The information of n-grams in bits.
class InformationWeights {
 public:
  InformationWeights(std::size_t total, std::size_t order, const py::dict& counts)
      : total_(total), order_(order), counts_(counts) {
    weigh();
  }

  // Counts the n-grams of the texts of these sets or, as published, those of the last text of each, between quotation
  // marks.
  InformationWeights(const Sets& sets, const std::vector<std::size_t>& chosen, std::size_t order, bool as_published)
      : order_(order), counts_(sets.texts()) {
    Quoted quoted(as_published ? counts_.add_word("\"") : 0);
    for (const std::size_t set : chosen) {
      for (std::size_t text = sets.first(set); text < sets.last(set); ++text) {
        if (!as_published) {
          add(sets.texts()[text]);
        } else if (text + 1 == sets.last(set)) {
          add(quoted(sets.texts()[text]));
        }
      }
    }
    weigh();
  }

  std::size_t total() const { return total_; }
  std::size_t order() const { return order_; }
  const NgramCounts& counts() const { return counts_; }

  // By the numbers of an n-gram and of its beginning, 0 where they are not known.
  double bits(Ngram ngram, bool is_word, Ngram beginning) const {
    if (ngram != 0) return bits_[ngram];
    return is_word || beginning != 0 ? std::log2(before(beginning)) : 0;
  }

 private:
  double before(Ngram beginning) const {
    return beginning == kNoWords ? std::max<std::size_t>(total_, 1) : counts_.count(beginning);
  }

  void add(std::span<const Id> text) {
    total_ += text.size();
    counts_.add_all(text, order_);
  }

  void weigh() {
    bits_.resize(counts_.size());
    for (Ngram ngram = 1; ngram < counts_.size(); ++ngram) {
      bits_[ngram] = std::log2(before(counts_.beginning(ngram)) / counts_.count(ngram));
    }
  }

  std::size_t total_ = 0, order_;
  NgramCounts counts_;
  std::vector<double> bits_;
};

class Nist {
 public:
  Nist(const InformationWeights& weights, const Vocabulary& vocabulary)
      : weights_(&weights), lookup_(weights.counts(), vocabulary),
        quoted_(lookup_.number_of("\"")),
        ngrams_(vocabulary.size() + 1),  // the mark is one of them, or else behind them
        bits_(weights.order()) {}

  // Compares an output with its references; as published with the last only, and all between quotation marks.
  void compare(std::span<const Id> output, const Sets& references, std::size_t set, bool as_published) {
    const std::size_t first = references.first(set), last = references.last(set);
    take(as_published ? quoted_(output) : output);
    for (std::size_t text = as_published && first < last ? last - 1 : first; text < last; ++text) {
      compare(as_published ? quoted_(references.texts()[text]) : references.texts()[text]);
    }
  }

  // What the text adds up to NIST: information and n-grams of every order, its length, itself, the references' lengths,
  // the references.
  void sums(double* found) {
    const std::size_t orders = weights_->order();
    information(found);
    for (std::size_t order = 1; order <= orders; ++order) found[orders + order - 1] = ngram_total(size_, order);
    for (const std::size_t length : {size_, std::size_t{1}, lengths_, references_}) *(found++ + 2 * orders) = length;
  }

  double score(double halving_ratio) {
    if (lengths_ == 0) return 0;
    information(bits_.data());
    double sum = 0;
    for (std::size_t order = 1; order <= weights_->order(); ++order) {
      sum += bits_[order - 1] / std::max<std::size_t>(ngram_total(size_, order), 1);
    }
    return sum * penalty(size_ / (static_cast<double>(lengths_) / references_), halving_ratio);
  }

 private:
  void take(std::span<const Id> output) {
    size_ = output.size();
    ngrams_.take(output, weights_->order());
    references_ = lengths_ = 0;
  }

  void compare(std::span<const Id> reference) {
    ngrams_.compare(reference);
    ngrams_.gather();
    ++references_;
    lengths_ += reference.size();
  }

  // The information of the shared n-grams of every order.
  void information(double* bits) {
    for (std::size_t order = 1; order <= weights_->order(); ++order) {
      numbers_.swap(beginnings_);
      numbers_.resize(size_);
      bits[order - 1] = shared(order);
    }
  }

  double shared(std::size_t order) {
    double sum = 0;
    ngrams_.for_each_gathered(order, [&](std::size_t start, std::size_t beginning, std::size_t times) {
      const bool is_word = order == 1;
      const Ngram before = is_word ? kNoWords : beginnings_[beginning];
      const Id word = ngrams_.text()[start + order - 1];
      numbers_[start] = is_word || before != 0 ? lookup_.find(before, word) : 0;
      sum += times * weights_->bits(numbers_[start], is_word, before);
    });
    return sum;
  }

  static double penalty(double ratio, double halving_ratio) {
    if (ratio <= 0) return 0;
    const double halving = std::log(halving_ratio), logarithm = std::log(std::min(ratio, 1.0));
    return std::exp(-(std::log(2) / (halving * halving)) * (logarithm * logarithm));
  }

  const InformationWeights* weights_;
  NgramLookup lookup_;
  Quoted quoted_;
  SharedNgrams<kNistOrders> ngrams_;
  std::vector<Ngram> numbers_, beginnings_;  // of n-grams and of all their words but the last, by where they begin first
  std::vector<double> bits_;
  std::size_t size_ = 0, references_ = 0, lengths_ = 0;
};

Matrix nist_scores(const Texts& outputs, const Sets& references, const Indices& rows, const Indices& sets,
                   const InformationWeights& weights, double halving_ratio, bool as_published, int threads) {
  const auto work = [&, nist = Nist(weights, *outputs.vocabulary())](std::span<const Id> output, std::size_t set,
                                                                     double* score) mutable {
    nist.compare(output, references, set, as_published);
    *score = nist.score(halving_ratio);
  };
  return scores_of_rows(outputs, references, rows, sets, 1, threads, work);
}

Matrix nist_sums(const Texts& outputs, const Sets& references, const Indices& rows, const Indices& sets,
                 const InformationWeights& weights, bool as_published, int threads) {
  const auto work = [&, nist = Nist(weights, *outputs.vocabulary())](std::span<const Id> output, std::size_t set,
                                                                     double* found) mutable {
    nist.compare(output, references, set, as_published);
    nist.sums(found);
  };
  return scores_of_rows(outputs, references, rows, sets, 2 * weights.order() + 4, threads, work);
}

}  // namespace

void bind_nist(py::module_& module) {
  py::class_<InformationWeights, std::shared_ptr<InformationWeights>>(module, "InformationWeights",
                                                                      "The information that n-grams carry.")
      .def(py::init<std::size_t, std::size_t, const py::dict&>(), py::arg("total"), py::arg("order"), py::arg("counts"))
      .def(py::init([](const Sets& references, const Indices& sets, std::size_t order, bool as_published) {
             const auto chosen = checked_sets(references, sets);
             const py::gil_scoped_release release;
             return std::make_shared<InformationWeights>(references, chosen, order, as_published);
           }),
           py::arg("references"), py::arg("sets"), py::arg("order"), py::arg("as_published"))
      .def_property_readonly("total", &InformationWeights::total)
      .def("counts", [](const InformationWeights& weights) { return weights.counts().counts(); })
      .def("json", [](const InformationWeights& weights) { return py::bytes(weights.counts().json(false)); }, "The counts as JSON.");
  module.def("nist", &nist_scores, py::arg("outputs"), py::arg("references"), py::arg("rows"), py::arg("sets"),
             py::arg("weights"), py::arg("halving_ratio"), py::arg("as_published"), py::arg("threads") = 1,
             "NIST of each row, shape (rows, 1).");
  module.def("nist_sums", &nist_sums, py::arg("outputs"), py::arg("references"), py::arg("rows"), py::arg("sets"),
             py::arg("weights"), py::arg("as_published"), py::arg("threads") = 1,
             "What each row adds up to NIST: information and n-grams by order, lengths, shape (rows, 2 orders + 4).");
}

}  // namespace rainbow
