// The ziggurats, draw by draw and in blocks.
//
// The float32 and float64 forms are written out side by side: they differ in where the bits come
// from, in the tables and in what is rounded to which type. A block computes what every element
// would give inside its strip, walks over the few that may lie outside (1.5%) in order, decides all
// wedges at once and drops what was used up or rejected. A wedge takes exactly one more element
// whatever comes of it, so the walk need not wait for the decision; only tails (1 in 4000) are
// drawn one after another.

#include "random/ziggurat.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "random/numpy_kernels.hpp"
#include "random/pcg64_words.hpp"
#include "random/ziggurat_tables.hpp"

namespace sigstab {
namespace {

// A draw of float64. An element is what it takes at a time: a word.
struct Double {
  using Real = double;
  using Element = std::uint64_t;
  static constexpr std::size_t kPerWord = 1;
  // Where the tail begins, and the inverse of that.
  static constexpr Real kTail = 3.6541528853610087963519472518;
  static constexpr Real kInverseTail = 0.27366123732975827203338247596;

  static Element take(Pcg64& bits) { return bits.next64(); }
  static Element position(Element element) { return element >> 9 & 0x000fffffffffffffU; }
  static Real uniform(Element element) { return static_cast<Real>(element >> 11) * 0x1p-53; }
  static Real width(std::size_t strip) { return kZigguratWidth[strip]; }
  static bool inside(Element element) {
    return position(element) < kZigguratAccept[element & 0xff];
  }
  // What is compared with exp(-x^2 / 2) in the wedge of a strip.
  static double height(std::size_t strip, Element element) {
    const double top = kZigguratDensity[strip - 1], bottom = kZigguratDensity[strip];
    return (top - bottom) * uniform(element) + bottom;
  }
};

// A draw of float32, from halves of words.
struct Float {
  using Real = float;
  using Element = std::uint32_t;
  static constexpr std::size_t kPerWord = 2;
  static constexpr Real kTail = 3.6541528853610087963519472518F;
  static constexpr Real kInverseTail = 0.27366123732975827203338247596F;

  static Element take(Pcg64& bits) { return bits.next32(); }
  static Element position(Element element) { return element >> 9; }
  static Real uniform(Element element) { return static_cast<Real>(element >> 8) * 0x1p-24F; }
  static Real width(std::size_t strip) { return kZigguratWidthFloat[strip]; }
  static bool inside(Element element) {
    return position(element) < kZigguratAcceptFloat[element & 0xff];
  }
  // The sum is rounded to float32, then compared in double, as in NumPy's C code.
  static double height(std::size_t strip, Element element) {
    const float top = kZigguratDensityFloat[strip - 1], bottom = kZigguratDensityFloat[strip];
    return static_cast<double>((top - bottom) * uniform(element) + bottom);
  }
};

template <typename Real>
using TypeOf = std::conditional_t<std::is_same_v<Real, double>, Double, Float>;

// One try at strip 0 beyond its rectangle. NumPy takes the sign from bit 8 of the position, not
// the sign bit.
template <class Type, typename Real = typename Type::Real>
bool try_tail(typename Type::Element first, typename Type::Element u, typename Type::Element v,
              Real& x) {
  const Real beyond = -Type::kInverseTail * std::log1p(-Type::uniform(u));
  const Real height = -std::log1p(-Type::uniform(v));
  x = (Type::position(first) >> 8 & 1) != 0 ? -(Type::kTail + beyond) : Type::kTail + beyond;
  return height + height > beyond * beyond;
}

template <class Type>
typename Type::Real draw_one(Pcg64& bits) {
  using Real = typename Type::Real;
  for (;;) {
    const auto element = Type::take(bits);
    const std::size_t strip = element & 0xff;
    const Real magnitude = static_cast<Real>(Type::position(element)) * Type::width(strip);
    Real x = (element >> 8 & 1) != 0 ? -magnitude : magnitude;
    if (Type::inside(element)) return x;
    if (strip != 0) {
      if (Type::height(strip, Type::take(bits)) < std::exp(-0.5 * x * x)) return x;
      continue;
    }
    for (;;) {
      const auto u = Type::take(bits);
      if (try_tail<Type>(element, u, Type::take(bits), x)) return x;
    }
  }
}

constexpr std::size_t kBlockWords = 1024;
// Below this many draws a block costs more than it saves.
constexpr std::size_t kFew = 24;

template <class Type>
class Block {
 public:
  using Real = typename Type::Real;
  using Element = typename Type::Element;

