#include "shifts.hpp"

#include <bit>
#include <stdexcept>
#include <tuple>

namespace rainbow {

int Shifts::edits(std::span<const Id> output, std::span<const Id> reference, int least, int enough) {
  if (output.empty() || reference.empty()) return static_cast<int>(std::max(output.size(), reference.size()));
  if (std::max(output.size(), reference.size()) > 1 << 30) throw std::length_error("a text is too long");
  number(output, reference);
  const std::size_t ours = output.size(), theirs = reference.size();
  if (theirs <= BitTable<false>::kMostWords) {
    whole_.prepare(text_, target_, different_);
    // A way strays from the diagonal by no more than half its edits and the difference in length, so that a short one
    // never leaves the beam; neither does any way to a reference that is no longer than half of the beam.
    const auto difference = static_cast<int>(std::max(ours, theirs) - std::min(ours, theirs));
    if (theirs < kBeam || whole_.distance() + difference < 2 * kBeam - 4) return search(whole_, least, enough);
  }
  if (Beam::is_narrow(ours, theirs)) {
    beamed_.prepare(text_, target_, different_);
    return search(beamed_, least, enough);
  }
  cells_.prepare(text_, target_, different_);
  return search(cells_, least, enough);
}

void Shifts::number(std::span<const Id> output, std::span<const Id> reference) {
  const auto highest = std::max(*std::ranges::max_element(output), *std::ranges::max_element(reference));
  if (numbers_.size() <= static_cast<std::size_t>(highest)) numbers_.resize(highest + 1, -1);
  different_ = 0;
  target_.clear();
  for (const Id id : reference) {
    if (numbers_[id] < 0) numbers_[id] = different_++;
    target_.push_back(numbers_[id]);
  }
  text_.clear();
  for (const Id id : output) text_.push_back(numbers_[id]);
  for (const Id id : reference) numbers_[id] = -1;
}

// Makes the best move again and again, as long as one lowers the distance and few enough were tried.
template <class Table>
int Shifts::search(Table& table, int least, int enough) {
  int shifts = 0, tried = 0;
  while (true) {
    const int distance = table.distance();
    // A move costs one edit itself: where all moves together gain no more than one, they change nothing.
    if (distance <= least + 1 || shifts + least + 1 >= enough) break;
    table.align(alignment_);
    if (!find_moves(table, tried)) break;
    const Candidate best = best_move(table, distance - least);
    if (best.gain == 0) break;
    table.apply(Swap::of(best.move, static_cast<int>(table.text().size())));
    ++shifts;
  }
  return shifts + table.distance();
}

// Finds the phrases that the reference has elsewhere, where both texts are in error; false once too many were tried.
template <class Table>
bool Shifts::find_moves(const Table& table, int& tried) {
  for (auto& moves : moves_) moves.clear();
  const std::span<const int> text = table.text();
  const auto& errors = alignment_.output_errors;
  const int size = static_cast<int>(text.size());
  constexpr int kRest = 2 * kFarthestMatch + 1 - 64;  // places that do not fit into the first window
  for (int start = 0; start < size; ++start) {
    if (text[start] < 0 || errors[std::min(start + kLongestPhrase, size)] == errors[start]) continue;
    const int first = start - kFarthestMatch;
    for (Bits near = table.near(text[start], first); near; near &= near - 1) {
      if (!add_moves(text, start, first + std::countr_zero(near), tried)) return false;
    }
    for (Bits near = table.near(text[start], first + 64) << (64 - kRest) >> (64 - kRest); near; near &= near - 1) {
      if (!add_moves(text, start, first + 64 + std::countr_zero(near), tried)) return false;
    }
  }
  return true;
}

bool Shifts::add_moves(std::span<const int> text, int start, int place, int& tried) {
  const auto& [ends, ours, theirs] = alignment_;
  const int end = ends[place];
  const int most = std::min({kLongestPhrase, static_cast<int>(text.size()) - start,
                             static_cast<int>(target_.size()) - place});
  for (int length = 1; length <= most && text[start + length - 1] == target_[place + length - 1]; ++length) {
    if (ours[start + length] == ours[start] || theirs[place + length] == theirs[place] ||
        (start < end && end <= start + length)) {
      continue;
    }
    int last = -1;
    for (int k = place; k <= place + length; ++k) {
      const int goal = k == 0 ? 0 : ends[k - 1];
      if (goal == last) continue;
      moves_[length].push_back({start, length, last = goal});
      if (++tried == kMostMoves) return false;
    }
  }
  return true;
}

template <class Table>
Shifts::Candidate Shifts::best_move(Table& table, int most) const {
  const int size = static_cast<int>(table.text().size());
  Candidate best{0, {}};
  for (int length = kLongestPhrase; length > 0; --length) {
    // Deleting and inserting the phrase does what a move of it does.
    const int gain = Table::kTrue ? std::min(most, 2 * length) : most;
    if (best.gain > 0 && gain <= best.gain) break;
    for (const Move& move : moves_[length]) {
      if (!beats({gain, move}, best)) continue;
      const Candidate candidate{table.distance() - table.after(Swap::of(move, size)), move};
      if (candidate.gain > 0 && beats(candidate, best)) best = candidate;
    }
  }
  return best;
}

// The move that gains more is better, then that of the longest phrase, the first phrase, the first goal.
bool Shifts::beats(const Candidate& one, const Candidate& other) {
  const auto rank = [](const Candidate& candidate) {
    const auto& [start, length, goal] = candidate.move;
    return std::tuple(candidate.gain, length, -start, -goal);
  };
  return rank(one) > rank(other);
}

}  // namespace rainbow
