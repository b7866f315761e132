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
  // Segments of texts and their tokens, as numbers of words of its own. What is asked about a short segment of one
  // token, the most common kind, lies together.
  class Memory {
   public:
    struct Segment {
      std::uint64_t head;  // its first eight bytes, zeros behind them where there are fewer
      std::size_t start;   // among the bytes
      std::uint32_t size;
      std::uint32_t count;  // of tokens
      std::size_t first;    // the number of its only token, or where its tokens begin
    };

    // What is known of a segment; null where nothing is. It holds until something is added.
    const Segment* find(std::string_view segment, std::uint64_t head) const;
    void add(std::string_view segment, std::uint64_t head, const std::vector<std::string>& tokens);
    bool is_full() const { return segments_.size() >= kRemembered; }

    Id token(const Segment& segment, std::size_t i) const {
      return segment.count == 1 ? static_cast<Id>(segment.first) : tokens_[segment.first + i];
    }
    const Vocabulary& words() const { return words_; }

   private:
    static constexpr std::size_t kRemembered = 1 << 15;
    std::string_view bytes(const Segment& segment) const { return {bytes_.data() + segment.start, segment.size}; }

    Vocabulary words_;
    std::vector<Segment> segments_;
    std::string bytes_;
    std::vector<Id> tokens_;
    HashIndex places_;
  };

  // A call: where its tokens go, and which number each word of the memory has there (-1: not known yet).
  struct Encoding {
    Texts& texts;
    std::shared_ptr<Memory> memory;
    std::vector<Id> numbers;
  };

  void push_text(Encoding& encoding, const pybind11::handle& text, std::string_view bytes);
  void push_segment(Encoding& encoding, std::string_view text, std::size_t start, std::size_t end);
  void push_known(Encoding& encoding, const Memory::Segment& segment) const;
  std::vector<std::string> ask(const pybind11::handle& text) const;

  pybind11::function tokens_;
  Boundary boundary_;
  std::shared_ptr<Memory> memory_;
};

}  // namespace rainbow
