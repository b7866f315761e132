// What texts say of meaning representations: slots realised, missing, repeated, invented.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <limits>
#include <map>
#include <stdexcept>

#include "bind.hpp"
#include "mentions.hpp"
#include "rows.hpp"
#include "slot_values.hpp"
#include "strings.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

// Letters that the two halves of a compound have at least.
constexpr std::size_t kLongerHalf = 5, kShorterHalf = 4;

// What else a value or a word of it is said as.
struct Wordings {
  std::vector<std::string> stems;
  std::shared_ptr<const Phrases> phrases;

  std::size_t said(const Tokens& words) const {
    std::size_t count = mentions(words, *phrases).size();
    for (const std::string& stem : stems) count += count_stem(words, stem);
    return count;
  }
};

using MaybeWordings = std::shared_ptr<const Wordings>;

struct StemNeeded {
  std::string stem;
  std::size_t count;
  MaybeWordings others;
};

// A value that is said by its words: how often it is there, the slot's name as a number, the stems of its words.
struct Value {
  std::string text;
  std::size_t count, name;
  std::vector<StemNeeded> stems;
  MaybeWordings others;
};

struct ActSlot {
  std::size_t value;  // its place, where it is said by its value
  UnliteralSlot unliteral;
  std::vector<std::size_t> special;  // slots that say this one as well

  bool by_value() const { return unliteral.way() == Manner::kByValue; }
};

bool is_half(std::string_view word, std::string_view value) {
  const std::size_t size = characters(word);
  return kLongerHalf <= size && size + kShorterHalf <= characters(value) &&
         (value.starts_with(word) || value.ends_with(word));
}

// What denies without a negation, as two words, and the two that say so.
struct Denial {
  std::string first, second;
  Token negation, denied;
};

class Act : public Asked {
 public:
  Act(std::vector<Value> values, std::shared_ptr<const Phrases> phrases, std::vector<ActSlot> slots,
      std::vector<Strings> spoken_of, Strings licensed, std::string placeholder, bool denies,
      std::shared_ptr<const std::vector<Denial>> denials)
      : Asked(slots.size()), values_(std::move(values)), slots_(std::move(slots)), spoken_of_(std::move(spoken_of)),
        licensed_(std::move(licensed)), placeholder_(std::move(placeholder)), denies_(denies),
        denials_(std::move(denials)), phrases_(std::move(phrases)) {
    for (const ActSlot& slot : slots_) {
      if (slot.by_value() && slot.value >= values_.size()) throw std::out_of_range("there is no such value");
      for (const std::size_t other : slot.special) {
        if (other >= slots_.size()) throw std::out_of_range("there is no such slot");
      }
      literal_ = literal_ && slot.by_value();
    }
  }

  // Adds how often a text says what it is asked for, and these phrases without being asked.
  void count(const Tokens& words, const Phrases& candidates, std::map<std::string, std::size_t>& said,
             std::map<std::string, std::size_t>& unasked) const {
    const std::vector<Mention> found = mentions(words, *phrases_);
    for (const Mention& mention : found) ++said[mention.phrase];
    for (const std::string& stray : strays(without(words, found), candidates, licensed_)) ++unasked[stray];
  }

  Said said(const Tokens& words, const Phrases& known) const override {
    const std::vector<Mention> found = mentions(words, *phrases_);
    const Tokens rest = without(words, found);
    std::vector<std::size_t> times(values_.size());
    for (const Mention& mention : found) ++times[place_of(mention.phrase)];
    Said said;
    said.repeated = repeated(times, rest);
    said.invented = invented(words, rest, known);
    for (std::size_t value = 0; value < values_.size(); ++value) {
      if (times[value] < values_[value].count) times[value] += said_loosely(value, words, found);
    }
    add_states(times, rest, said);
    return said;
  }

 private:
  std::size_t place_of(std::string_view phrase) const {
    std::size_t place = 0;
    while (values_[place].text != phrase) ++place;
    return place;
  }

  // How often a value is said otherwise than as it stands; words inside another slot's value do not count.
  std::size_t said_loosely(std::size_t place, const Tokens& words, const std::vector<Mention>& found) const {
    std::vector<Mention> taken;
    for (const Mention& mention : found) {
      const std::size_t other = place_of(mention.phrase);
      if (other == place || values_[other].name != values_[place].name) taken.push_back(mention);
    }
    const Tokens left = without(words, taken);
    const Value& value = values_[place];
    std::size_t times = fewest(value, left, false);
    if (!times && value.others) times = value.others->said(left);
    if (!times) times = fewest(value, left, true);
    if (!times && value.stems.size() == 1 && characters(value.text) >= kLongerHalf + kShorterHalf) {
      const auto halves = [&](const Token* word) { return is_half(word->spelled, value.text); };
      times = std::count_if(left.begin(), left.end(), halves);
    }
    return times;
  }

  std::size_t fewest(const Value& value, const Tokens& left, bool otherwise) const {
    std::size_t times = ~std::size_t{0};
    for (const StemNeeded& needed : value.stems) {
      std::size_t own = count_stem(left, needed.stem) / needed.count;
      if (!own && otherwise && needed.others) own = needed.others->said(left);
      times = std::min(times, own);
    }
    return times;
  }

