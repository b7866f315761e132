#include "tokenizer.hpp"

#include <stdexcept>

namespace py = pybind11;

namespace rainbow {
namespace {

constexpr std::size_t kRemembered = 1 << 16;  // segments
constexpr std::size_t kLongest = 64;          // bytes of a segment worth remembering

// Whether a text can be cut at blanks byte by byte: no control character, no blank beyond ASCII, no soft hyphen.
bool is_plain(std::string_view text) {
  const auto at = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned byte = at(i);
    if (byte < 0x20 || byte == 0x7F) return false;
    if (byte < 0x80) continue;
    const unsigned next = at(i + 1), last = at(i + 2);
    if (byte == 0xC2 && (next < 0xA1 || next == 0xAD)) return false;
    if (byte == 0xE1 && next == 0x9A && last == 0x80) return false;
    if (byte == 0xE2 && next == 0x80 && (last <= 0x8A || last == 0xA8 || last == 0xA9 || last == 0xAF)) return false;
    if (byte == 0xE2 && next == 0x81 && last == 0x9F) return false;
    if (byte == 0xE3 && next == 0x80 && last == 0x80) return false;
  }
  return true;
}

// A text's UTF-8; lone surrogates, which have none, are written as their three bytes.
std::string_view utf8(const py::handle& text, py::object& keeper) {
  if (!PyUnicode_Check(text.ptr())) throw py::type_error("a text is not a string");
  Py_ssize_t size = 0;
  if (const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size)) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();
  keeper = py::reinterpret_steal<py::object>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
  if (!keeper) throw py::error_already_set();
  return {PyBytes_AS_STRING(keeper.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(keeper.ptr()))};
}

}  // namespace

Tokenizer::Tokenizer(py::function tokens, const std::string& boundary) : tokens_(std::move(tokens)) {
  if (boundary != "ptb" && boundary != "blanks") throw std::invalid_argument("the boundary is `ptb` or `blanks`");
  boundary_ = boundary == "ptb" ? Boundary::kPtb : Boundary::kBlanks;
}

std::shared_ptr<Texts> Tokenizer::encode(const py::sequence& texts, std::shared_ptr<Vocabulary> vocabulary) {
  auto encoded = std::make_shared<Texts>(std::move(vocabulary));
  for (const py::handle text : texts) {
    py::object keeper;
    push_text(*encoded, text, utf8(text, keeper));
    encoded->end_text();
  }
  return encoded;
}

void Tokenizer::push_text(Texts& texts, const py::handle& text, std::string_view bytes) {
  const bool ptb = boundary_ == Boundary::kPtb;
  if (!is_plain(bytes) || (ptb && bytes.find('<') != bytes.npos)) {
    for (const std::string& token : ask(text)) texts.push(token);
    return;
  }
  std::size_t start = 0, i = 0;
  while (i < bytes.size()) {
    if (bytes[i] != ' ') {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (end < bytes.size() && bytes[end] == ' ') ++end;
    const bool kept = ptb && ((i > 0 && bytes[i - 1] == '.') ||
                              (end < bytes.size() && (bytes[end] == '.' || (bytes[end] >= '0' && bytes[end] <= '9'))));
    if (!kept) {
      push_segment(texts, bytes.substr(start, i - start));
      start = end;
    }
    i = end;
  }
  push_segment(texts, bytes.substr(start));
}

void Tokenizer::push_segment(Texts& texts, std::string_view segment) {
  if (segment.empty()) return;
  if (const auto found = known_.find(segment); found != known_.end()) {
    for (const std::string& token : found->second) texts.push(token);
    return;
  }
  // Asking runs Python, which may let another thread in here: nothing found before is used after it.
  Tokens tokens =
      ask(py::reinterpret_steal<py::str>(PyUnicode_DecodeUTF8(segment.data(), segment.size(), "surrogatepass")));
  for (const std::string& token : tokens) texts.push(token);
  if (segment.size() > kLongest) return;
  if (known_.size() >= kRemembered) known_.clear();
  known_.insert_or_assign(std::string(segment), std::move(tokens));
}

Tokenizer::Tokens Tokenizer::ask(const py::handle& text) const {
  Tokens tokens;
  for (const py::handle token : tokens_(text)) {
    py::object keeper;
    tokens.emplace_back(utf8(token, keeper));
  }
  return tokens;
}

}  // namespace rainbow
