// What texts say of attributes that are known by their wordings.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <stdexcept>

#include "bind.hpp"
#include "expressions.hpp"
#include "mentions.hpp"
#include "strings.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

using Bits = std::uint64_t;  // a set of attributes, or of the wordings of one
using Names = std::map<std::string, std::size_t, std::less<>>;  // the attribute of each

Bits bit(std::size_t place) { return Bits{1} << place; }

// A text of words with one blank between, and where each word starts.
struct Written {
  std::string text;
  std::vector<std::size_t> starts;

  explicit Written(const Tokens& words) {
    for (const Token* word : words) {
      if (!starts.empty()) text += ' ';
      starts.push_back(text.size());
      text += word->text;
    }
  }
};

// The attributes of a domain: those that are names, then those that are said by wordings, an expression for each; the
// one without any is said by stems, 0, or denied, 1.
class WordedDomain {
 public:
  WordedDomain(Names names, std::size_t kinds_of_names, const py::list& attributes, const py::handle& stems,
               std::string_view denial)
      : names_(std::move(names)), first_(kinds_of_names), stems_(strings_of(stems)), denial_(denial) {
    std::vector<std::string> phrases;
    for (const auto& [phrase, kind] : names_) phrases.push_back(phrase);
    phrases_ = std::make_shared<const Phrases>(std::move(phrases));
    for (const py::handle patterns : attributes) {
      auto& kept = wordings_.emplace_back();
      for (const std::string& pattern : strings_of(patterns)) kept.emplace_back(pattern);
    }
    if (size() > 64) throw std::invalid_argument("there are at most 64 attributes");
  }

  std::size_t size() const { return first_ + wordings_.size(); }
  std::size_t first() const { return first_; }
  const std::shared_ptr<const Phrases>& phrases() const { return phrases_; }
  const Names& names() const { return names_; }

  // For each time that a text says this attribute the wording that it uses.
  std::vector<std::size_t> said(std::size_t attribute, const Written& written, const Tokens& words) const {
    const std::vector<Expression>& wordings = wordings_[attribute - first_];
    std::vector<std::size_t> found;
    if (wordings.empty()) {
      for (const std::size_t start : written.starts) {
        if (denial_.end(written.text, start) != Expression::kNone) return {1};
      }
      for (const bool denied : denials(words, stems_)) found.push_back(denied);
      return found;
    }
    std::size_t end = 0;
    for (const std::size_t start : written.starts) {
      for (std::size_t i = 0; start >= end && i < wordings.size(); ++i) {
        if (const std::size_t last = wordings[i].end(written.text, start); last != Expression::kNone) {
          found.push_back(i);
          end = last;
        }
      }
    }
    return found;
  }

 private:
  Names names_;
  std::size_t first_;
  std::shared_ptr<const Phrases> phrases_;
  std::vector<std::vector<Expression>> wordings_;
  Strings stems_;
  Expression denial_;
};

struct WordedSlot {
  std::size_t attribute;
  Strings own;           // what a name is found by
  Bits right, harmless;  // wordings: that say its value, that say nothing wrong beside one that does
  bool repeatable;
};

class WordedMeaning : public Asked {
 public:
  WordedMeaning(std::shared_ptr<const WordedDomain> domain, Names names, std::vector<WordedSlot> slots)
      : Asked(slots.size()), domain_(std::move(domain)), names_(std::move(names)), slots_(std::move(slots)),
        phrases_(phrases_of(names_), domain_->phrases()) {
    for (const WordedSlot& slot : slots_) {
      if (slot.attribute >= domain_->size()) throw std::out_of_range("there is no such attribute");
      asked_ |= bit(slot.attribute);
    }
  }

  Said said(const Tokens& words, const Phrases&) const override {
    const std::vector<Mention> found = mentions(words, phrases_);
    const Tokens rest = without(words, found);
    const Written written(rest);
    std::vector<std::vector<std::size_t>> wordings(domain_->size());
    Said said;
    for (std::size_t attribute = domain_->first(); attribute < domain_->size(); ++attribute) {
      wordings[attribute] = domain_->said(attribute, written, rest);
      said.invented += !wordings[attribute].empty() && !(asked_ & bit(attribute));
    }
    said.invented += std::popcount(kinds(found) & ~asked_);
    for (const WordedSlot& slot : slots_) {
      const auto [right, other] =
          slot.attribute < domain_->first() ? named(slot, found) : worded(slot, wordings[slot.attribute]);
      said.realised += right > 0;
      said.missing += !right && !other;
      said.repeated += right > 1 && !slot.repeatable;
      said.invented += right && other;
    }
    return said;
  }

 private:
  struct Times {
    std::size_t right = 0, other = 0;
  };

  static std::vector<std::string> phrases_of(const Names& names) {
    std::vector<std::string> phrases;
    for (const auto& [phrase, kind] : names) phrases.push_back(phrase);
    return phrases;
  }

  std::size_t kind(std::string_view phrase) const {
    const auto own = names_.find(phrase);
    return own != names_.end() ? own->second : domain_->names().find(phrase)->second;
  }

  Bits kinds(const std::vector<Mention>& names) const {
    Bits found = 0;
    for (const Mention& name : names) found |= bit(kind(name.phrase));
    return found;
  }

  Times named(const WordedSlot& slot, const std::vector<Mention>& names) const {
    Times times;
    for (const Mention& name : names) {
      if (kind(name.phrase) == slot.attribute) ++(slot.own.has(name.phrase) ? times.right : times.other);
    }
    return times;
  }

  static Times worded(const WordedSlot& slot, const std::vector<std::size_t>& wordings) {
    Times times;
    for (const std::size_t wording : wordings) times.right += (slot.right & bit(wording)) != 0;
    const Bits harmless = slot.right | (times.right ? slot.harmless : 0);
    for (const std::size_t wording : wordings) times.other += !(harmless & bit(wording));
    return times;
  }

  std::shared_ptr<const WordedDomain> domain_;
  Names names_;
  std::vector<WordedSlot> slots_;
  Phrases phrases_;
  Bits asked_ = 0;
};

Names names_of(const py::dict& names) {
  Names found;
  py::object keeper;
  for (const auto& [phrase, kind] : names) found.emplace(utf8(phrase, keeper), kind.cast<std::size_t>());
  return found;
}

std::shared_ptr<Asked> worded_meaning(std::shared_ptr<WordedDomain> domain, const py::dict& names,
                                      const py::list& slots) {
  std::vector<WordedSlot> kept;
  for (const py::handle slot : slots) {
    const auto parts = py::cast<py::tuple>(slot);
    kept.push_back({parts[0].cast<std::size_t>(), Strings(strings_of(parts[1])), parts[2].cast<Bits>(),
                    parts[3].cast<Bits>(), parts[4].cast<bool>()});
  }
  return std::make_shared<WordedMeaning>(std::move(domain), names_of(names), std::move(kept));
}

}  // namespace

void bind_worded_slots(py::module_& module) {
  py::class_<WordedDomain, std::shared_ptr<WordedDomain>>(module, "WordedDomain", "Attributes and their wordings.")
      .def(py::init([](const py::dict& names, std::size_t kinds, const py::list& attributes, const py::handle& stems,
                       const std::string& denial) {
             return std::make_shared<WordedDomain>(names_of(names), kinds, attributes, stems, denial);
           }),
           py::arg("names"), py::arg("kinds_of_names"), py::arg("attributes"), py::arg("stems"), py::arg("denial"))
      .def("asked", &worded_meaning, py::arg("names"), py::arg("slots"));
}

}  // namespace rainbow
