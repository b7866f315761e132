// Tokens of whole batches: what stands between boundaries is looked up, and asked of the tokenizer once.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <string_view>
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
  // Segments of texts and their tokens, as numbers of words of its own.
  struct Memory {
    std::uint32_t find(std::string_view segment, std::uint64_t hash) const;
    void add(std::string_view segment, std::uint64_t hash, const std::vector<std::string>& tokens);

    Vocabulary words;
    std::string bytes;                           // of all segments
    std::vector<std::size_t> ends{0}, last{0};   // of each segment among the bytes, and of its tokens
    std::vector<Id> tokens;
    HashIndex places;
  };

  // A call: where its tokens go, and which number each word of the memory has there (-1: not known yet).
  struct Encoding {
    Texts& texts;
    std::shared_ptr<Memory> memory;
    std::vector<Id> numbers;
  };

  void push_text(Encoding& encoding, const pybind11::handle& text, std::string_view bytes);
  void push_segment(Encoding& encoding, std::string_view segment);
  void push_known(Encoding& encoding, std::uint32_t place) const;
  std::vector<std::string> ask(const pybind11::handle& text) const;

  pybind11::function tokens_;
  Boundary boundary_;
  std::shared_ptr<Memory> memory_;
};

}  // namespace rainbow