  // Draws at most out.size() normals from a source that stands at a whole word, and tells how many.
  // It may be none, if tails and rejected attempts took all elements. If `half_taken` is set, the
  // low half of the source's next word is used up.
  std::size_t draw(Pcg64Words& source, std::span<Real> out, bool& half_taken);

 private:
  static constexpr std::size_t kElements = kBlockWords * Type::kPerWord;
  // A draw, or an attempt at one, that takes more than one element: `first` up to `end`.
  struct Attempt {
    std::size_t first, end;
  };

  // The low half of a word comes first.
  Element element(std::size_t i) const {
    const std::uint64_t word = words_[i / Type::kPerWord];
    return static_cast<Element>(Type::kPerWord == 2 ? word >> (32 * (i % 2)) : word);
  }
  void drop(std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      keep_[i / kGroup] &= ~(std::uint64_t{1} << (i % kGroup));
    }
  }
  std::size_t walk();
  std::size_t attempt(std::size_t i);
  void decide();
  std::size_t kept() const;
  std::size_t end_of_draw(std::size_t rank) const;

  alignas(64) std::array<std::uint64_t, kBlockWords> words_;
  alignas(64) std::array<Real, kElements> values_;
  std::array<std::uint64_t, kElements / kGroup> keep_, unsure_;
  std::array<std::uint32_t, kElements + kListSlack> unsure_list_;
  // No more than half of the elements can be wedges; eight more for decide_wedges.
  std::array<std::size_t, kElements / 2> wedges_;
  std::array<double, kElements / 2 + 8> xs_, heights_;
  std::array<std::uint8_t, kElements / 2 + 8> accepted_;
  std::array<Attempt, kElements / 2> attempts_;
  std::size_t count_ = 0, wedge_count_ = 0, attempt_count_ = 0;
};

template <class Type>
std::size_t Block<Type>::draw(Pcg64Words& source, std::span<Real> out, bool& half_taken) {
  // 2% of the elements give no draw of their own.
  const std::size_t wanted = out.size() + out.size() / 32 + 8;
  count_ = std::min(kElements, (wanted + kGroup - 1) / kGroup * kGroup);
  source.draw(words_.data(), count_ / Type::kPerWord);
  ziggurat_candidates(words_.data(), count_, values_.data(), unsure_.data());
  std::fill_n(keep_.begin(), count_ / kGroup, ~std::uint64_t{0});
  std::size_t used = walk();
  decide();
  drop(used, count_);
  if (count_ > out.size() && kept() >= out.size()) used = end_of_draw(out.size());
  source.put_back((count_ - used + Type::kPerWord - 1) / Type::kPerWord);
  half_taken = used % Type::kPerWord != 0;
  return compact(values_.data(), keep_.data(), count_, out.data(), out.size());
}

// Returns how many elements belong to whole draws or attempts.
template <class Type>
std::size_t Block<Type>::walk() {
  wedge_count_ = attempt_count_ = 0;
  const std::size_t listed = list_bits(unsure_.data(), count_ / kGroup, unsure_list_.data());
  std::size_t next = 0;  // the first element that nothing has taken
  for (std::size_t j = 0; j < listed; ++j) {
    const std::size_t i = unsure_list_[j];
    if (i < next || Type::inside(element(i))) continue;
    next = attempt(i);
    if (next == 0) return i;
    drop(i + 1, next);
    attempts_[attempt_count_++] = {i, next};
  }
  return count_;
}

// Element i is outside its rectangle. Returns the end of what it takes, 0 if the block is too short
// for that.
template <class Type>
std::size_t Block<Type>::attempt(std::size_t i) {
  const Element first = element(i);
  const std::size_t strip = first & 0xff;
  if (strip != 0) {
    if (i + 2 > count_) return 0;
    wedges_[wedge_count_] = i;
    xs_[wedge_count_] = static_cast<double>(values_[i]);
    heights_[wedge_count_++] = Type::height(strip, element(i + 1));
    return i + 2;
  }
  for (std::size_t next = i + 1; next + 2 <= count_; next += 2) {
    if (try_tail<Type>(first, element(next), element(next + 1), values_[i])) {
      return next + 2;
    }
  }
  return 0;
}

template <class Type>
void Block<Type>::decide() {
  decide_wedges(xs_.data(), heights_.data(), wedge_count_, accepted_.data());
  for (std::size_t i = 0; i < wedge_count_; ++i) {
    // Without a branch: one in two is accepted.
    const std::uint64_t rejected = accepted_[i] == 0;
    keep_[wedges_[i] / kGroup] &= ~(rejected << (wedges_[i] % kGroup));
  }
}

template <class Type>
std::size_t Block<Type>::kept() const {
  std::size_t sum = 0;
  for (std::size_t group = 0; group < count_ / kGroup; ++group) {
    sum += static_cast<std::size_t>(std::popcount(keep_[group]));
  }
  return sum;
}

// The end of the rank-th draw, from 1. What follows it may be a rejected attempt, which belongs to
// the next draw.
template <class Type>
std::size_t Block<Type>::end_of_draw(std::size_t rank) const {
  std::size_t group = 0;
  for (std::size_t here; (here = static_cast<std::size_t>(std::popcount(keep_[group]))) < rank;) {
    rank -= here;
    ++group;
  }
  std::uint64_t rest = keep_[group];
  for (; rank > 1; --rank) rest &= rest - 1;
  const std::size_t i = group * kGroup + static_cast<std::size_t>(std::countr_zero(rest));
  for (std::size_t j = attempt_count_; j-- > 0 && attempts_[j].first >= i;) {
    if (attempts_[j].first == i) return attempts_[j].end;
  }
  return i + 1;
}

// Draws as many as blocks can: all but a few, or all before the stream stands at half a word.
template <class Type>
std::size_t draw_blocks(Pcg64& bits, std::span<typename Type::Real> out) {
  Block<Type> block;
  Pcg64Words source(bits);
  bool half_taken = false;
  std::size_t drawn = 0;
  while (out.size() - drawn >= kFew && !half_taken) {
    const std::size_t count = block.draw(source, out.subspan(drawn), half_taken);
    if (count == 0) break;
    drawn += count;
  }
  source.settle();
  if (half_taken) bits.next32();
  return drawn;
}

template <typename Real>
void draw_all(Pcg64& bits, std::span<Real> out) {
  using Type = TypeOf<Real>;
  while (!out.empty()) {
    std::size_t count = 0;
    // Blocks start at whole words.
    if (out.size() >= kFew && !(Type::kPerWord == 2 && bits.has_half())) {
      count = draw_blocks<Type>(bits, out);
    }
    if (count == 0) {
      out[0] = draw_one<Type>(bits);
      count = 1;
    }
    out = out.subspan(count);
  }
}

}  // namespace

