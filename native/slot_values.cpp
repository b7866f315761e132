// What a text says of a slot whose value no text shows word by word.
#include "slot_values.hpp"

#include <stdexcept>

namespace py = pybind11;

namespace rainbow {

UnliteralSlot::UnliteralSlot(const py::handle& parts) {
  const auto given = py::cast<py::tuple>(parts);
  const int way = given[0].cast<int>();
  if (way < 0 || way > static_cast<int>(Manner::kSpokenOf)) throw std::invalid_argument("no way to say a slot");
  way_ = static_cast<Manner>(way);
  topic_ = Strings(strings_of(given[1]));
  is_name_ = given[2].cast<bool>();
}

State UnliteralSlot::state(const Tokens& words) const {
  constexpr std::size_t kClose = 2;  // how far a negation denies what is affirmed
  const auto marked = [&](Mark mark) {
    return std::any_of(words.begin(), words.end(), [&](const Token* word) { return word->is(mark); });
  };
  const bool spoken_of =
      std::any_of(words.begin(), words.end(), [&](const Token* word) { return topic_.has(word->stem); });
  if (way_ == Manner::kNone && (spoken_of || is_name_) && (marked(kUnknown) || marked(kNegation))) {
    return State::kRealised;
  }
  if (!spoken_of) return State::kMissing;
  bool right = way_ == Manner::kSpokenOf;
  if (way_ == Manner::kNo || way_ == Manner::kYes) {
    const std::vector<bool> denied = denials(words, topic_, way_ == Manner::kYes ? kClose : kAnyReach);
    right = std::find(denied.begin(), denied.end(), way_ == Manner::kNo) != denied.end();
  } else if (way_ == Manner::kIndifferent) {
    right = marked(kIndifferent);
  }
  return right ? State::kRealised : State::kWrong;
}

}  // namespace rainbow
