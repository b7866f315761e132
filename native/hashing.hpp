// Hashing of bytes and of pairs of numbers, and where among the entries kept elsewhere one stands.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace rainbow {

// Every bit of the result depends on every bit of the input (the last step of SplitMix64, Steele et al. 2014).
inline std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31);
}

inline std::uint64_t hash_of(std::string_view bytes) {
  const auto load = [&]<class Bits>(std::size_t at, Bits bits) -> std::uint64_t {
    std::memcpy(&bits, bytes.data() + at, sizeof bits);
    return bits;
  };
  const std::size_t size = bytes.size();
  std::uint64_t hash = size;
  if (size >= 8) {
    for (std::size_t at = 0; at + 8 < size; at += 8) hash = mixed(hash ^ load(at, std::uint64_t{}));
    return mixed(hash ^ load(size - 8, std::uint64_t{}));
  }
  if (size >= 4) return mixed(hash << 56 ^ load(0, std::uint32_t{}) << 24 ^ load(size - 4, std::uint32_t{}));
  for (const unsigned char byte : bytes) hash = hash << 8 | byte;
  return mixed(hash);
}

// The places of entries by their hashes (open addressing, at most half full); whoever asks compares the entries.
class HashIndex {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // The place of the entry with this hash for which same(place) holds, or kNone.
  template <class Same>
  std::uint32_t find(std::uint64_t hash, const Same& same) const {
    if (slots_.empty()) return kNone;
    for (std::size_t slot = hash & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot].place == kNone) return kNone;
      if (slots_[slot].check == check(hash) && same(slots_[slot].place)) return slots_[slot].place;
    }
  }

  // Adds an entry that is not there yet; hash_at(place) gives the hashes of those that are, when the table grows.
  template <class HashAt>
  void add(std::uint64_t hash, std::uint32_t place, const HashAt& hash_at) {
    if (2 * (used_ + 1) > slots_.size()) {
      std::vector<Slot> before(slots_.empty() ? 16 : 2 * slots_.size());
      before.swap(slots_);
      for (const Slot& slot : before) {
        if (slot.place != kNone) put(hash_at(slot.place), slot.place);
      }
    }
    put(hash, place);
    ++used_;
  }

 private:
  struct Slot {
    std::uint32_t check = 0, place = kNone;
  };

  static std::uint32_t check(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

  void put(std::uint64_t hash, std::uint32_t place) {
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot].place != kNone) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = {check(hash), place};
  }

  std::vector<Slot> slots_;  // their number is a power of two
  std::size_t used_ = 0;
};

}  // namespace rainbow
