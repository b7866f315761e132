// The Snowball stemmer for English ("Porter2"); rainbow/text/words/snowball.py says where it comes from.
//
// It works on bytes: letters beyond ASCII are consonants wherever the rules look, but one of them counts as several
// letters. Only lengths of two and four letters matter to the rules, and those are counted as letters.
#include "stem.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace rainbow {
namespace {

using View = std::string_view;
using Change = std::pair<View, View>;

constexpr std::array<Change, 18> kExceptions{{{"skis", "ski"},       {"skies", "sky"},   {"dying", "die"},
                                              {"lying", "lie"},      {"tying", "tie"},   {"idly", "idl"},
                                              {"gently", "gentl"},   {"ugly", "ugli"},   {"early", "earli"},
                                              {"only", "onli"},      {"singly", "singl"}, {"sky", "sky"},
                                              {"news", "news"},      {"howe", "howe"},   {"atlas", "atlas"},
                                              {"cosmos", "cosmos"},  {"bias", "bias"},   {"andes", "andes"}}};
constexpr std::array<View, 8> kWhole{"inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"};
constexpr std::array<View, 9> kDouble{"bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"};
// In each list an ending stands before those that it ends with.
constexpr std::array<Change, 24> kStep2{
    {{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"},   {"abli", "able"},   {"entli", "ent"},
     {"izer", "ize"},    {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},    {"alism", "al"},    {"aliti", "al"},
     {"alli", "al"},     {"fulness", "ful"}, {"ousli", "ous"},   {"ousness", "ous"}, {"iveness", "ive"}, {"iviti", "ive"},
     {"biliti", "ble"},  {"bli", "ble"},     {"ogi", "og"},      {"fulli", "ful"},   {"lessli", "less"}, {"li", ""}}};
constexpr std::array<Change, 9> kStep3{{{"ational", "ate"}, {"tional", "tion"}, {"alize", "al"}, {"icate", "ic"},
                                        {"iciti", "ic"},    {"ical", "ic"},     {"ful", ""},     {"ness", ""},
                                        {"ative", ""}}};
constexpr std::array<View, 18> kStep4{"ement", "ment", "ent", "ance", "ence", "able", "ible", "ant", "ism",
                                      "ate",   "iti",  "ous", "ive",  "ize",  "ion",  "al",   "er",  "ic"};

bool vowel(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y'; }
bool has_vowel(View word) { return std::any_of(word.begin(), word.end(), vowel); }
bool begins_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }
std::size_t letters(View word) { return std::count_if(word.begin(), word.end(), begins_letter); }

// Where the region begins that lies behind the first consonant after a vowel.
std::size_t region(View word, std::size_t from) {
  for (std::size_t i = from; i + 1 < word.size(); ++i) {
    if (!vowel(word[i]) || vowel(word[i + 1])) continue;
    std::size_t end = i + 2;
    while (end < word.size() && !begins_letter(word[end])) ++end;
    return end;
  }
  return word.size();
}

bool ends_short(View word) {
  if (word.size() < 2) return false;
  std::size_t last = word.size() - 1;
  while (last > 0 && !begins_letter(word[last])) --last;
  if (last == 0 || vowel(word[last]) || !vowel(word[last - 1])) return false;
  if (last == 1) return true;
  return !vowel(word[last - 2]) && word[last] != 'w' && word[last] != 'x' && word[last] != 'Y';
}

template <class Items>
const Change* ending(View word, const Items& changes) {
  const Change* best = nullptr;
  for (const Change& change : changes) {
    if (word.ends_with(change.first) && (!best || change.first.size() > best->first.size())) best = &change;
  }
  return best;
}

class Stemmer {
 public:
  explicit Stemmer(View word) : word_(word) {
    for (std::size_t i = 0; i < word_.size(); ++i) {
      if (word_[i] == 'y' && (i == 0 || vowel(word_[i - 1]))) word_[i] = 'Y';
    }
    r1_ = word_.starts_with("gener") || word_.starts_with("arsen") ? 5
          : word_.starts_with("commun")                            ? 6
                                                                   : region(word_, 0);
    r2_ = region(word_, r1_);
  }

  std::string result() {
    step_0();
    step_1a();
    if (std::find(kWhole.begin(), kWhole.end(), word_) == kWhole.end()) {
      step_1b();
      if (letters(word_) > 2 && (word_.back() == 'y' || word_.back() == 'Y') && !vowel(word_[word_.size() - 2])) {
        word_.back() = 'i';
      }
      step_2();
      step_3();
      step_4();
      step_5();
    }
    std::replace(word_.begin(), word_.end(), 'Y', 'y');
    return word_;
  }

 private:
  void cut(std::size_t size, View replacement = "") { word_.replace(word_.size() - size, size, replacement); }

  void step_0() {
    for (const View possessive : {View("'s'"), View("'s"), View("'")}) {
      if (word_.ends_with(possessive)) return cut(possessive.size());
    }
  }

  void step_1a() {
    if (word_.ends_with("sses")) return cut(2);
    if (word_.ends_with("ied") || word_.ends_with("ies")) return cut(letters(word_) > 4 ? 2 : 1);
    if (!word_.ends_with("s") || word_.ends_with("us") || word_.ends_with("ss") || word_.size() < 2) return;
    std::size_t before = word_.size() - 2;  // the letter before the s does not count
    while (before > 0 && !begins_letter(word_[before])) --before;
    if (has_vowel(View(word_).substr(0, before))) cut(1);
  }

  void step_1b() {
    for (const View eed : {View("eedly"), View("eed")}) {
      if (!word_.ends_with(eed)) continue;
      if (word_.size() - eed.size() >= r1_) cut(eed.size(), "ee");
      return;
    }
    for (const View past : {View("ingly"), View("edly"), View("ing"), View("ed")}) {
      if (!word_.ends_with(past)) continue;
      if (has_vowel(View(word_).substr(0, word_.size() - past.size()))) {
        cut(past.size());
        mend();
      }
      return;
    }
  }

  void mend() {
    if (word_.ends_with("at") || word_.ends_with("bl") || word_.ends_with("iz")) {
      word_ += 'e';
    } else if (std::any_of(kDouble.begin(), kDouble.end(), [&](View pair) { return word_.ends_with(pair); })) {
      cut(1);
    } else if (word_.size() <= r1_ && ends_short(word_)) {
      word_ += 'e';
    }
  }

  void step_2() {
    const Change* const found = ending(word_, kStep2);
    if (!found || word_.size() - found->first.size() < r1_) return;
    const std::size_t base = word_.size() - found->first.size();
    const char before = base ? word_[base - 1] : '\0';
    if (found->first == "ogi" && before != 'l') return;
    if (found->first == "li" && View("cdeghkmnrt").find(before) == View::npos) return;
    cut(found->first.size(), found->second);
  }

  void step_3() {
    const Change* const found = ending(word_, kStep3);
    if (!found || word_.size() - found->first.size() < (found->first == "ative" ? r2_ : r1_)) return;
    cut(found->first.size(), found->second);
  }

  void step_4() {
    View longest;
    for (const View candidate : kStep4) {
      if (word_.ends_with(candidate) && candidate.size() > longest.size()) longest = candidate;
    }
    if (longest.empty() || word_.size() - longest.size() < r2_) return;
    const std::size_t base = word_.size() - longest.size();
    if (longest == "ion" && (base == 0 || (word_[base - 1] != 's' && word_[base - 1] != 't'))) return;
    cut(longest.size());
  }

  void step_5() {
    if (word_.empty()) return;
    const std::size_t base = word_.size() - 1;
    if (word_.back() == 'e') {
      if (base >= r2_ || (base >= r1_ && !ends_short(View(word_).substr(0, base)))) cut(1);
    } else if (word_.ends_with("ll") && base >= r2_) {
      cut(1);
    }
  }

  std::string word_;
  std::size_t r1_, r2_;
};

}  // namespace

std::string english_stem(View word) {
  if (letters(word) <= 2) return std::string(word);
  for (const auto& [form, stem] : kExceptions) {
    if (word == form) return std::string(stem);
  }
  if (word.starts_with('\'')) word.remove_prefix(1);
  return Stemmer(word).result();
}

}  // namespace rainbow