  void add_states(std::vector<std::size_t>& left, const Tokens& rest, Said& said) const {
    const Tokens plain = literal_ ? rest : said_plainly(rest);
    std::vector<State> states;
    for (const ActSlot& slot : slots_) {
      if (!slot.by_value()) {
        states.push_back(slot.unliteral.state(plain));
      } else if (left[slot.value] > 0) {
        --left[slot.value];
        states.push_back(State::kRealised);
      } else {
        states.push_back(State::kMissing);
      }
    }
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const auto realised = [&](std::size_t slot) { return states[slot] == State::kRealised; };
      if (realised(i) || std::any_of(slots_[i].special.begin(), slots_[i].special.end(), realised)) {
        ++said.realised;
      } else {
        said.missing += states[i] == State::kMissing;
      }
    }
  }

  // The text with its denials as negations of what is meant; the first negation of a sentence may be the act's.
  Tokens said_plainly(const Tokens& words) const {
    Tokens said;
    bool denied = denies_;
    for (std::size_t place = 0; place < words.size(); ++place) {
      const Token* const word = words[place];
      if (word->is(kSentenceEnd)) denied = denies_;
      denied = denied || word->is(kException);
      if (denied && word->is(kNegation)) {
        denied = false;
      } else if (const Denial* denial = place ? denial_of(*words[place - 1], *word) : nullptr) {
        if (!said.empty()) said.pop_back();
        said.insert(said.end(), {&denial->negation, &denial->denied});
      } else {
        said.push_back(word);
      }
    }
    return said;
  }

  const Denial* denial_of(const Token& first, const Token& second) const {
    for (const Denial& denial : *denials_) {
      if (denial.second == second.text && denial.first == first.text) return &denial;
    }
    return nullptr;
  }

  std::size_t repeated(const std::vector<std::size_t>& times, const Tokens& rest) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::size_t asked = values_[i].count;
      if (values_[i].text != placeholder_ && times[i] > asked) count += std::min(asked, times[i] - asked);
    }
    for (const Strings& topic : spoken_of_) {
      count += std::any_of(topic.begin(), topic.end(), [&](const auto& stem) { return count_stem(rest, stem) > 1; });
    }
    return count;
  }

  std::size_t invented(const Tokens& words, const Tokens& rest, const Phrases& known) const {
    std::size_t count = std::count_if(rest.begin(), rest.end(), [&](const Token* word) {
      return word->is(kNumber) && !licensed_.has(word->text);
    });
    std::size_t asked = 0;
    for (const Value& value : values_) asked += value.text == placeholder_ ? value.count : 0;
    const std::size_t there = std::count_if(words.begin(), words.end(),
                                            [&](const Token* word) { return word->text == placeholder_; });
    if (there > asked) count += there - asked;
    return count + strays(rest, known, licensed_).size();
  }

  std::vector<Value> values_;
  std::vector<ActSlot> slots_;
  std::vector<Strings> spoken_of_;
  Strings licensed_;
  std::string placeholder_;
  bool denies_, literal_ = true;
  std::shared_ptr<const std::vector<Denial>> denials_;
  std::shared_ptr<const Phrases> phrases_;
};

py::dict dict_of(const std::map<std::string, std::size_t>& counts) {
  py::dict found;
  for (const auto& [text, count] : counts) found[text_of(text)] = count;
  return found;
}

Value value_of(const py::tuple& parts) {
  py::object keeper;
  Value value{std::string(utf8(parts[0], keeper)), parts[1].cast<std::size_t>(), parts[2].cast<std::size_t>(), {},
              parts[4].cast<MaybeWordings>()};
  for (const py::handle stem : parts[3]) {
    const auto needed = py::cast<py::tuple>(stem);
    value.stems.push_back({std::string(utf8(needed[0], keeper)), needed[1].cast<std::size_t>(),
                           needed[2].cast<MaybeWordings>()});
  }
  return value;
}

// What Python says of words, kept between calls.
class SlotReader {
 public:
  SlotReader(py::function tell, const py::list& denials, std::string placeholder)
      : tell_(std::move(tell)), placeholder_(std::move(placeholder)), memory_(std::make_shared<TokenMemory>(tell_)) {
    std::vector<Denial> found;
    for (const py::handle denial : denials) {
      const std::vector<std::string> words = strings_of(denial);
      if (words.size() != 4) throw std::invalid_argument("a denial is two words and the two that they stand for");
      found.push_back({words[0], words[1], *memory_->word(words[2]), *memory_->word(words[3])});
    }
    denials_ = std::make_shared<const std::vector<Denial>>(std::move(found));
  }

