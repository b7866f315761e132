#include "beam.hpp"

namespace rainbow {

void CellTable::prepare(Words text, Words target, int different) {
  text_.assign(text.begin(), text.end());
  target_ = target;
  occurrences_.prepare(target, different);
  beam_.prepare(text.size(), target.size());
  starts_.assign(text.size() + 2, 0);
  for (std::size_t i = 0; i <= text.size(); ++i) starts_[i + 1] = starts_[i] + beam_.high(i) - beam_.low(i) + 1;
  cells_.resize(starts_.back());
  std::iota(cells_.begin(), cells_.begin() + static_cast<std::ptrdiff_t>(starts_[1]), 0);
  fill(0);
}

int CellTable::after(const Swap& swap) {
  const auto first = cells_.begin() + static_cast<std::ptrdiff_t>(starts_[swap.first]);
  above_.assign(first, cells_.begin() + static_cast<std::ptrdiff_t>(starts_[swap.first + 1]));
  auto add = [this, row = static_cast<std::size_t>(swap.first)](int begin, int end) mutable {
    for (int i = begin; i < end; ++i) {
      ++row;
      below_.resize(beam_.high(row) - beam_.low(row) + 1);
      next_row(row, text_[i], above_.data(), below_.data());
      above_.swap(below_);
    }
  };
  add(swap.middle, swap.last);
  add(swap.first, swap.middle);
  add(swap.last, static_cast<int>(text_.size()));
  return above_[target_.size() - beam_.low(text_.size())];
}

void CellTable::apply(const Swap& swap) {
  std::rotate(text_.begin() + swap.first, text_.begin() + swap.middle, text_.begin() + swap.last);
  fill(swap.first);
}

void CellTable::fill(std::size_t row) {
  for (; row < text_.size(); ++row) {
    next_row(row + 1, text_[row], cells_.data() + starts_[row], cells_.data() + starts_[row + 1]);
  }
}

void CellTable::next_row(std::size_t row, int word, const int* above, int* cells) const {
  const int before = beam_.low(row - 1), behind = beam_.high(row - 1);
  int cheapest = kUnreachable;
  for (int j = beam_.low(row); j <= beam_.high(row); ++j) {
    ++cheapest;
    if (before <= j && j <= behind) cheapest = std::min(cheapest, above[j - before] + 1);
    if (before < j && j - 1 <= behind) cheapest = std::min(cheapest, above[j - 1 - before] + (target_[j - 1] != word));
    *cells++ = cheapest;
  }
}

Way CellTable::last_step(std::size_t i, std::size_t j) const {
  if (i == 0) return Way::kInsertion;
  const int column = static_cast<int>(j), here = cell(i, column);
  const bool match = j > 0 && text_[i - 1] == target_[j - 1];
  if (j > 0 && cell(i - 1, column - 1) + !match == here) return match ? Way::kMatch : Way::kSubstitution;
  return cell(i - 1, column) + 1 == here ? Way::kDeletion : Way::kInsertion;
}

}  // namespace rainbow
