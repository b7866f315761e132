// What a text says of a slot whose value no text shows word by word.
#pragma once

#include <pybind11/pybind11.h>

#include "mentions.hpp"

namespace rainbow {

enum class State { kRealised, kMissing, kWrong };

// How a slot is said, in the order of rainbow.meaning.reading.WAYS.
enum class Manner { kByValue, kNone, kNo, kYes, kIndifferent, kSpokenOf };

class UnliteralSlot {
 public:
  explicit UnliteralSlot(const pybind11::handle& parts);  // the way, the stems of its topic, whether it is a name

  Manner way() const { return way_; }
  State state(const Tokens& words) const;

 private:
  Manner way_;
  Strings topic_;
  bool is_name_;
};

}  // namespace rainbow
