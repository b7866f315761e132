#include "meteor_words.hpp"

#include <algorithm>
#include <cstdint>

namespace rainbow {
namespace {

using Text = std::u32string;

bool within(char32_t c, char32_t low, char32_t high) { return low <= c && c <= high; }
bool digit(char32_t c) { return within(c, '0', '9'); }
bool letter(char32_t c) {
  if (c < 128) return within(c | 32, 'a', 'z');
  return (within(c, 0xC0, 0x17E) && c != 0xD7 && c != 0xF7) || within(c, 0x400, 0x527) || within(c, 0x1D00, 0x1D7F);
}
bool blank(char32_t c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool other_blank(char32_t c) {
  return c == 0xA0 || within(c, 0x2000, 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
}
bool known(char32_t c) {
  return letter(c) || digit(c) || blank(c) || c == '\v' || c == '.' || c == ',' || c == '\'' || c == '-';
}
// Letters whose lower case is known here to be themselves.
bool plain(char32_t c) { return c < 128 || within(c, 0xA0, 0xBF) || within(c, 0xDF, 0xFF) || within(c, 0x2010, 0x205E); }

bool decode(std::string_view bytes, Text& text) {
  for (std::size_t i = 0; i < bytes.size();) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(i + k < bytes.size() ? bytes[i + k] : 0); };
    char32_t c = byte(0);
    std::size_t size = 1;
    if (c >= 0xE0) {
      c = (c & 15) << 12 | (byte(1) & 63u) << 6 | (byte(2) & 63u);
      size = byte(0) < 0xF0 ? 3 : 4;
    } else if (c >= 0xC0) {
      c = (c & 31) << 6 | (byte(1) & 63u);
      size = 2;
    }
    if (size == 4 || !plain(c)) return false;
    text.push_back(c);
    i += size;
  }
  return true;
}

void encode(char32_t c, std::string& bytes) {
  if (c < 0x80) {
    bytes += static_cast<char>(c);
  } else if (c < 0x800) {
    bytes += static_cast<char>(0xC0 | c >> 6);
    bytes += static_cast<char>(0x80 | (c & 63));
  } else {
    bytes += static_cast<char>(0xE0 | c >> 12);
    bytes += static_cast<char>(0x80 | (c >> 6 & 63));
    bytes += static_cast<char>(0x80 | (c & 63));
  }
}

// Rewrites text from left to right: at each place `rule` appends what stands there instead to `to` and says how many
// characters that was; 0 leaves one character as it is.
template <class Rule>
void rewrite(Text& text, Text& to, const Rule& rule) {
  to.clear();
  to.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t taken = rule(i);
    if (taken == 0) to.push_back(text[i]);
    i += std::max<std::size_t>(taken, 1);
  }
  text.swap(to);
}

// Rewrites a mark between two characters: left, `between`, right.
template <class Left, class Right>
void part(Text& text, Text& to, char32_t mark, const Left& left, const Right& right, const char32_t* between) {
  if (text.find(mark) == Text::npos) return;
  rewrite(text, to, [&](std::size_t i) -> std::size_t {
    if (i + 2 >= text.size() || text[i + 1] != mark || !left(text[i]) || !right(text[i + 2])) return 0;
    to.push_back(text[i]);
    to += between;
    to.push_back(text[i + 2]);
    return 3;
  });
}

void merge_twins(Text& text, Text& to, char32_t twin, char32_t one) {
  if (text.find(twin) == Text::npos) return;
  rewrite(text, to, [&](std::size_t i) -> std::size_t {
    if (text[i] != twin || i + 1 >= text.size() || text[i + 1] != twin) return 0;
    to.push_back(one);
    return 2;
  });
}

void split(Text& text, Text& to) {
  rewrite(text, to, [&](std::size_t i) -> std::size_t {
    switch (text[i]) {
      case U'‘': case U'’': case U'`': to.push_back('\''); return 1;
      case U'“': case U'”': to.push_back('"'); return 1;
      case U'–': to += U" - "; return 1;
      default: return 0;
    }
  });
  merge_twins(text, to, '\'', '"');
  merge_twins(text, to, '-', '-');
  rewrite(text, to, [&](std::size_t i) -> std::size_t {
    std::size_t stops = 0;
    while (i + stops < text.size() && text[i + stops] == '.') ++stops;
    if (stops < 2 && known(text[i])) return 0;
    stops = std::max<std::size_t>(stops, 1);
    to.push_back(' ');
    to.append(text, i, stops);
    to.push_back(' ');
    return stops;
  });
  const auto no_digit = [](char32_t c) { return !digit(c); };
  const auto no_letter = [](char32_t c) { return !letter(c); };
  part(text, to, ',', no_digit, no_digit, U" , ");
  part(text, to, ',', digit, no_digit, U" , ");
  part(text, to, ',', no_digit, digit, U" , ");
  part(text, to, '\'', no_letter, no_letter, U" ' ");
  part(text, to, '\'', [](char32_t c) { return !letter(c) && !digit(c); }, letter, U" ' ");
  part(text, to, '\'', letter, no_letter, U" ' ");
  part(text, to, '\'', letter, letter, U" '");
  part(text, to, '\'', digit, [](char32_t c) { return c == 's'; }, U" '");
  part(text, to, '-', [](char32_t c) { return letter(c) || digit(c) || c == '.'; },
       [](char32_t c) { return letter(c) || digit(c); }, U" ");
}

std::string bytes_of(const Text& text) {
  std::string bytes;
  for (const char32_t c : text) encode(c, bytes);
  return bytes;
}

// What becomes of a word that ends with a full stop.
Text stop(const Text& word, char32_t following, const KeepsStop& keeps) {
  const Text before = word.substr(0, word.size() - 1);
  if (before.find_first_not_of('.') == Text::npos) return word;
  if (before.find('.') != Text::npos && std::any_of(before.begin(), before.end(), letter)) {
    Text joined = before;
    std::erase(joined, U'.');
    return joined;
  }
  if (within(following, 'a', 'z') || keeps(bytes_of(before), false) || (digit(following) && keeps(bytes_of(before), true))) {
    return word;
  }
  return before + U" .";
}

std::vector<std::u32string_view> cut(std::u32string_view text) {
  std::vector<std::u32string_view> words;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = std::find_if_not(text.begin() + i, text.end(), blank) - text.begin();
    const std::size_t end = std::find_if(text.begin() + begin, text.end(), blank) - text.begin();
    if (begin < end) words.push_back(text.substr(begin, end - begin));
    i = std::max(end, begin);
  }
  return words;
}

}  // namespace

std::optional<std::vector<std::string>> meteor_words(std::string_view bytes, const KeepsStop& keeps) {
  Text text = U" ", to;
  if (!decode(bytes, text)) return std::nullopt;
  text.push_back(' ');
  split(text, to);
  const std::vector<std::u32string_view> words = cut(text);
  Text line;
  line.reserve(text.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].size() == 1 && other_blank(words[i][0])) continue;
    if (words[i].back() == '.') {
      line += stop(Text(words[i]), i + 1 < words.size() ? words[i + 1][0] : U'\0', keeps);
    } else {
      line += words[i];
    }
    line.push_back(' ');
  }
  const auto control = [](char32_t c) { return c <= ' '; };
  while (!line.empty() && control(line.back())) line.pop_back();
  line.erase(line.begin(), std::find_if_not(line.begin(), line.end(), control));
  std::vector<std::string> found;
  for (const char32_t c : line) {
    if (c == ' ' || found.empty()) found.emplace_back();
    if (c != ' ') encode(within(c, 'A', 'Z') ? c + 32 : c, found.back());
  }
  return found;
}

}  // namespace rainbow
