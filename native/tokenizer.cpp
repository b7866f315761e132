#include "tokenizer.hpp"

#include <stdexcept>

#include "strings.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

constexpr std::size_t kRemembered = 1 << 16;  // segments
constexpr std::size_t kLongest = 64;          // bytes of a segment worth remembering

// Whether all of a text is printable ASCII; without a branch, so that it takes many bytes at once.
bool is_printable_ascii(std::string_view text) {
  unsigned other = 0;
  for (const char byte : text) other |= static_cast<unsigned>(static_cast<unsigned char>(byte - 0x20) >= 0x5F);
  return other == 0;
}

// Whether a text can be cut at blanks byte by byte: no control character, no blank beyond ASCII, no soft hyphen.
bool is_plain(std::string_view text) {
  if (is_printable_ascii(text)) return true;
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

}  // namespace

std::uint32_t Tokenizer::Memory::find(std::string_view segment, std::uint64_t hash) const {
  return places.find(hash, [&](std::uint32_t place) {
    return std::string_view(bytes).substr(ends[place], ends[place + 1] - ends[place]) == segment;
  });
}

void Tokenizer::Memory::add(std::string_view segment, std::uint64_t hash, const std::vector<std::string>& of_segment) {
  for (const std::string& token : of_segment) tokens.push_back(words.add(token));
  bytes += segment;
  ends.push_back(bytes.size());
  last.push_back(tokens.size());
  places.add(hash, static_cast<std::uint32_t>(ends.size() - 2), [&](std::uint32_t place) {
    return hash_of(std::string_view(bytes).substr(ends[place], ends[place + 1] - ends[place]));
  });
}

Tokenizer::Tokenizer(py::function tokens, const std::string& boundary)
    : tokens_(std::move(tokens)), memory_(std::make_shared<Memory>()) {
  if (boundary != "ptb" && boundary != "blanks") throw std::invalid_argument("the boundary is `ptb` or `blanks`");
  boundary_ = boundary == "ptb" ? Boundary::kPtb : Boundary::kBlanks;
}

std::shared_ptr<Texts> Tokenizer::encode(const py::sequence& texts, std::shared_ptr<Vocabulary> vocabulary) {
  if (!vocabulary) throw std::invalid_argument("texts need a vocabulary");
  // A full memory is replaced, not emptied: calls of other threads, let in while Python runs, may still look at it.
  if (memory_->ends.size() > kRemembered) memory_ = std::make_shared<Memory>();
  auto encoded = std::make_shared<Texts>(std::move(vocabulary));
  Encoding encoding{*encoded, memory_, {}};
  for (const py::handle text : texts) {
    py::object keeper;
    push_text(encoding, text, utf8(text, keeper));
    encoded->end_text();
  }
  return encoded;
}

void Tokenizer::push_text(Encoding& encoding, const py::handle& text, std::string_view bytes) {
  const bool ptb = boundary_ == Boundary::kPtb;
  if (!is_plain(bytes) || (ptb && bytes.find('<') != bytes.npos)) {
    for (const std::string& token : ask(text)) encoding.texts.push(token);
    return;
  }
  std::size_t start = 0;
  for (std::size_t i = 0; (i = bytes.find(' ', i)) != bytes.npos;) {
    std::size_t end = i + 1;
    while (end < bytes.size() && bytes[end] == ' ') ++end;
    const bool kept = ptb && ((i > 0 && bytes[i - 1] == '.') ||
                              (end < bytes.size() && (bytes[end] == '.' || (bytes[end] >= '0' && bytes[end] <= '9'))));
    if (!kept) {
      push_segment(encoding, bytes.substr(start, i - start));
      start = end;
    }
    i = end;
  }
  push_segment(encoding, bytes.substr(start));
}

void Tokenizer::push_segment(Encoding& encoding, std::string_view segment) {
  if (segment.empty()) return;
  const std::uint64_t hash = hash_of(segment);
  if (const auto place = encoding.memory->find(segment, hash); place != HashIndex::kNone) {
    push_known(encoding, place);
    return;
  }
  // Asking runs Python, which may let another thread in here: nothing found before is used after it.
  const auto tokens =
      ask(py::reinterpret_steal<py::str>(PyUnicode_DecodeUTF8(segment.data(), segment.size(), "surrogatepass")));
  for (const std::string& token : tokens) encoding.texts.push(token);
  if (segment.size() > kLongest || encoding.memory->ends.size() > kRemembered) return;
  if (encoding.memory->find(segment, hash) == HashIndex::kNone) encoding.memory->add(segment, hash, tokens);
}

void Tokenizer::push_known(Encoding& encoding, std::uint32_t place) const {
  const Memory& memory = *encoding.memory;
  for (std::size_t i = memory.last[place]; i < memory.last[place + 1]; ++i) {
    const auto word = static_cast<std::size_t>(memory.tokens[i]);
    if (word >= encoding.numbers.size()) encoding.numbers.resize(memory.words.size(), -1);
    Id& number = encoding.numbers[word];
    if (number < 0) number = encoding.texts.vocabulary()->add(memory.words.word(memory.tokens[i]));
    encoding.texts.push(number);
  }
}

std::vector<std::string> Tokenizer::ask(const py::handle& text) const {
  std::vector<std::string> tokens;
  for (const py::handle token : tokens_(text)) {
    py::object keeper;
    tokens.emplace_back(utf8(token, keeper));
  }
  return tokens;
}

}  // namespace rainbow
