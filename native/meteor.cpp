// METEOR 1.5 for English. Its twin, rainbow/metrics/word/meteor/, says what is computed and why.
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <unordered_map>

#include "bind.hpp"
#include "meteor_align.hpp"
#include "meteor_tables.hpp"
#include "meteor_words.hpp"
#include "rows.hpp"
#include "stem.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

using Numbers = MeteorTables::Numbers;
using Number = std::int32_t;  // of a word in this call

constexpr std::array kWeights{1.0, 0.6, 0.8, 0.6};  // by stage
constexpr double kAlpha = 0.85, kBeta = 0.2, kGamma = 0.6, kDelta = 0.75;
constexpr std::size_t kMostMatches = 250'000, kMostCells = 100'000'000;

// What is known of a word.
struct Word {
  std::int64_t number;  // in the tables
  Number stem;
  double weight;  // less for a function word
  std::vector<std::uint32_t> senses;
};

struct Phrase {
  std::int32_t start, length;
  std::uint32_t node;
};

// A text in METEOR's own words.
struct Line {
  std::vector<Number> words;
  std::vector<Phrase> phrases;
};

// The words of all texts of a call.
class Lexicon {
 public:
  Lexicon(const MeteorTables& tables, const py::function& ask) : tables_(tables), ask_(ask) {}

  const Word& operator[](Number word) const { return words_[word]; }

  Line line(const Texts& texts, std::size_t text) {
    Line line;
    joined_.clear();
    bool plain = true;
    for (const Id id : texts[text]) {
      const std::string_view token = texts.vocabulary()->word(id);
      plain = plain && std::all_of(token.begin(), token.end(), [](char c) { return ('a' <= c && c <= 'z') || ('0' <= c && c <= '9'); });
      if (!joined_.empty()) joined_ += ' ';
      joined_ += token;
    }
    if (plain) {
      for (const Id id : texts[text]) {
        const std::string_view token = texts.vocabulary()->word(id);
        if (!token.empty()) line.words.push_back(number(token));
      }
    } else {
      const auto keeps = [this](std::string_view word, bool numeric) { return tables_.is_prefix(tables_.find(word), numeric); };
      const auto words = meteor_words(joined_, keeps);
      for (const std::string& word : words ? *words : asked()) line.words.push_back(number(word));
    }
    return line;
  }

 private:
  std::vector<std::string> asked() const {
    const auto text = py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(joined_.data(), joined_.size(), "surrogatepass"));
    if (!text) throw py::error_already_set();
    std::vector<std::string> words;
    for (const py::handle word : ask_(text)) {
      const auto bytes = py::reinterpret_steal<py::bytes>(PyUnicode_AsEncodedString(word.ptr(), "utf-8", "surrogatepass"));
      if (!bytes) throw py::error_already_set();
      words.push_back(bytes);
    }
    return words;
  }

  Number number(std::string_view word) {
    if (const auto found = numbers_.find(word); found != numbers_.end()) return found->second;
    const Number stem = stems_.try_emplace(english_stem(word), static_cast<Number>(stems_.size())).first->second;
    const std::int64_t own = tables_.find(word);
    words_.push_back({own, stem, tables_.is_function_word(own) ? 1 - kDelta : kDelta, senses(word, own)});
    return numbers_.emplace(std::string(word), static_cast<Number>(words_.size()) - 1).first->second;
  }

  // The synonym sets of a word and of what it is a form of: an irregular form, or the first ending that fits.
  std::vector<std::uint32_t> senses(std::string_view word, std::int64_t own) const {
    std::vector<std::uint32_t> found;
    const auto add = [&](std::int64_t number) {
      const Numbers some = tables_.senses(number);
      found.insert(found.end(), some.begin(), some.end());
      return !some.empty();
    };
    if (own >= 0) {
      add(own);
      for (const std::uint32_t lemma : tables_.lemmas(own)) add(lemma);
      if (!tables_.lemmas(own).empty()) return unique(found);
    }
    if (word.ends_with("ss") || std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xC0) != 0x80; }) <= 2) {
      return unique(found);
    }
    constexpr std::array<std::array<std::string_view, 2>, 18> kEndings{
        {{"s", ""},   {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"}, {"men", "man"},
         {"ies", "y"}, {"es", "e"},  {"es", ""},   {"ed", "e"},  {"ed", ""},     {"ing", "e"},   {"ing", ""},
         {"er", ""},   {"est", ""},  {"er", "e"},  {"est", "e"}}};
    for (const auto& [ending, base] : kEndings) {
      if (!word.ends_with(ending)) continue;
      const std::int64_t form = tables_.find(std::string(word.substr(0, word.size() - ending.size())).append(base));
      if (form >= 0 && add(form)) break;
    }
    return unique(found);
  }

  static std::vector<std::uint32_t> unique(std::vector<std::uint32_t> senses) {
    std::sort(senses.begin(), senses.end());
    senses.erase(std::unique(senses.begin(), senses.end()), senses.end());
    return senses;
  }

  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Numbering = std::unordered_map<std::string, Number, Hash, std::equal_to<>>;

  const MeteorTables& tables_;
  const py::function& ask_;
  std::string joined_;
  std::vector<Word> words_;
  Numbering numbers_, stems_;
};

