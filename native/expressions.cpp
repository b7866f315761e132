// Regular expressions of wordings, matched by trying and going back, in the order in which Python's `re` tries.
#include "expressions.hpp"

#include <cctype>
#include <limits>
#include <stdexcept>
#include <string>

namespace rainbow {
namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

// Texts hold no other letters beyond ASCII than those of words.
bool is_word(unsigned char byte) { return byte >= 0x80 || std::isalnum(byte) || byte == '_'; }

[[noreturn]] void unknown(std::string_view pattern) {
  throw std::invalid_argument("not an expression that is known: " + std::string(pattern));
}

}  // namespace

struct Expression::Node {
  enum class Kind { kBytes, kBoundary, kSequence, kEither, kRepeat, kLook } kind;
  Bytes bytes{};
  std::vector<Node> parts{};
  std::size_t least = 1, most = 1;      // of a repetition
  bool wanted = true, behind = false;  // of a look
};

class Expression::Parser {
 public:
  explicit Parser(std::string_view pattern) : pattern_(pattern) {}

  Node parsed() {
    Node node = either();
    if (place_ < pattern_.size()) unknown(pattern_);
    return node;
  }

 private:
  bool at(std::string_view text) const { return pattern_.substr(place_).starts_with(text); }
  bool take(std::string_view text) {
    if (!at(text)) return false;
    place_ += text.size();
    return true;
  }
  char next() {
    if (place_ == pattern_.size()) unknown(pattern_);
    return pattern_[place_++];
  }

  Node either() {
    Node node{Node::Kind::kEither};
    do node.parts.push_back(sequence());
    while (take("|"));
    return node;
  }

  Node sequence() {
    Node node{Node::Kind::kSequence};
    while (place_ < pattern_.size() && !at("|") && !at(")")) node.parts.push_back(repetition());
    return node;
  }

  Node repetition() {
    Node part = atom();
    Node node{Node::Kind::kRepeat};
    if (take("?")) {
      node.least = 0;
    } else if (take("*")) {
      node.least = 0, node.most = kUnlimited;
    } else if (take("+")) {
      node.most = kUnlimited;
    } else if (take("{")) {
      node.least = node.most = number();
      if (take(",")) node.most = number();
      if (!take("}")) unknown(pattern_);
    } else {
      return part;
    }
    if (at("?") || at("*") || at("+") || at("{")) unknown(pattern_);
    node.parts.push_back(std::move(part));
    return node;
  }

  std::size_t number() {
    std::size_t found = 0;
    if (!std::isdigit(static_cast<unsigned char>(pattern_[place_]))) unknown(pattern_);
    while (std::isdigit(static_cast<unsigned char>(pattern_[place_]))) found = 10 * found + (next() - '0');
    return found;
  }

  Node atom() {
    if (take("(?:")) return closed(either());
    if (take("(?=")) return look(true, false);
    if (take("(?!")) return look(false, false);
    if (take("(?<=")) return look(true, true);
    if (take("(?<!")) return look(false, true);
    if (take("\\b")) return Node{Node::Kind::kBoundary};
    Node node{Node::Kind::kBytes};
    if (take("\\w")) {
      for (std::size_t byte = 0; byte < 256; ++byte) node.bytes[byte] = is_word(static_cast<unsigned char>(byte));
    } else if (take("[")) {
      while (!take("]")) node.bytes[letter()] = true;
    } else {
      if (at("(") || at("^") || at("$") || at(".")) unknown(pattern_);
      take("\\");
      node.bytes[letter()] = true;
    }
    return node;
  }

  unsigned char letter() {
    const char found = next();
    if (!is_word(found) && found != '|' && found != ' ') unknown(pattern_);
    return static_cast<unsigned char>(found);
  }

  Node closed(Node node) {
    if (!take(")")) unknown(pattern_);
    return node;
  }

  Node look(bool wanted, bool behind) {
    Node node{Node::Kind::kLook};
    node.parts.push_back(closed(either()));
    node.wanted = wanted, node.behind = behind;
    return node;
  }

  std::string_view pattern_;
  std::size_t place_ = 0;
};

