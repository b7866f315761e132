// What texts say of facts: names, numbers and dates in whatever form.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <set>
#include <stdexcept>

#include "bind.hpp"
#include "mentions.hpp"
#include "slot_values.hpp"
#include "strings.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

constexpr double kNameShare = 0.6;
constexpr std::size_t kRounded = 3, kGroup = 3, kLongestNumber = 10;

using Digits = std::set<std::string, std::less<>>;

std::string_view significant(std::string_view digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == digits.npos ? std::string_view() : digits.substr(first, digits.find_last_not_of('0') + 1 - first);
}

// A whole number and one more, without zeros at either end.
std::string next_significant(std::string_view number) {
  std::string next(number);
  std::size_t place = next.size();
  while (place > 0 && next[place - 1] == '9') next[--place] = '0';
  if (place > 0) {
    ++next[place - 1];
  } else {
    next.insert(0, 1, '1');
  }
  return std::string(significant(next));
}

// Whether two numbers have the same digits, the other perhaps rounded or cut off.
bool same_number(std::string_view digits, std::string_view other) {
  if (digits == other || other.size() < kRounded || other.size() >= digits.size()) return digits == other;
  const std::string_view kept = digits.substr(0, other.size());
  return other == kept || (digits[other.size()] >= '5' && other == next_significant(kept));
}

// A text's words and numbers, prepared once for all that is looked for.
class TextWords {
 public:
  explicit TextWords(const Tokens& words) : words_(words) {
    std::string_view mark;
    for (const Token* word : words) {
      if (word->is(kDecimal)) {
        const bool joins = mark == "." || (mark == "," && characters(word->text) == kGroup);
        if (runs_.empty() || !joins || runs_.back().size() == kLongestNumber) runs_.emplace_back();
        runs_.back().push_back(word);
      }
      mark = word->text;
      if (!word->number.empty()) digits_.insert(word->number);
    }
    for (const Tokens& run : runs_) {
      std::string whole;
      for (const Token* part : run) {
        whole += part->digits;
        digits_.emplace(significant(whole));
      }
    }
  }

  const Tokens& words() const { return words_; }
  const Digits& digits() const { return digits_; }

  bool has(std::string_view word) const {
    return std::any_of(words_.begin(), words_.end(), [&](const Token* own) { return own->text == word; });
  }
  bool has_day(std::string_view day) const {
    return std::any_of(runs_.begin(), runs_.end(), [&](const Tokens& run) {
      return run.size() == 1 && !run[0]->day.empty() && run[0]->day == day;
    });
  }

  // How many numbers others do not have, neither whole nor in parts; 0 and 1 are said of anything.
  std::size_t numbers_besides(const Digits& known) const {
    return std::count_if(runs_.begin(), runs_.end(), [&](const Tokens& run) {
      return !(run.size() == 1 && (run[0]->text == "0" || run[0]->text == "1")) && !is_known(run, known);
    });
  }

 private:
  static bool is_known(const Tokens& run, const Digits& known) {
    std::string joined;
    for (const Token* part : run) joined += part->digits;
    const std::string_view whole = significant(joined);
    return std::any_of(known.begin(), known.end(), [&](const auto& digits) { return same_number(digits, whole); }) ||
           std::all_of(run.begin(), run.end(),
                       [&](const Token* part) { return known.contains(significant(part->digits)); });
  }

  const Tokens& words_;
  std::vector<Tokens> runs_;  // the words of every number
  Digits digits_;
};

struct Date {
  std::string year, month, day, name;  // the name of the month, as it begins; empty for none
};

struct NamePart {
  std::vector<std::string> forms;  // itself among them
  std::string stem;
  Root root;
  std::size_t size;
};

// A value or subject, by all that it is found by.
class Sought {
 public:
  explicit Sought(const py::handle& given) {
    const auto parts = py::cast<py::tuple>(given);
    py::object keeper;
    phrases_ = parts[0].cast<std::shared_ptr<const Phrases>>();
    if (const std::vector<std::string> date = strings_of(parts[1]); !date.empty()) {
      if (date.size() != 4) throw std::invalid_argument("a date has four parts");
      date_ = Date{date[0], date[1], date[2], date[3]};
    }
    digits_ = utf8(parts[2], keeper);
    other_names_ = strings_of(parts[3]);
    for (const py::handle part : parts[4]) {
      const auto word = py::cast<py::tuple>(part);
      const std::string text(utf8(word[0], keeper));
      names_.push_back({strings_of(word[1]), std::string(utf8(word[2], keeper)), Root(text), characters(text)});
    }
  }

  bool is_said(const TextWords& text) const {
    if (!mentions(text.words(), *phrases_).empty()) return true;
    if (date_) return date_said(text);
    if (!digits_.empty()) {
      return std::any_of(text.digits().begin(), text.digits().end(),
                         [&](const auto& digits) { return same_number(digits_, digits); });
    }
    const auto in_text = [&](const std::string& name) { return text.has(name); };
    if (std::any_of(other_names_.begin(), other_names_.end(), in_text)) return true;
    std::size_t said = 0, all = 0;
    for (const NamePart& part : names_) {
      all += part.size;
      if (std::any_of(part.forms.begin(), part.forms.end(), in_text) || in_other_form(part, text)) said += part.size;
    }
    return all > 0 && static_cast<double>(said) >= kNameShare * static_cast<double>(all);
  }

