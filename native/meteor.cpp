// METEOR 1.5 for English. Its twin, rainbow/metrics/word/meteor/, says what is computed and why.
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstring>
#include <limits>

#include "bind.hpp"
#include "meteor_align.hpp"
#include "meteor_bound.hpp"
#include "meteor_lexicon.hpp"
#include "meteor_matches.hpp"
#include "meteor_tables.hpp"
#include "rows.hpp"
#include "stem.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

using namespace meteor;

// The score of an output and a reference, then what they add up to the score of a system; chunks are 0 where one chunk
// leaves nothing over.
struct Scored {
  double score = 0, output_weight = 0, output_length = 0, reference_weight = 0, reference_length = 0, chunks = 0,
         output_matches = 0, reference_matches = 0;
};
constexpr std::size_t kNumbers = sizeof(Scored) / sizeof(double);

Scored undefined() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {nan, nan, nan, nan, nan, nan, nan, nan};
}

class Scorer {
 public:
  Scorer(const Lexicon& lexicon, const PhraseBook& phrases) : lexicon_(lexicon), finder_(lexicon, phrases), bound_(lexicon) {}

  void set_output(const Line& output) {
    output_ = &output;
    finder_.set_output(output);
  }

  // The score with the best of some references, of equally good ones the first. Aligning takes the time: they are tried
  // from the one with the highest bound on, until no other can be as good.
  Scored best(const std::vector<Line>& references, std::size_t first, std::size_t last) {
    if (matches_.size() < last - first) matches_.resize(last - first);
    order_.clear();
    for (std::size_t text = first; text < last; ++text) {
      Matches& matches = matches_[text - first];
      if (!finder_.find(references[text], matches)) return undefined();
      order_.emplace_back(-bound_(*output_, references[text], matches), text);
    }
    std::sort(order_.begin(), order_.end());
    Scored best;
    std::size_t chosen = last;
    for (const auto& [bound, text] : order_) {
      if (chosen < last && -bound < best.score) break;
      const Scored found = counted(aligner_.align(matches_[text - first], output_->words.size()), references[text]);
      if (chosen < last && (found.score < best.score || (found.score == best.score && text > chosen))) continue;
      best = found;
      chosen = text;
    }
    return best;
  }

 private:
  Scored counted(const std::vector<Match>& alignment, const Line& reference) const {
    Scored found;
    found.output_length = lexicon_.weight(*output_);
    found.reference_length = lexicon_.weight(reference);
    std::size_t mine = 0, theirs = 0, chunks = 0;
    const Match* last = nullptr;
    for (const Match& match : alignment) {
      for (std::int32_t k = 0; k < match.other_length; ++k) {
        found.output_weight += kWeights[match.stage] * lexicon_[output_->words[match.other + k]].weight;
      }
      for (std::int32_t k = 0; k < match.length; ++k) {
        found.reference_weight += kWeights[match.stage] * lexicon_[reference.words[match.start + k]].weight;
      }
      mine += match.other_length;
      theirs += match.length;
      chunks += !last || match.start != last->start + last->length || match.other != last->other + last->other_length;
      last = &match;
    }
    const bool whole = chunks == 1 && mine == output_->words.size() && theirs == reference.words.size();
    found.chunks = whole ? 0 : chunks;
    found.output_matches = mine;
    found.reference_matches = theirs;
    if (!alignment.empty()) found.score = score(found);
    return found;
  }

  static double score(const Scored& found) {
    const double precision = found.output_weight / found.output_length;
    const double recall = found.reference_weight / found.reference_length;
    const double mean = precision * recall / (kAlpha * precision + (1 - kAlpha) * recall);
    if (found.chunks == 0) return mean;
    return mean * penalised(found.chunks / ((found.output_matches + found.reference_matches) / 2));
  }

  const Lexicon& lexicon_;
  const Line* output_ = nullptr;
  MatchFinder finder_;
  Bound bound_;
  Aligner aligner_;
  std::vector<Matches> matches_;                        // with each reference
  std::vector<std::pair<double, std::size_t>> order_;  // minus the bound of each reference, and which it is
};

// The texts that are needed, in METEOR's words.
std::vector<Line> lines_of(Lexicon& lexicon, const Texts& texts, const std::vector<bool>& needed) {
  std::vector<Line> lines(texts.size());
  for (std::size_t text = 0; text < texts.size(); ++text) {
    if (needed[text]) lines[text] = lexicon.line(texts, text);
  }
  return lines;
}

Matrix meteor_scores(const Texts& outputs, const Sets& references, const Indices& rows, const Indices& sets,
                     const MeteorTables& tables, const py::function& words, int threads) {
  const auto chosen = checked_rows(outputs, references, rows, sets);
  std::vector<bool> needed(outputs.size()), needed_references(references.texts().size());
  for (const Row& row : chosen) {
    needed[row.output] = true;
    for (std::size_t text = references.first(row.set); text < references.last(row.set); ++text) needed_references[text] = true;
  }
  Lexicon lexicon(tables, words);
  std::vector<Line> mine = lines_of(lexicon, outputs, needed), theirs = lines_of(lexicon, references.texts(), needed_references);
  Matrix scores({static_cast<py::ssize_t>(chosen.size()), static_cast<py::ssize_t>(kNumbers)});
  double* const cells = scores.mutable_data();
  const py::gil_scoped_release release;
  for (std::vector<Line>* const lines : {&mine, &theirs}) {
    for_each(lines->size(), threads, [&, lines](std::size_t i) { lexicon.find_phrases((*lines)[i]); });
  }
  const PhraseBook phrases(tables, {&mine, &theirs});
  for_each(chosen.size(), threads, [&, scorer = Scorer(lexicon, phrases)](std::size_t i) mutable {
    const Row& row = chosen[i];
    scorer.set_output(mine[row.output]);
    const Scored best = scorer.best(theirs, references.first(row.set), references.last(row.set));
    std::memcpy(cells + i * kNumbers, &best, sizeof(best));
  });
  return scores;
}

}  // namespace

void bind_meteor(py::module_& module) {
  py::class_<MeteorTables>(module, "MeteorTables", "METEOR's tables, mapped into memory and checked.")
      .def(py::init<const py::list&>(), py::arg("arrays"));
  module.def("english_stem", [](const std::string& word) { return english_stem(word); }, py::arg("word"),
             "The Snowball stem of an English word.");
  module.def("meteor", &meteor_scores, py::arg("outputs"), py::arg("references"), py::arg("rows"), py::arg("sets"),
             py::arg("tables"), py::arg("words"), py::arg("threads") = 1,
             "METEOR 1.5 of each row and what the row adds up, shape (rows, 8); `words` splits the texts whose letters only Python knows.");
}

}  // namespace rainbow