Expression::Expression(std::string_view pattern) {
  const State last = add({Kind::kEnd});
  start_ = compiled(Parser(pattern).parsed(), last);
  for (State state = 0; state < steps_.size(); ++state) first_.push_back(first_bytes(state));
}

Expression::State Expression::add(Step step) {
  steps_.push_back(step);
  return static_cast<State>(steps_.size() - 1);
}

Expression::State Expression::compiled(const Node& node, State next) {
  switch (node.kind) {
    case Node::Kind::kBytes: return add({Kind::kBytes, next, 0, node.bytes});
    case Node::Kind::kBoundary: return add({Kind::kBoundary, next});
    case Node::Kind::kRepeat: return repeated(node, next);
    case Node::Kind::kSequence:
      for (auto part = node.parts.rbegin(); part != node.parts.rend(); ++part) next = compiled(*part, next);
      return next;
    case Node::Kind::kEither: {
      State first = compiled(node.parts.back(), next);
      for (auto part = node.parts.rbegin() + 1; part != node.parts.rend(); ++part) {
        const State before = compiled(*part, next);
        first = add({Kind::kEither, before, first});
      }
      return first;
    }
    case Node::Kind::kLook: {
      std::size_t behind = 0;
      if (node.behind) {
        const Node& text = node.parts[0].parts[0];
        if (node.parts[0].parts.size() > 1) unknown("alternatives of what stands before");
        for (const Node& part : text.parts) {
          if (part.kind != Node::Kind::kBytes) unknown("what stands before, of any length");
        }
        behind = text.parts.size();
      }
      const State sought = compiled(node.parts[0], 0);
      return add({Kind::kLook, next, sought, {}, node.wanted, behind});
    }
  }
  unknown("a part of it");
}

Expression::State Expression::repeated(const Node& node, State next) {
  const Node& part = node.parts[0];
  if (node.most == kUnlimited) {
    if (part.kind != Node::Kind::kBytes) unknown("any number of anything but a letter");
    next = add({Kind::kRun, next, 0, part.bytes});
  } else {
    const State behind = next;
    for (std::size_t i = node.least; i < node.most; ++i) next = add({Kind::kEither, compiled(part, next), behind});
  }
  for (std::size_t i = 0; i < node.least; ++i) next = compiled(part, next);
  return next;
}

Expression::Bytes Expression::first_bytes(State state) const {
  const Step& step = steps_[state];
  switch (step.kind) {
    case Kind::kBytes: return step.bytes;
    case Kind::kEither: return first_bytes(step.next) | first_bytes(step.other);
    case Kind::kRun: return step.bytes | first_bytes(step.next);
    case Kind::kEnd: return Bytes().set();
    default: return first_bytes(step.next);
  }
}

std::size_t Expression::end(State state, std::string_view text, std::size_t place) const {
  const auto may_begin = [&](State at) {
    return place < text.size() ? first_[at][static_cast<unsigned char>(text[place])] : first_[at].all();
  };
  const auto in_word = [&](std::size_t at) { return at < text.size() && is_word(text[at]); };
  while (true) {
    const Step& step = steps_[state];
    switch (step.kind) {
      case Kind::kEnd: return place;
      case Kind::kBytes:
        if (place == text.size() || !step.bytes[static_cast<unsigned char>(text[place])]) return kNone;
        ++place;
        break;
      case Kind::kRun: {
        std::size_t last = place;
        while (last < text.size() && step.bytes[static_cast<unsigned char>(text[last])]) ++last;
        for (; last > place; --last) {
          if (const std::size_t found = end(step.next, text, last); found != kNone) return found;
        }
        break;
      }
      case Kind::kBoundary:
        if (in_word(place) == (place > 0 && in_word(place - 1))) return kNone;
        break;
      case Kind::kLook: {
        const bool found = place >= step.behind && end(step.other, text, place - step.behind) != kNone;
        if (found != step.wanted) return kNone;
        break;
      }
      case Kind::kEither:
        if (may_begin(step.next)) {
          if (const std::size_t found = end(step.next, text, place); found != kNone) return found;
        }
        state = step.other;
        continue;
    }
    state = step.next;
  }
}

}  // namespace rainbow
