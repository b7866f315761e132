// Edits with shifts of phrases, as translation edit rate counts them; rainbow/metrics/word/ter/shifts.py says what they are.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "beam.hpp"
#include "texts.hpp"

namespace rainbow {

class Shifts {
 public:
  // The number of edits that turn an output into a reference. `least` is a number that no order of the output's words
  // comes below; what is not fewer than `enough` is any number that is not.
  int edits(std::span<const Id> output, std::span<const Id> reference, int least, int enough);

 private:
  static constexpr int kLongestPhrase = 10, kFarthestMatch = 50, kMostMoves = 1000;

  struct Candidate {
    int gain;
    Move move;
  };

  void number(std::span<const Id> output, std::span<const Id> reference);
  template <class Table>
  int search(Table& table, int least, int enough);
  template <class Table>
  bool find_moves(const Table& table, int& tried);
  bool add_moves(std::span<const int> text, int start, int place, int& tried);
  template <class Table>
  Candidate best_move(Table& table, int most) const;
  static bool beats(const Candidate& one, const Candidate& other);

  BitTable<false> whole_;
  BitTable<true> beamed_;
  CellTable cells_;
  Alignment alignment_;
  std::array<std::vector<Move>, kLongestPhrase + 1> moves_;  // by length
  std::vector<int> numbers_;                                 // of each word in the reference at hand, or -1
  std::vector<int> text_, target_;                           // the pair at hand by these numbers
  int different_ = 0;                                        // words of the reference at hand
};

}  // namespace rainbow