  std::shared_ptr<Act> act(const py::list& values, std::shared_ptr<const Phrases> phrases, const py::list& slots,
                             const py::list& spoken_of, const py::handle& licensed, bool denies) const {
    std::vector<Value> kept;
    for (const py::handle value : values) kept.push_back(value_of(py::cast<py::tuple>(value)));
    std::vector<ActSlot> said;
    for (const py::handle slot : slots) {
      const auto parts = py::cast<py::tuple>(slot);
      said.push_back({parts[0].cast<std::size_t>(), UnliteralSlot(parts[1]),
                      parts[2].cast<std::vector<std::size_t>>()});
    }
    std::vector<Strings> topics;
    for (const py::handle topic : spoken_of) topics.emplace_back(strings_of(topic));
    return std::make_shared<Act>(std::move(kept), std::move(phrases), std::move(said), std::move(topics),
                                 Strings(strings_of(licensed)), placeholder_, denies, denials_);
  }

  // How often texts say each value that they were asked for, and these phrases without being asked.
  py::tuple counts(const Texts& texts, const std::vector<std::shared_ptr<const Act>>& asked, const Phrases& candidates) {
    if (texts.size() != asked.size()) throw std::invalid_argument("every text needs what it was asked for");
    const auto [memory, told] = this->told(texts);
    std::map<std::string, std::size_t> said, unasked;
    {
      const py::gil_scoped_release release;
      for (std::size_t text = 0; text < asked.size(); ++text) {
        asked[text]->count(tokens_of(texts, text, told), candidates, said, unasked);
      }
    }
    return py::make_tuple(dict_of(said), dict_of(unasked));
  }

  Matrix shares(const Texts& texts, const std::vector<std::shared_ptr<const Asked>>& asked, const Phrases& known,
                int threads) {
    if (texts.size() != asked.size()) throw std::invalid_argument("every text needs what it was asked for");
    const auto [memory, told] = this->told(texts);
    Matrix shares({static_cast<py::ssize_t>(asked.size()), py::ssize_t{4}});
    double* const cells = shares.mutable_data();
    const py::gil_scoped_release release;
    for_each(asked.size(), threads, [&, &told = told](std::size_t text) {
      set_shares(asked[text]->said(tokens_of(texts, text, told), known), static_cast<double>(asked[text]->slots), cells + 4 * text);
    });
    return shares;
  }

 private:
  // By their numbers the words of texts; they live as long as the memory.
  std::pair<std::shared_ptr<TokenMemory>, Tokens> told(const Texts& texts) {
    // A full memory is replaced, not emptied: calls of other threads, let in while Python runs, may still look at it.
    if (memory_->is_full()) memory_ = std::make_shared<TokenMemory>(tell_);
    const std::shared_ptr<TokenMemory> memory = memory_;
    Tokens told;
    for (Id id = 0; id < texts.vocabulary()->size(); ++id) told.push_back(memory->word(texts.vocabulary()->word(id)));
    return {memory, told};
  }

  static Tokens tokens_of(const Texts& texts, std::size_t text, const Tokens& told) {
    Tokens tokens;
    for (const Id id : texts[text]) tokens.push_back(told[id]);
    return tokens;
  }

  static void set_shares(const Said& said, double slots, double* cells) {
    const std::array counts{said.realised, said.missing, said.repeated};
    for (std::size_t i = 0; i < counts.size(); ++i) {
      cells[i] = slots ? static_cast<double>(counts[i]) / slots : std::numeric_limits<double>::quiet_NaN();
    }
    cells[3] = static_cast<double>(said.invented);
  }

  py::function tell_;
  std::string placeholder_;
  std::shared_ptr<TokenMemory> memory_;
  std::shared_ptr<const std::vector<Denial>> denials_;
};

}  // namespace

void bind_realisation(py::module_& module) {
  py::class_<Phrases, std::shared_ptr<Phrases>>(module, "Phrases", "Phrases to look for.")
      .def(py::init([](const py::handle& phrases) { return std::make_shared<Phrases>(strings_of(phrases)); }),
           py::arg("phrases"));
  py::class_<Wordings, std::shared_ptr<Wordings>>(module, "Wordings", "Stems and phrases.")
      .def(py::init([](const py::handle& stems, std::shared_ptr<Phrases> phrases) {
             return std::make_shared<Wordings>(Wordings{strings_of(stems), std::move(phrases)});
           }),
           py::arg("stems"), py::arg("phrases").none(false));
  py::class_<Asked, std::shared_ptr<Asked>>(module, "Asked", "A meaning representation, prepared.");
  py::class_<Act, Asked, std::shared_ptr<Act>>(module, "Act", "A dialogue act, prepared.");
  py::class_<SlotReader>(module, "SlotReader", "What Python says of words, kept between calls.")
      .def(py::init<py::function, py::list, std::string>(), py::arg("tell"), py::arg("denials"), py::arg("placeholder"))
      .def("act", &SlotReader::act, py::arg("values"), py::arg("phrases").none(false), py::arg("slots"),
           py::arg("spoken_of"), py::arg("licensed"), py::arg("denies"))
      .def("counts", &SlotReader::counts, py::arg("texts"), py::arg("asked"), py::arg("candidates").none(false),
           "How often texts say each value that they were asked for, and these phrases without being asked.")
      .def("shares", &SlotReader::shares, py::arg("texts"), py::arg("asked"), py::arg("known").none(false),
           py::arg("threads"),
           "For each text the shares of slots realised, missing and repeated, and the number of things invented, shape "
           "(texts, 4).");
}

}  // namespace rainbow
