// What a text speaks of: phrases however they are spaced, words however inflected, denials.
#include "mentions.hpp"

#include <cmath>

#include "strings.hpp"

namespace py = pybind11;

namespace rainbow {

const Token kGap{.text = "|", .stem = "|", .spelled = "|", .marks = kBreak};

const Token* TokenMemory::word(std::string_view text) {
  if (const Id known = numbers_.find(text); known >= 0) return &words_[known];
  // Asking runs Python, which may let another thread in here.
  const auto told = py::cast<py::tuple>(tell_(text_of(text)));
  const Id number = numbers_.add(text);
  if (static_cast<std::size_t>(number) < words_.size()) return &words_[number];
  bytes_ += text.size();
  py::object keeper;
  const auto string = [&](int place) { return std::string(utf8(told[place], keeper)); };
  return &words_.emplace_back(Token{std::string(text), string(0), string(1), string(2), string(3), string(4),
                                    told[5].cast<unsigned>(), Root(text)});
}

Root::Root(std::string_view word) {
  constexpr std::size_t kLongest = 40, kShortest = 4;
  constexpr double kShare = 0.65;
  const std::size_t size = std::min(characters(word), kLongest);
  const auto end_of = [&](std::size_t count) {
    std::size_t end = 0;
    for (; end < word.size() && (count > 0 || (word[end] & 0xC0) == 0x80); ++end) count -= (word[end] & 0xC0) != 0x80;
    return count > 0 ? word.size() + 1 : end;
  };
  text = word.substr(0, end_of(size));
  shortest = end_of(std::max(kShortest, static_cast<std::size_t>(std::ceil(kShare * static_cast<double>(size)))));
}

bool Root::is_shared(const Root& other) const {
  const auto common = std::mismatch(text.begin(), text.end(), other.text.begin(), other.text.end()).first;
  return static_cast<std::size_t>(common - text.begin()) >= std::max(shortest, other.shortest);
}

Phrases::Phrases(std::vector<std::string> phrases, std::shared_ptr<const Phrases> further)
    : phrases_(std::move(phrases)), further_(std::move(further)), first_bytes_(256) {
  for (const std::string& phrase : phrases_) {
    first_bytes_[phrase.empty() ? 's' : static_cast<unsigned char>(phrase[0])] = true;
  }
}

bool Phrases::has_beginning(std::string_view text) const {
  if (first_bytes_[static_cast<unsigned char>(text[0])] &&
      (phrases_.has_beginning(text) || (text.back() == 's' && phrases_.has(text.substr(0, text.size() - 1))))) {
    return true;
  }
  return further_ && further_->has_beginning(text);
}

namespace {

// The longest phrase that starts at a place, with a plural s or without; it stops at 0 if there is none.
Mention mention_at(const Tokens& words, std::size_t start, const Phrases& phrases) {
  Mention found{start, 0, {}};
  std::string letters;
  for (std::size_t stop = start; stop < words.size() && words[stop] != &kGap; ++stop) {
    if (!words[stop]->is(kAlphanumeric)) continue;
    letters += words[stop]->text;
    if (!phrases.has_beginning(letters)) break;
    if (phrases.has(letters)) {
      found = {start, stop + 1, letters};
    } else if (letters.back() == 's' && phrases.has({letters.data(), letters.size() - 1})) {
      found = {start, stop + 1, letters.substr(0, letters.size() - 1)};
    }
  }
  return found;
}

}  // namespace

std::vector<Mention> mentions(const Tokens& words, const Phrases& phrases) {
  std::vector<Mention> found;
  for (std::size_t place = 0; place < words.size();) {
    if (phrases.has_beginning(words[place]->text)) {
      if (Mention mention = mention_at(words, place, phrases); mention.stop) {
        place = mention.stop;
        found.push_back(std::move(mention));
        continue;
      }
    }
    ++place;
  }
  return found;
}

Tokens without(const Tokens& words, std::span<const Mention> taken) {
  Tokens rest;
  auto place = words.begin();
  for (const Mention& mention : taken) {
    rest.insert(rest.end(), place, words.begin() + mention.start);
    rest.push_back(&kGap);
    place = words.begin() + mention.stop;
  }
  rest.insert(rest.end(), place, words.end());
  return rest;
}

std::vector<std::string> strays(const Tokens& words, const Phrases& known, const Strings& licensed) {
  std::vector<std::string> found;
  for (Mention& mention : mentions(words, known)) {
    const auto stray = [&](const Token* word) { return word->is(kAlphanumeric) && !licensed.has(word->stem); };
    if (!licensed.has(mention.phrase) &&
        std::any_of(words.begin() + mention.start, words.begin() + mention.stop, stray)) {
      found.push_back(std::move(mention.phrase));
    }
  }
  return found;
}

std::vector<std::string> strings_of(const py::handle& texts) {
  std::vector<std::string> found;
  py::object keeper;
  for (const py::handle text : texts) found.emplace_back(utf8(text, keeper));
  return found;
}

namespace {

constexpr std::size_t kDeniedAfter = 2;

bool denied_after(const Tokens& words, std::size_t place) {
  const std::size_t end = std::min(words.size(), place + 1 + kDeniedAfter);
  for (std::size_t i = place + 1; i < end && !words[i]->is(kBreak); ++i) {
    if (words[i]->is(kNegation)) return true;
  }
  return false;
}

}  // namespace

std::vector<bool> denials(const Tokens& words, const Strings& stems, std::size_t reach) {
  std::vector<bool> found;
  std::size_t negation = 0, next = 0;  // one behind the clause's last negation, or 0, and behind the last word found
  for (std::size_t place = 0; place < words.size(); ++place) {
    if (words[place]->is(kBreak)) {
      negation = 0;
    } else if (stems.has(words[place]->stem)) {
      const bool before = negation && (reach == kAnyReach || place + 1 - negation <= reach);
      const bool denied = before || denied_after(words, place);
      if (place > 0 && next == place) {
        found.back() = found.back() || denied;
      } else {
        found.push_back(denied);
      }
      next = place + 1;
    }
    if (words[place]->is(kNegation)) negation = place + 1;
  }
  return found;
}

}  // namespace rainbow
