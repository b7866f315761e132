// Edit distance within a beam around the diagonal, a row of its table in one machine word.
//
// Myers, G. (1999). A fast bit-vector algorithm for approximate string matching based on dynamic programming. JACM 46.
// Hyyrö, H. (2003). A bit-vector algorithm for computing Levenshtein and Damerau edit distances. Nordic J. Computing.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "occurrences.hpp"

namespace rainbow {

constexpr int kBeam = 25;  // words to either side of the diagonal

using Words = std::span<const int>;

// How an output becomes a reference with the fewest edits.
struct Alignment {
  std::vector<int> ends;              // for each reference word, how many output words are used up when it is reached
  std::vector<int> output_errors;     // how many of the first words are part of an edit, from 0 words on
  std::vector<int> reference_errors;  // the same for the reference

  void clear(std::size_t output, std::size_t reference) {
    ends.assign(reference, 0);
    output_errors.assign(output + 1, 0);
    reference_errors.assign(reference + 1, 0);
  }
};

// A phrase of the output, and before which of the output's words it is to go.
struct Move {
  int start, length, goal;
};

// Two neighbouring runs of words that change places: [first, middle) and [middle, last).
struct Swap {
  int first, middle, last;

  static Swap of(const Move& move, int size) {
    // Goals behind the phrase count the phrase itself; those within it do not.
    const int behind = move.start + move.length;
    const int place = std::min(move.goal <= behind ? move.goal : move.goal - move.length, size - move.length);
    return place < move.start ? Swap{place, move.start, behind} : Swap{move.start, behind, place + move.length};
  }
};

enum class Way { kMatch, kSubstitution, kDeletion, kInsertion };

// Goes back from the last cell of a table; last_step(row, column) tells the way that a cell's number comes from.
template <class LastStep>
void trace(Alignment& found, std::size_t output, std::size_t reference, const LastStep& last_step) {
  found.clear(output, reference);
  for (std::size_t i = output, j = reference; i || j;) {
    const Way way = last_step(i, j);
    const bool differs = way != Way::kMatch;
    if (way != Way::kDeletion) {
      found.ends[j - 1] = static_cast<int>(i);
      found.reference_errors[j--] = differs;
    }
    if (way != Way::kInsertion) found.output_errors[i--] = differs;
  }
  std::partial_sum(found.output_errors.begin(), found.output_errors.end(), found.output_errors.begin());
  std::partial_sum(found.reference_errors.begin(), found.reference_errors.end(), found.reference_errors.begin());
}

// Which columns of the table's rows lie within the beam. Row i stands for the first i words of the output, column j for
// the first j of the reference.
class Beam {
 public:
  void prepare(std::size_t output, std::size_t reference) {
    const double ratio = static_cast<double>(reference) / static_cast<double>(output);
    const int beam = ratio <= 2 * kBeam ? kBeam : static_cast<int>(std::ceil(ratio / 2 + kBeam));
    low_.resize(output + 1);
    high_.resize(output + 1);
    for (std::size_t i = 0; i <= output; ++i) {
      const int diagonal = static_cast<int>(std::floor(static_cast<double>(i) * ratio));
      low_[i] = std::max(0, diagonal - beam);
      high_[i] = std::min(static_cast<int>(reference), diagonal + beam - 1);
    }
    low_[0] = 0;  // the first row has no limits
    high_[0] = static_cast<int>(reference);
  }

  // Whether the rows fit into a machine word.
  static bool is_narrow(std::size_t output, std::size_t reference) {
    return static_cast<double>(reference) / static_cast<double>(output) <= 2 * kBeam;
  }

  int low(std::size_t row) const { return low_[row]; }
  int high(std::size_t row) const { return high_[row]; }
  bool has(std::size_t row, int column) const { return low_[row] <= column && column <= high_[row]; }

 private:
  std::vector<int> low_, high_;
};

// The table as differences between neighbouring cells. Bit k of a row is column k + its first column. Without a beam
// all columns must fit; then the distance is the true one. With it, what lies outside costs more than any way inside.
template <bool kBeamed>
class BitTable {
 public:
  static constexpr bool kTrue = !kBeamed;
  static constexpr std::size_t kMostWords = 63;  // of a reference, without a beam

  void prepare(Words text, Words target, int different) {
    text_.assign(text.begin(), text.end());
    target_ = target;
    occurrences_.prepare(target, different);
    if constexpr (kBeamed) beam_.prepare(text.size(), target.size());
    states_.resize(text.size() + 1);
    steps_.resize(text.size() + 1);
    equal_.resize(kBeamed ? 0 : text.size());
    for (std::size_t i = 0; i < equal_.size(); ++i) equal_[i] = occurrences_.window(text[i], -1);
    states_[0] = {~Bits{0}, 0, kBeamed ? first_column(0) : 0};
    if (first_column(0) == 0) states_[0] = {~Bits{1}, 1, 0};
    fill(0);
  }

  int distance() const { return distance_; }
  const std::vector<int>& text() const { return text_; }
  Bits near(int word, int first) const { return occurrences_.window(word, first); }

  void align(Alignment& found) const {
    trace(found, text_.size(), target_.size(), [this](std::size_t i, std::size_t j) { return last_step(i, j); });
  }