template <typename Real>
std::optional<std::size_t> ziggurat_draws_between(Pcg64 from, const Pcg64& to, std::size_t most) {
  for (std::size_t draws = 0; draws <= most; ++draws) {
    if (from == to) return draws;
    draw_one<TypeOf<Real>>(from);
  }
  return std::nullopt;
}

template <typename Real>
void skip_ziggurat_elements(Pcg64& bits, std::uint64_t elements) {
  if (TypeOf<Real>::kPerWord == 1) return bits.skip(elements);
  if (elements > 0 && bits.has_half()) {
    bits.next32();
    --elements;
  }
  bits.skip_halves(elements);
}

template std::optional<std::size_t> ziggurat_draws_between<float>(Pcg64, const Pcg64&, std::size_t);
template std::optional<std::size_t> ziggurat_draws_between<double>(Pcg64, const Pcg64&,
                                                                   std::size_t);
template void skip_ziggurat_elements<float>(Pcg64&, std::uint64_t);
template void skip_ziggurat_elements<double>(Pcg64&, std::uint64_t);

void ziggurat_normals(Pcg64& bits, std::span<double> out) { draw_all(bits, out); }

void ziggurat_normals(Pcg64& bits, std::span<float> out) { draw_all(bits, out); }

}  // namespace sigstab