// Finds every run of words that begins a phrase of the table.
void find_phrases(const Lexicon& lexicon, const MeteorTables& tables, Line& line) {
  for (std::size_t start = 0; start < line.words.size(); ++start) {
    std::uint32_t node = 0;
    for (std::size_t end = start; end < line.words.size(); ++end) {
      const std::int64_t word = lexicon[line.words[end]].number;
      const std::int64_t child = word < 0 ? MeteorTables::kNone : tables.child(node, word);
      if (child < 0) break;
      node = static_cast<std::uint32_t>(child);
      line.phrases.push_back({static_cast<std::int32_t>(start), static_cast<std::int32_t>(end - start + 1), node});
    }
  }
}

// Where each of some numbers (phrases, synonym sets) stands: chains in a table of 2^n heads.
class Places {
 public:
  void begin(std::size_t count) {
    shift_ = 64 - std::max(4, static_cast<int>(std::bit_width(2 * count)));
    heads_.assign(std::size_t{1} << (64 - shift_), -1);
    entries_.clear();
  }
  // To be called from the last place to the first: chains then run from the first to the last.
  void add(std::uint32_t key, std::int32_t value) {
    std::int32_t& head = heads_[slot(key)];
    entries_.push_back({key, value, head});
    head = static_cast<std::int32_t>(entries_.size()) - 1;
  }
  template <class Use>
  void each(std::uint32_t key, const Use& use) const {
    for (std::int32_t i = heads_[slot(key)]; i >= 0; i = entries_[i].next) {
      if (entries_[i].key == key) use(entries_[i].value);
    }
  }

 private:
  struct Entry {
    std::uint32_t key;
    std::int32_t value, next;
  };
  std::size_t slot(std::uint32_t key) const { return key * 0x9E3779B97F4A7C15u >> shift_; }