  // The distance after a change of places; any number that is not below distance() stands for all of these.
  int after(const Swap& swap) const {
    State state = states_[swap.first];
    std::size_t row = swap.first;
    for (int i = swap.middle; i < swap.last; ++i) step(state, ++row, i, nullptr);
    for (int i = swap.first; i < swap.middle; ++i) step(state, ++row, i, nullptr);
    while (row < text_.size()) {
      // What goes on like the table differs from it by the same number to the end.
      const State& known = states_[row];
      if (state.up == known.up && state.down == known.down) return distance_ + state.base - known.base;
      ++row;
      step(state, row, static_cast<int>(row - 1), nullptr);
    }
    return total(state);
  }

  void apply(const Swap& swap) {
    std::rotate(text_.begin() + swap.first, text_.begin() + swap.middle, text_.begin() + swap.last);
    if (!kBeamed) std::rotate(equal_.begin() + swap.first, equal_.begin() + swap.middle, equal_.begin() + swap.last);
    fill(swap.first);
  }

 private:
  // A row: where the cells rise and fall by one from the column before, and the number in the row's first column.
  struct State {
    Bits up, down;
    int base;
  };
  // Where a cell equals the one diagonally before it, and where it is one more than that above it.
  struct Step {
    Bits diagonal, deletion;
  };
  // Row 0 starts where row 1 does.
  int first_column(std::size_t row) const { return kBeamed ? beam_.low(std::max<std::size_t>(row, 1)) : 0; }

  void fill(std::size_t row) {
    State state = states_[row];
    for (; row < text_.size(); ++row) {
      step(state, row + 1, static_cast<int>(row), &steps_[row + 1]);
      states_[row + 1] = state;
    }
    distance_ = total(state);
  }

  int total(const State& state) const {
    const int last = static_cast<int>(target_.size()) - first_column(text_.size());
    const Bits used = (Bits{2} << last) - 2;
    const int base = kBeamed ? state.base : static_cast<int>(text_.size());
    return base + std::popcount(state.up & used) - std::popcount(state.down & used);
  }

  // From the row before `row` to `row`, which the output's word at `place` adds.
  void step(State& state, std::size_t row, int place, Step* kept) const {
    Bits equal;
    if constexpr (kBeamed) {
      slide(state, first_column(row) - first_column(row - 1));
      equal = occurrences_.window(text_[place], first_column(row) - 1) & ~above(row, beam_.high(row - 1) + 1);
    } else {
      equal = equal_[place];
    }
    const Bits diagonal = (((equal & state.up) + state.up) ^ state.up) | equal | state.down;
    const Bits more = state.down | ~(diagonal | state.up), less = state.up & diagonal;
    if (kept) *kept = {diagonal, more};
    // Before the first column stands more than there: no way comes from outside.
    state.up = ((less << 1) | ~(diagonal | (more << 1))) & ~Bits{1};
    state.down = ((more << 1) & diagonal) | 1;
    if constexpr (kBeamed) {
      state.base += static_cast<int>(more & 1) - static_cast<int>(less & 1);
      state.up |= above(row, beam_.high(row));
      state.down &= ~above(row, beam_.high(row));
    }
  }

  static void slide(State& state, int columns) {
    for (; columns > 0; --columns) {
      state.up = (state.up >> 1) | (Bits{1} << 63);
      state.down >>= 1;
      state.base += static_cast<int>(state.up & 1) - static_cast<int>(state.down & 1);
    }
  }

  // The bits of the columns behind one.
  Bits above(std::size_t row, int column) const {
    return ~Bits{0} << std::clamp(column - first_column(row) + 1, 0, 63);  // a beam is narrower than 63
  }

  Way last_step(std::size_t i, std::size_t j) const {
    if (i == 0) return Way::kInsertion;
    const int column = static_cast<int>(j), bit = column - first_column(i);
    const bool match = j > 0 && text_[i - 1] == target_[j - 1];
    if (j > 0 && (!kBeamed || beam_.has(i - 1, column - 1)) && (steps_[i].diagonal >> bit & 1) == match) {
      return match ? Way::kMatch : Way::kSubstitution;
    }
    const bool deletion = steps_[i].deletion >> bit & 1;
    return deletion && (!kBeamed || beam_.has(i - 1, column)) ? Way::kDeletion : Way::kInsertion;
  }

  std::conditional_t<kBeamed, Occurrences, ShortOccurrences> occurrences_;
  Beam beam_;
  std::vector<int> text_;
  Words target_;
  std::vector<Bits> equal_;
  std::vector<State> states_;
  std::vector<Step> steps_;
  int distance_ = 0;
};

// The table cell by cell, for references more than 50 times as long as the output, where the beam is wider.
class CellTable {
 public:
  static constexpr bool kTrue = false;

  void prepare(Words text, Words target, int different);
  int distance() const { return cell(text_.size(), static_cast<int>(target_.size())); }
  const std::vector<int>& text() const { return text_; }
  Bits near(int word, int first) const { return occurrences_.window(word, first); }
  void align(Alignment& found) const {
    trace(found, text_.size(), target_.size(), [this](std::size_t i, std::size_t j) { return last_step(i, j); });
  }
  int after(const Swap& swap);
  void apply(const Swap& swap);

 private:
  static constexpr int kUnreachable = std::numeric_limits<int>::max() / 2;

  void fill(std::size_t row);
  void next_row(std::size_t row, int word, const int* above, int* cells) const;
  Way last_step(std::size_t i, std::size_t j) const;
  int cell(std::size_t row, int column) const {
    return beam_.has(row, column) ? cells_[starts_[row] + column - beam_.low(row)] : kUnreachable;
  }

  Occurrences occurrences_;
  Beam beam_;
  std::vector<int> text_, cells_, above_, below_;
  Words target_;
  std::vector<std::size_t> starts_;
};

}  // namespace rainbow
