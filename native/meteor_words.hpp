// METEOR's own splitting of a text, as rainbow/metrics/word/meteor/normalisation.py describes it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rainbow {

// Says of a word (without its full stop) whether it keeps the stop: always, or before a number only.
using KeepsStop = std::function<bool(std::string_view word, bool numeric)>;

// The words of a text; nothing if a letter stands in it whose lower case is for Python to tell.
std::optional<std::vector<std::string>> meteor_words(std::string_view text, const KeepsStop& keeps);

}  // namespace rainbow