  int shift_ = 60;
  std::vector<std::int32_t> heads_;
  std::vector<Entry> entries_;
};

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
  Scorer(const Lexicon& lexicon, const MeteorTables& tables) : lexicon_(lexicon), tables_(tables) {}

  void set_output(const Line& output) {
    output_ = &output;
    index(phrases_, output);
    std::size_t count = 0;
    for (const Number word : output.words) count += lexicon_[word].senses.size();
    senses_.begin(count);
    for (std::size_t place = output.words.size(); place-- > 0;) {
      for (const std::uint32_t sense : lexicon_[output.words[place]].senses) senses_.add(sense, static_cast<std::int32_t>(place));
    }
  }

  // The score with the best of some references, of equally good ones the first. Aligning takes the time: they are tried
  // from the one with the highest bound on, until no other can be as good.
  Scored best(const std::vector<Line>& references, std::size_t first, std::size_t last) {
    if (candidates_.size() < last - first) candidates_.resize(last - first);
    order_.clear();
    for (std::size_t text = first; text < last; ++text) {
      Candidate& candidate = candidates_[text - first];
      if (!find_matches(references[text], candidate)) return undefined();
      order_.emplace_back(-highest(references[text], candidate), text);
    }
    std::sort(order_.begin(), order_.end());
    Scored best;
    std::size_t chosen = last;
    for (const auto& [bound, text] : order_) {
      if (chosen < last && -bound < best.score) break;
      const Candidate& candidate = candidates_[text - first];
      const Scored found = counted(aligner_.align(candidate.matches, candidate.starts, output_->words.size()), references[text]);
      if (chosen < last && (found.score < best.score || (found.score == best.score && text > chosen))) continue;
      best = found;
      chosen = text;
    }
    return best;
  }

 private:
  // A reference's possible matches, sorted by their start, and where those of each of its words begin.
  struct Candidate {
    std::vector<Match> matches;
    std::vector<std::int32_t> starts;
  };

  // What could be matched of a text: for each word the weight of its best match, and whether it may be in one chunk with
  // the word before it.
  struct Reach {
    std::vector<double> weights;
    std::vector<char> joined;

    void clear(std::size_t words) {
      weights.assign(words, 0);
      joined.assign(words + 1, 0);
    }
    void add(std::int32_t start, std::int32_t length, double weight) {
      for (std::int32_t place = start; place < start + length; ++place) {
        weights[place] = std::max(weights[place], weight);
        if (place > start) joined[place] = true;
      }
    }
  };

  static void index(Places& places, const Line& line) {
    places.begin(line.phrases.size());
    for (std::size_t i = line.phrases.size(); i-- > 0;) places.add(line.phrases[i].node, static_cast<std::int32_t>(i));
  }

  // A number that no alignment has a higher score than. Of n words that could be matched, in both texts together, of
  // which j may be joined to the word before them, k words make (k - j) / 2 chunks at least; which k are matched
  // costs at least what the cheapest words add, as the mean of precision and recall is concave.
  double highest(const Line& reference, const Candidate& candidate) {
    mine_.clear(output_->words.size());
    theirs_.clear(reference.words.size());
    for (const Match& match : candidate.matches) {
      mine_.add(match.other, match.other_length, kWeights[match.stage]);
      theirs_.add(match.start, match.length, kWeights[match.stage]);
      const std::int32_t next = match.start + match.length, other = match.other + match.other_length;
      if (next == static_cast<std::int32_t>(reference.words.size())) continue;
      for (std::int32_t i = candidate.starts[next]; i < candidate.starts[next + 1]; ++i) {
        if (candidate.matches[i].other == other) mine_.joined[other] = theirs_.joined[next] = true;
      }
    }
    const double output_length = total(*output_), reference_length = total(reference);
    const double precision = weighted(mine_, *output_) / output_length, recall = weighted(theirs_, reference) / reference_length;
    if (precision == 0 || recall == 0) return 0;
    const double both = kAlpha * precision + (1 - kAlpha) * recall, most = precision * recall / both;
    losses_.clear();
    add_losses(mine_, (1 - kAlpha) * recall * recall / (both * both * output_length));
    add_losses(theirs_, kAlpha * precision * precision / (both * both * reference_length));
    std::sort(losses_.begin(), losses_.end());
    const auto joined = static_cast<double>(std::count(mine_.joined.begin(), mine_.joined.end(), true) +
                                            std::count(theirs_.joined.begin(), theirs_.joined.end(), true));
    auto words = static_cast<double>(losses_.size());
    const bool whole = losses_.size() == output_->words.size() + reference.words.size() && joined >= words - 2;
    const double fewest = whole ? 1 : penalised(2 / words);
    double left = most, found = 0;
    for (const double loss : losses_) {
      if (left * fewest <= found) break;
      found = std::max(found, left * (whole ? 1 : penalised(std::max(words - joined, 2.0) / words)));
      left -= loss;
      words -= 1;
    }
    return found * (1 + 1e-9);  // sums are rounded
  }

  // Makes the weights of words what they are worth; returns their sum.
  double weighted(Reach& reach, const Line& line) const {
    double sum = 0;
    for (std::size_t place = 0; place < line.words.size(); ++place) {
      sum += reach.weights[place] *= lexicon_[line.words[place]].weight;
    }
    return sum;
  }

  void add_losses(const Reach& reach, double slope) {
    for (const double weight : reach.weights) {
      if (weight > 0) losses_.push_back(slope * weight);
    }
  }

  static double penalised(double fragmentation) { return 1 - kGamma * std::pow(fragmentation, kBeta); }

  // Finds the possible matches; false if they are too many.
  bool find_matches(const Line& reference, Candidate& candidate) {
    found_.clear();
    if (output_->words.size() * reference.words.size() > kMostCells) return false;
    if (!words_alike(reference, kExact) || !words_alike(reference, kStem) || !synonyms(reference) || !paraphrases(reference)) {
      return false;
    }
    auto& [matches, starts] = candidate;
    starts.assign(reference.words.size() + 1, 0);
    for (const Match& match : found_) ++starts[match.start + 1];
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    matches.resize(found_.size());
    fill_.assign(starts.begin(), starts.end());
    for (const Match& match : found_) matches[fill_[match.start]++] = match;
    return true;
  }

  bool add(std::int32_t start, std::int32_t length, std::int32_t other, std::int32_t other_length, Stage stage) {
    found_.push_back({start, length, other, other_length, stage});
    return found_.size() <= kMostMatches;
  }

  bool words_alike(const Line& reference, Stage stage) {
    for (std::size_t start = 0; start < reference.words.size(); ++start) {
      const Number word = reference.words[start], stem = lexicon_[word].stem;
      for (std::size_t other = 0; other < output_->words.size(); ++other) {
        const Number mine = output_->words[other];
        const bool alike = stage == kExact ? mine == word : mine != word && lexicon_[mine].stem == stem;
        if (alike && !add(static_cast<std::int32_t>(start), 1, static_cast<std::int32_t>(other), 1, stage)) return false;
      }
    }
    return true;
  }

  bool synonyms(const Line& reference) {
    for (std::size_t start = 0; start < reference.words.size(); ++start) {
      const Number word = reference.words[start];
      others_.clear();
      for (const std::uint32_t sense : lexicon_[word].senses) {
        senses_.each(sense, [&](std::int32_t place) {
          if (output_->words[place] != word) others_.push_back(place);
        });
      }
      std::sort(others_.begin(), others_.end());
      others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
      for (const std::int32_t other : others_) {
        if (!add(static_cast<std::int32_t>(start), 1, other, 1, kSynonym)) return false;
      }
    }
    return true;
  }

  bool paraphrases(const Line& reference) {
    bool few = true;
    for (const Phrase& theirs : reference.phrases) {
      for (const std::uint32_t node : tables_.pairs(theirs.node)) {
        phrases_.each(node, [&](std::int32_t i) {
          const Phrase& mine = output_->phrases[i];
          few = few && add(theirs.start, theirs.length, mine.start, mine.length, kParaphrase);
        });
      }
      if (!few) return false;
    }
    index(their_phrases_, reference);
    for (const Phrase& mine : output_->phrases) {
      for (const std::uint32_t node : tables_.pairs(mine.node)) {
        their_phrases_.each(node, [&](std::int32_t i) {
          const Phrase& theirs = reference.phrases[i];
          few = few && add(theirs.start, theirs.length, mine.start, mine.length, kParaphrase);
        });
      }
      if (!few) return false;
    }
    return true;
  }

  Scored counted(const std::vector<Match>& alignment, const Line& reference) const {
    Scored found;
    found.output_length = total(*output_);
    found.reference_length = total(reference);
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

  double total(const Line& line) const {
    double sum = 0;
    for (const Number word : line.words) sum += lexicon_[word].weight;
    return sum;
  }

  const Lexicon& lexicon_;
  const MeteorTables& tables_;
  const Line* output_ = nullptr;
  Aligner aligner_;
  Places phrases_, senses_, their_phrases_;  // of the output, of the output, of the reference
  std::vector<Candidate> candidates_;
  std::vector<std::pair<double, std::size_t>> order_;  // minus the bound of each reference, and which it is
  Reach mine_, theirs_;
  std::vector<double> losses_;
  std::vector<Match> found_;
  std::vector<std::int32_t> fill_, others_;
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
    for_each(lines->size(), threads, [&, lines](std::size_t i) { find_phrases(lexicon, tables, (*lines)[i]); });
  }
  for_each(chosen.size(), threads, [&, scorer = Scorer(lexicon, tables)](std::size_t i) mutable {
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
