// Stems of English words, as rainbow/text/words/snowball.py describes them.
#pragma once

#include <string>
#include <string_view>

namespace rainbow {

std::string english_stem(std::string_view word);

}  // namespace rainbow
