// Replaces the values of a meaning representation in texts by placeholders.
#include <pybind11/pybind11.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bind.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

// What Python's `re` says of the letters of Latin-1: \w, [\s_-], and the small letter that it ignores the case by.
struct Letters {
  std::array<bool, 256> word{}, separator{};
  std::array<unsigned char, 256> small{};

  constexpr Letters() {
    for (int c = 0; c < 256; ++c) {
      const bool capital = ('A' <= c && c <= 'Z') || (0xC0 <= c && c <= 0xDE && c != 0xD7);
      small[c] = static_cast<unsigned char>(capital ? c + 32 : c);
      word[c] = capital || ('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || c == '_' || (c >= 0xDF && c != 0xF7);
      separator[c] = c == '_' || c == '-' || c == ' ' || (9 <= c && c <= 13) || (0x1C <= c && c <= 0x1F) || c == 0x85 || c == 0xA0;
    }
    for (const int c : {0xAA, 0xB2, 0xB3, 0xB5, 0xB9, 0xBA, 0xBC, 0xBD, 0xBE}) word[c] = true;
  }
};
constexpr Letters kLetters;

using Latin = std::basic_string<unsigned char>;

struct LatinValue {
  Latin letters;  // small, without separators
  std::string placeholder;
};

struct Occurrence {
  std::size_t start, end;
  const LatinValue* value;
};

class Delexicaliser {
 public:
  explicit Delexicaliser(const py::list& values) {
    for (const py::handle value : values) {
      const auto [letters, placeholder] = value.cast<std::pair<py::bytes, py::bytes>>();
      const std::string_view bytes = letters;
      if (bytes.empty()) throw std::invalid_argument("a value has no letters");
      Latin small;
      for (const char letter : bytes) small += kLetters.small[static_cast<unsigned char>(letter)];
      values_.push_back({small, placeholder});
    }
  }

  // The text with its values replaced; None if it has other letters than those of Latin-1.
  py::object replaced(const py::str& text) const {
    if (PyUnicode_KIND(text.ptr()) != PyUnicode_1BYTE_KIND) return py::none();
    const std::basic_string_view<unsigned char> letters(PyUnicode_1BYTE_DATA(text.ptr()), PyUnicode_GET_LENGTH(text.ptr()));
    Latin small(letters);
    for (unsigned char& letter : small) letter = kLetters.small[letter];
    std::vector<Occurrence> found;
    for (const LatinValue& value : values_) {
      if (const auto place = find(small, value, 0)) found.push_back(*place);
    }
    if (found.empty()) return text;
    std::string made;
    std::size_t end = 0;
    while (!found.empty()) {
      // Of several at one place the first, which is the longest.
      const Occurrence next = *std::min_element(found.begin(), found.end(), [](const Occurrence& a, const Occurrence& b) { return a.start < b.start; });
      made.append(reinterpret_cast<const char*>(letters.data()) + end, next.start - end).append(next.value->placeholder);
      end = next.end;
      std::erase_if(found, [&](Occurrence& place) {
        if (place.start >= end) return false;
        const auto later = find(small, *place.value, end);
        if (later) place = *later;
        return !later;
      });
    }
    made.append(reinterpret_cast<const char*>(letters.data()) + end, letters.size() - end);
    return py::reinterpret_steal<py::object>(PyUnicode_DecodeLatin1(made.data(), static_cast<py::ssize_t>(made.size()), nullptr));
  }

 private:
  static std::optional<Occurrence> find(const Latin& text, const LatinValue& value, std::size_t from) {
    for (std::size_t start = from; (start = text.find(value.letters[0], start)) != text.npos; ++start) {
      if (start > 0 && kLetters.word[text[start - 1]]) continue;
      if (const auto end = end_of(text, value.letters, start)) return Occurrence{start, *end, &value};
    }
    return std::nullopt;
  }

  // Where a value that begins here ends, if it is there: one separator may stand between two letters, and behind it
  // no letter but a plural s.
  static std::optional<std::size_t> end_of(const Latin& text, const Latin& letters, std::size_t place) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      if (i > 0 && place < text.size() && kLetters.separator[text[place]]) ++place;
      if (place == text.size() || text[place++] != letters[i]) return std::nullopt;
    }
    const auto is_over = [&](std::size_t at) { return at == text.size() || !kLetters.word[text[at]]; };
    const bool alone = is_over(place) || (text[place] == 's' && is_over(place + 1));
    return alone ? std::optional(place) : std::nullopt;
  }

  std::vector<LatinValue> values_;
};

}  // namespace

void bind_delexicalisation(py::module_& module) {
  py::class_<Delexicaliser>(module, "Delexicaliser", "Values of a meaning representation and their placeholders, in the order in which they are preferred.")
      .def(py::init<const py::list&>(), py::arg("values"))
      .def("replaced", &Delexicaliser::replaced, py::arg("text"),
           "The text with its values replaced by placeholders; None if it has letters beyond Latin-1.");
}

}  // namespace rainbow
