#include "tokenizer.hpp"

#include <bit>
#include <cstring>
#include <stdexcept>

#include "strings.hpp"

namespace py = pybind11;

namespace rainbow {
namespace {

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

std::uint64_t eight_bytes(std::string_view text, std::size_t at) {
  std::uint64_t bytes;
  std::memcpy(&bytes, text.data() + at, sizeof bytes);
  return bytes;
}

// The first eight bytes of a stretch of text, zeros behind them where it has fewer.
std::uint64_t head_of(std::string_view text, std::size_t start, std::size_t end) {
  if (start + 8 > text.size()) {
    std::uint64_t head = 0;
    std::memcpy(&head, text.data() + start, end - start);
    return head;
  }
  const std::uint64_t head = eight_bytes(text, start);
  return end - start >= 8 ? head : head & ((std::uint64_t{1} << 8 * (end - start)) - 1);
}

std::uint64_t segment_hash(std::string_view segment, std::uint64_t head) {
  return segment.size() > 8 ? hash_of(segment) : mixed(head + segment.size());
}

// Where the next blank stands, from a place on; npos where there is none.
std::size_t next_blank(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  if (std::endian::native == std::endian::little && at + 8 <= text.size()) {
    // The lowest byte that is zero is found exactly (Warren, Hacker's Delight, 6-1); most words end within eight bytes.
    const std::uint64_t other = eight_bytes(text, at) ^ (kOnes * ' ');
    if (const std::uint64_t blank = (other - kOnes) & ~other & (kOnes << 7)) return at + std::countr_zero(blank) / 8;
    at += 8;
  }
  return text.find(' ', at);
}

}  // namespace

const Tokenizer::Memory::Segment* Tokenizer::Memory::find(std::string_view segment, std::uint64_t head) const {
  const auto place = places_.find(segment_hash(segment, head), [&](std::uint32_t other) {
    const Segment& known = segments_[other];
    return known.head == head && known.size == segment.size() && (segment.size() <= 8 || bytes(known) == segment);
  });
  return place == HashIndex::kNone ? nullptr : &segments_[place];
}

void Tokenizer::Memory::add(std::string_view segment, std::uint64_t head, const std::vector<std::string>& tokens) {
  std::size_t first = tokens_.size();
  if (tokens.size() == 1) {
    first = static_cast<std::size_t>(words_.add(tokens[0]));
  } else {
    for (const std::string& token : tokens) tokens_.push_back(words_.add(token));
  }
  const auto size = static_cast<std::uint32_t>(segment.size()), count = static_cast<std::uint32_t>(tokens.size());
  segments_.push_back({head, bytes_.size(), size, count, first});
  bytes_ += segment;
  places_.add(segment_hash(segment, head), static_cast<std::uint32_t>(segments_.size() - 1),
              [&](std::uint32_t place) { return segment_hash(bytes(segments_[place]), segments_[place].head); });
}

Tokenizer::Tokenizer(py::function tokens, const std::string& boundary)
    : tokens_(std::move(tokens)), memory_(std::make_shared<Memory>()) {
  if (boundary != "ptb" && boundary != "blanks") throw std::invalid_argument("the boundary is `ptb` or `blanks`");
  boundary_ = boundary == "ptb" ? Boundary::kPtb : Boundary::kBlanks;
}

std::shared_ptr<Texts> Tokenizer::encode(const py::sequence& texts, std::shared_ptr<Vocabulary> vocabulary) {
  if (!vocabulary) throw std::invalid_argument("texts need a vocabulary");
  // A full memory is replaced, not emptied: calls of other threads, let in while Python runs, may still look at it.
  if (memory_->is_full()) memory_ = std::make_shared<Memory>();
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
  for (std::size_t i = 0; (i = next_blank(bytes, i)) != bytes.npos;) {
    std::size_t end = i + 1;
    while (end < bytes.size() && bytes[end] == ' ') ++end;
    const bool kept = ptb && ((i > 0 && bytes[i - 1] == '.') ||
                              (end < bytes.size() && (bytes[end] == '.' || (bytes[end] >= '0' && bytes[end] <= '9'))));
    if (!kept) {
      push_segment(encoding, bytes, start, i);
      start = end;
    }
    i = end;
  }
  push_segment(encoding, bytes, start, bytes.size());
}

void Tokenizer::push_segment(Encoding& encoding, std::string_view text, std::size_t start, std::size_t end) {
  if (start == end) return;
  const std::string_view segment = text.substr(start, end - start);
  const std::uint64_t head = head_of(text, start, end);
  if (const auto* known = encoding.memory->find(segment, head)) {
    push_known(encoding, *known);
    return;
  }
  // Asking runs Python, which may let another thread in here: nothing found before is used after it.
  const auto tokens =
      ask(py::reinterpret_steal<py::str>(PyUnicode_DecodeUTF8(segment.data(), segment.size(), "surrogatepass")));
  for (const std::string& token : tokens) encoding.texts.push(token);
  if (segment.size() > kLongest || encoding.memory->is_full()) return;
  if (!encoding.memory->find(segment, head)) encoding.memory->add(segment, head, tokens);
}

void Tokenizer::push_known(Encoding& encoding, const Memory::Segment& segment) const {
  for (std::size_t i = 0; i < segment.count; ++i) {
    const Id word = encoding.memory->token(segment, i);
    if (static_cast<std::size_t>(word) >= encoding.numbers.size()) {
      encoding.numbers.resize(encoding.memory->words().size(), -1);
    }
    Id& number = encoding.numbers[word];
    if (number < 0) number = encoding.texts.vocabulary()->add(encoding.memory->words().word(word));
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
