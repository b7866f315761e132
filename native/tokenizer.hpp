// Tokens of whole batches: what stands between boundaries is looked up, and asked of the tokenizer once.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "texts.hpp"

namespace rainbow {

// The tokenizer that is given (a Python function of one text) decides what a token is. All that is known here is where
// no token and no rule of it looks across: at blanks, or at those blanks that PTB tokens never span.
class Tokenizer {
 public:
  enum class Boundary { kBlanks, kPtb };

  Tokenizer(pybind11::function tokens, const std::string& boundary);

  std::shared_ptr<Texts> encode(const pybind11::sequence& texts, std::shared_ptr<Vocabulary> vocabulary);

 private:
  using Tokens = std::vector<std::string>;

  void push_text(Texts& texts, const pybind11::handle& text, std::string_view bytes);
  void push_segment(Texts& texts, std::string_view segment);
  Tokens ask(const pybind11::handle& text) const;

  pybind11::function tokens_;
  Boundary boundary_;
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, Tokens, Hash, std::equal_to<>> known_;
};

}  // namespace rainbow
