// A tensor in pieces is the tensor in one call, and the stream goes on from the same place.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/team.hpp"
#include "random/generators.hpp"
#include "random/relayed_normals.hpp"
#include "random/ziggurat.hpp"
#include "support/random_reference.hpp"

namespace sigstab {
namespace {

using testing::integers;
using testing::normals;
using testing::uniforms;

constexpr TensorId kId{TensorId::kWeights, 2};
const Law kLaws[] = {Law::normal(), Law::uniform(-0.1, 0.7)};

// Below, at and above 16 elements; multiples of 16 and others; more than one chunk and block.
constexpr std::uint64_t kTotals[] = {0,  1,  2,  7,   15,  16,  17,  20,   31,   32,   33,
                                     40, 47, 48, 100, 624, 625, 999, 2048, 2064, 5003, 20'001};

class PiecesOf : public ::testing::TestWithParam<Generator> {};

INSTANTIATE_TEST_SUITE_P(, PiecesOf, ::testing::ValuesIn(kGenerators),
                         [](const auto& row) { return std::string(row.param.name); });

std::unique_ptr<Stream> stream_of(const Generator& generator, std::uint64_t seed) {
  auto stream = generator.make(Seed(seed), "", "");
  // What earlier draws leave behind: half a word, a cached normal, a state in its middle.
  integers(*stream, 3, 100);
  normals<float>(*stream, 1);
  return stream;
}

template <typename Real>
std::vector<Real> whole(Stream& stream, const Law& d, std::uint64_t total) {
  return d.kind == Law::kNormal ? normals<Real>(stream, total, kId)
                                : uniforms<Real>(stream, total, d.low, d.high, kId);
}

void expect_same_state(Stream& a, Stream& b) {
  EXPECT_EQ(normals<float>(a, 3), normals<float>(b, 3));
  EXPECT_EQ(integers(a, 5, 100), integers(b, 5, 100));
  EXPECT_EQ(normals<double>(a, 40), normals<double>(b, 40));
}

// Sizes from `next_size`, the last one cut to what is left.
template <typename Real, typename Size>
void expect_whole(const Generator& generator, Size next_size) {
  for (const Law& d : kLaws) {
    for (const std::uint64_t total : kTotals) {
      SCOPED_TRACE(::testing::Message() << "total " << total << ", kind " << d.kind);
      const auto one = stream_of(generator, total), many = stream_of(generator, total);
      const auto expected = whole<Real>(*one, d, total);
      std::vector<Real> joined(total);
      const auto pieces = many->pieces<Real>(kId, d, total);
      for (std::size_t done = 0; done < total;) {
        const auto size = std::min<std::size_t>(next_size(), total - done);
        pieces->next(std::span(joined).subspan(done, size));
        done += size;
      }
      ASSERT_EQ(joined, expected);
      expect_same_state(*one, *many);
    }
  }
}

TEST_P(PiecesOf, AnySplitGivesTheWhole) {
  for (const std::size_t size : {1U, 3U, 15U, 16U, 17U, 64U, 100U, 1024U, 100'000U}) {
    expect_whole<float>(GetParam(), [&] { return size; });
    expect_whole<double>(GetParam(), [&] { return size; });
  }
  std::mt19937 chooser(1);
  const auto uneven = [&] { return std::size_t{chooser()} % 130; };
  expect_whole<float>(GetParam(), uneven);
  expect_whole<double>(GetParam(), uneven);
}

template <typename Real>
void expect_skipped(const Generator& generator) {
  for (const Law& d : kLaws) {
    for (const std::uint64_t total : kTotals) {
      SCOPED_TRACE(::testing::Message() << "total " << total << ", kind " << d.kind);
      const auto drawn = stream_of(generator, total), skipped = stream_of(generator, total);
      whole<Real>(*drawn, d, total);
      skipped->skip<Real>(kId, d, total);
      expect_same_state(*drawn, *skipped);
    }
  }
}

TEST_P(PiecesOf, SkippingLeavesTheStreamAsDrawingDoes) {
  expect_skipped<float>(GetParam());
  expect_skipped<double>(GetParam());
}

// Every other piece left out: what is drawn is what the whole has there.
template <typename Real>
void expect_gaps(const Generator& generator, std::size_t size) {
  for (const Law& d : kLaws) {
    for (const std::uint64_t total : kTotals) {
      SCOPED_TRACE(::testing::Message()
                   << "total " << total << ", kind " << d.kind << ", " << size);
      const auto one = stream_of(generator, total), other = stream_of(generator, total);
      const std::vector<Real> all = whole<Real>(*one, d, total);
      const auto pieces = other->pieces<Real>(kId, d, total);
      for (std::size_t at = 0, piece = 0; at < total; at += size, ++piece) {
        const std::size_t count = std::min<std::size_t>(size, total - at);
        if (piece % 2 == 1) {
          pieces->skip(count);
          continue;
        }
        std::vector<Real> drawn(count);
        pieces->next(drawn);
        const auto part = std::span(all).subspan(at, count);
        ASSERT_TRUE(std::ranges::equal(drawn, part)) << "from " << at;
      }
    }
  }
}

TEST_P(PiecesOf, MayBeLeftOut) {
  for (const std::size_t size : {1U, 15U, 16U, 32U, 100U, 1024U}) {
    expect_gaps<float>(GetParam(), size);
    expect_gaps<double>(GetParam(), size);
  }
}

TEST_P(PiecesOf, AClonedStreamDrawsThePiecesAgain) {
  const auto stream = stream_of(GetParam(), 1);
  const auto saved = stream->clone();
  std::vector<float> first(1'000), again(1'000);
  stream->pieces<float>(kId, Law::normal(), 1'000)->next(first);
  saved->pieces<float>(kId, Law::normal(), 1'000)->next(again);
  EXPECT_EQ(first, again);
}

TEST_P(PiecesOf, EndWithTheTensor) {
  const auto stream = stream_of(GetParam(), 1);
  std::vector<float> x(5);
  const auto pieces = stream->pieces<float>(kId, Law::normal(), 8);
  pieces->next(x);
  EXPECT_THROW(pieces->next(x), std::logic_error);
}

// Member m of a team draws pieces m, m + members, ... and skips the others'.
template <typename Real>
void expect_team(const Generator& generator, const Law& d, std::uint64_t total, std::size_t size,
                 int members) {
  SCOPED_TRACE(::testing::Message() << "total " << total << ", kind " << d.kind << ", pieces of "
                                    << size << ", " << members << " members");
  const auto one = stream_of(generator, total), other = stream_of(generator, total);
  const std::vector<Real> all = whole<Real>(*one, d, total);
  std::vector<Real> joined(total);
  const std::unique_ptr<Relay> relay = other->relay(d);
  std::unique_ptr<Stream> end;
  Team team(members);
  team.run([&](int member) {
    auto stream = other->clone();
    const auto pieces = stream->pieces<Real>(kId, d, total, relay.get());
    for (std::size_t at = 0, piece = 0; at < total; at += size, ++piece) {
      const std::size_t count = std::min<std::size_t>(size, total - at);
      if (piece % static_cast<std::size_t>(members) != static_cast<std::size_t>(member)) {
        pieces->skip(count);
        continue;
      }
      pieces->next(std::span(joined).subspan(at, count));
      if (at + count == total) end = std::move(stream);
    }
  });
  ASSERT_EQ(joined, all);
  expect_same_state(*one, *end);
}

TEST_P(PiecesOf, MayBeDrawnByATeam) {
  for (const Law& d : kLaws) {
    for (const std::uint64_t total : {1U, 999U, 20'001U, 100'000U, 300'007U}) {
      for (const std::size_t size : {16U, 1024U, 4096U, 16384U}) {
        if (size == 16 && total > 20'001) continue;
        for (const int members : {2, 3}) {
          expect_team<float>(GetParam(), d, total, size, members);
          expect_team<double>(GetParam(), d, total, size, members);
        }
      }
    }
  }
}

// Guesses that come too early or too late, so that pieces are drawn again.
template <typename Real>
void expect_bad_guesses_mended(double elements_per_draw) {
  constexpr std::size_t kTotal = 100'000, kSize = 4096;
  Pcg64 bits{Seed(5)};
  const Pcg64 start = bits;
  std::vector<Real> all(kTotal), joined(kTotal);
  ziggurat_normals(bits, std::span(all));
  PcgRelay relay;
  Team team(2);
  team.run([&](int member) {
    Pcg64 own = start;
    RelayedNormals<Real> pieces(own, kTotal, relay, elements_per_draw);
    for (std::size_t at = 0, piece = 0; at < kTotal; at += kSize, ++piece) {
      const std::size_t count = std::min(kSize, kTotal - at);
      if (piece % 2 == static_cast<std::size_t>(member)) {
        pieces.next(std::span(joined).subspan(at, count));
      } else {
        pieces.skip(count);
      }
    }
  });
  ASSERT_EQ(joined, all) << elements_per_draw;
}

TEST(RelayedNormals, DrawAgainWhereTheGuessWasWrong) {
  for (const double elements_per_draw : {0.5, 0.97, 1.0, 1.05, 1.08, 2.0}) {
    expect_bad_guesses_mended<float>(elements_per_draw);
    expect_bad_guesses_mended<double>(elements_per_draw);
  }
}

}  // namespace
}  // namespace sigstab