 private:
  bool date_said(const TextWords& text) const {
    if (!text.has(date_->year)) return false;
    if (date_->month == "1" && date_->day == "1") return true;  // what stands where only the year is known
    const auto names = [&](const Token* word) { return !date_->name.empty() && word->text.starts_with(date_->name); };
    return text.has_day(date_->day) && (text.has_day(date_->month) ||
                                        std::any_of(text.words().begin(), text.words().end(), names));
  }

  static bool in_other_form(const NamePart& part, const TextWords& text) {
    return std::any_of(text.words().begin(), text.words().end(), [&](const Token* word) {
      return word->stem == part.stem || word->root.is_shared(part.root);
    });
  }

  std::shared_ptr<const Phrases> phrases_;
  std::optional<Date> date_;
  std::string digits_;
  std::vector<std::string> other_names_;
  std::vector<NamePart> names_;
};

// A fact: the places of its subject and its value among what is sought (none: -1), how it is said without a value.
struct Fact {
  std::int64_t subject, value;
  UnliteralSlot slot;
};

class Facts : public Asked {
 public:
  Facts(std::vector<std::shared_ptr<const Sought>> sought, std::vector<Fact> facts, std::shared_ptr<const Phrases> once,
        std::vector<std::pair<std::string, std::size_t>> times, Digits numbers, Strings licensed)
      : Asked(facts.size()), sought_(std::move(sought)), facts_(std::move(facts)), once_(std::move(once)),
        times_(std::move(times)), numbers_(std::move(numbers)), licensed_(std::move(licensed)) {
    for (const Fact& fact : facts_) {
      if (std::max(fact.subject, fact.value) >= static_cast<std::int64_t>(sought_.size())) {
        throw std::out_of_range("there is no such value");
      }
    }
  }

  Said said(const Tokens& words, const Phrases& known) const override {
    const TextWords text(words);
    std::vector<bool> said;
    for (const auto& value : sought_) said.push_back(value->is_said(text));
    Said found;
    for (const Fact& fact : facts_) {
      const State state = state_of(fact, said, words);
      found.realised += state == State::kRealised;
      found.missing += state == State::kMissing;
    }
    const std::vector<Mention> mentioned = mentions(words, *once_);
    for (const auto& [value, count] : times_) {
      const std::size_t times = std::count_if(mentioned.begin(), mentioned.end(),
                                              [&](const Mention& mention) { return mention.phrase == value; });
      if (times > count) found.repeated += std::min(count, times - count);
    }
    found.invented = text.numbers_besides(numbers_) + strays(words, known, licensed_).size();
    return found;
  }

 private:
  static State state_of(const Fact& fact, const std::vector<bool>& said, const Tokens& words) {
    if (fact.subject >= 0 && !said[fact.subject]) return State::kMissing;
    if (fact.slot.way() != Manner::kByValue) return fact.slot.state(words);
    return fact.value >= 0 && said[fact.value] ? State::kRealised : State::kMissing;
  }

  std::vector<std::shared_ptr<const Sought>> sought_;
  std::vector<Fact> facts_;
  std::shared_ptr<const Phrases> once_;
  std::vector<std::pair<std::string, std::size_t>> times_;
  Digits numbers_;
  Strings licensed_;
};

std::shared_ptr<Asked> facts(const std::vector<std::shared_ptr<Sought>>& sought, const py::list& slots,
                             std::shared_ptr<Phrases> once, const py::dict& times, const py::handle& numbers,
                             const py::handle& licensed) {
  std::vector<Fact> kept;
  for (const py::handle slot : slots) {
    const auto parts = py::cast<py::tuple>(slot);
    kept.push_back({parts[0].cast<std::int64_t>(), parts[1].cast<std::int64_t>(), UnliteralSlot(parts[2])});
  }
  std::vector<std::pair<std::string, std::size_t>> counts;
  py::object keeper;
  for (const auto& [value, count] : times) counts.emplace_back(utf8(value, keeper), count.cast<std::size_t>());
  Digits known;
  for (std::string& number : strings_of(numbers)) known.insert(std::move(number));
  return std::make_shared<Facts>(std::vector<std::shared_ptr<const Sought>>(sought.begin(), sought.end()),
                                 std::move(kept), std::move(once), std::move(counts), std::move(known),
                                 Strings(strings_of(licensed)));
}

}  // namespace

void bind_facts(py::module_& module) {
  py::class_<Sought, std::shared_ptr<Sought>>(module, "Sought", "A value, by all that it is found by.")
      .def(py::init([](const py::tuple& parts) { return std::make_shared<Sought>(parts); }), py::arg("parts"));
  module.def("facts", &facts, py::arg("sought"), py::arg("slots"), py::arg("once").none(false), py::arg("times"),
             py::arg("numbers"), py::arg("licensed"), "Facts, prepared.");
}

}  // namespace rainbow
