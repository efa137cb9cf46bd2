// Checkpoints as a whole: shards, and sizes against NumPy's (tests/reference/checkpoint).

#include "checkpoint/checkpoint.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "checkpoint/inspect.hpp"
#include "support/bad_config.hpp"
#include "support/paths.hpp"
#include "support/reference_file.hpp"

namespace sigstab {
namespace {

namespace fs = std::filesystem;
using testing::error_of;

std::string reference(const std::string& name) {
  return testing::source_path("tests/reference/checkpoint/" + name);
}

std::vector<InspectedTensors> inspected(const Checkpoint& checkpoint, int threads,
                                        const InspectOptions& options = {}) {
  std::vector<InspectedTensors> rows = list_tensors(checkpoint, options);
  Team team(threads);
  measure_tensors(team, rows);
  return rows;
}

// NumPy rounds to double in places where we do not, and the other way round.
void expect_near(double ours, const nlohmann::json& theirs, const std::string& what) {
  const double value = theirs.get<double>();
  EXPECT_NEAR(ours, value, 1e-13 * std::fabs(value)) << what;
}

TEST(Checkpoint, SizesAreNumpys) {
  const nlohmann::json known = testing::reference_file("checkpoint/sizes.json");
  std::size_t compared = 0;
  for (const char* file : {"tiny.safetensors", "odd.safetensors", "conv1d.safetensors"}) {
    const Checkpoint checkpoint(reference(file));
    for (const InspectedTensors& row : inspected(checkpoint, 2)) {
      if (!row.format->is_real()) continue;
      const nlohmann::json& theirs = known.at(row.name);
      const Tally& ours = row.tallies.at(0);
      const auto finite = theirs["finite"].get<std::uint64_t>();
      EXPECT_EQ(ours.finite, finite) << row.name;
      EXPECT_EQ(ours.not_finite, theirs["not_finite"].get<std::uint64_t>()) << row.name;
      ++compared;
      if (finite == 0) continue;
      // A mean is a sum of numbers of both signs.
      EXPECT_NEAR(ours.average(), theirs["mean"].get<double>(), 1e-15 * theirs["rms"].get<double>())
          << row.name;
      expect_near(ours.spread(), theirs["spread"], row.name);
      expect_near(ours.root_mean_square(), theirs["rms"], row.name);
      EXPECT_EQ(ours.largest_magnitude(), theirs["largest"].get<double>()) << row.name;
    }
  }
  EXPECT_EQ(compared, known.size());
}

TEST(Checkpoint, AnIndexGivesTheSameModelAsOneFile) {
  const Checkpoint one(reference("tiny.safetensors")), folder(reference("sharded"));
  EXPECT_EQ(fs::path(folder.path()).filename(), "model.safetensors.index.json");
  EXPECT_TRUE(folder.notes().empty());
  const auto ours = inspected(one, 1), theirs = inspected(folder, 1);
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_EQ(ours[i].name, theirs[i].name);
    EXPECT_EQ(ours[i].tallies[0].squares, theirs[i].tallies[0].squares) << ours[i].name;
  }
}

class CheckpointFolder : public ::testing::Test {
 protected:
  CheckpointFolder() {
    std::string name = (fs::temp_directory_path() / "sigstab_XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~CheckpointFolder() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  // Float32 tensors of so many ones each.
  std::string write_ones(const std::string& name,
                         const std::vector<std::pair<std::string, std::size_t>>& tensors) const {
    std::string header, data;
    for (const auto& [tensor, count] : tensors) {
      header += fmt::format(
          R"({}"{}": {{"dtype": "F32", "shape": [{}], "data_offsets": [{}, {}]}})",
          header.empty() ? "{" : ", ", tensor, count, data.size(), data.size() + 4 * count);
      for (std::size_t i = 0; i < count; ++i) data += std::string("\0\0\x80\x3f", 4);
    }
    header += "}";
    std::string length(8, '\0');
    length[0] = static_cast<char>(header.size() & 255);
    length[1] = static_cast<char>(header.size() >> 8);
    return write(name, length + header + data);
  }

  fs::path folder_;
};

TEST_F(CheckpointFolder, ShardsAndTheirIndexMustAgree) {
  write_ones("1.safetensors", {{"a", 2}, {"b", 3}});
  write_ones("2.safetensors", {{"c", 4}, {"a", 5}});
  const std::string index =
      write("m.safetensors.index.json",
            R"({"weight_map": {"a": "1.safetensors", "c": "2.safetensors"}})");
  const Checkpoint checkpoint(index);
  EXPECT_EQ(checkpoint.tensors().size(), 2U);
  ASSERT_NE(checkpoint.find("a"), nullptr);
  EXPECT_EQ(checkpoint.find("a")->stored.count(), 2U);
  EXPECT_EQ(checkpoint.find("b"), nullptr);
  ASSERT_EQ(checkpoint.notes().size(), 2U);
  EXPECT_EQ(checkpoint.notes()[0],
            "\"1.safetensors\": 1 tensor that the index does not have there: \"b\"");
  write("m.safetensors.index.json",
        R"({"weight_map": {"a": "1.safetensors", "d": "1.safetensors"}})");
  testing::expect_words(error_of([&] { Checkpoint c(index); })->what(),
                        "it has tensor \"d\" in \"1.safetensors\", and that file has not", "");
  write("m.safetensors.index.json", R"({"weight_map": {"a": "3.safetensors"}})");
  testing::expect_words(error_of([&] { Checkpoint c(index); })->what(),
                        "3.safetensors: cannot open it", "");
}

// The Hugging Face cache is made of links.
TEST_F(CheckpointFolder, AShardMayBeALink) {
  fs::create_symlink(reference("tiny.safetensors"), folder_ / "model.safetensors");
  EXPECT_GT(Checkpoint(folder_.string()).tensors().size(), 10U);
}

TEST_F(CheckpointFolder, AFolderMustSayWhichModelItHolds) {
  testing::expect_words(error_of([&] { Checkpoint c(folder_.string()); })->what(),
                        "no safetensors file", "");
  write_ones("a.safetensors", {{"a", 2}});
  EXPECT_EQ(Checkpoint(folder_.string()).tensors().size(), 1U);
  write_ones("b.safetensors", {{"a", 2}});
  testing::expect_words(error_of([&] { Checkpoint c(folder_.string()); })->what(),
                        "2 models are in it & a.safetensors, b.safetensors", "");
}

// Blocks of one tensor are measured by several threads.
TEST_F(CheckpointFolder, NoNumberOfThreadsChangesABit) {
  const std::size_t count = 1'300'000;
  const std::string path = write_ones("m.safetensors", {{"w.0", count}, {"w.1", 7}});
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(fs::file_size(path) - 4 * count));
    for (std::size_t i = 0; i < count; ++i) {
      const auto x = static_cast<float>(std::sin(0.37 * static_cast<double>(i)));
      file.write(reinterpret_cast<const char*>(&x), sizeof x);
    }
  }
  const Checkpoint checkpoint(path);
  const auto one = inspected(checkpoint, 1);
  EXPECT_EQ(one[0].tallies[0].finite, count);
  for (int threads : {2, 3, 7}) {
    const auto many = inspected(checkpoint, threads);
    for (std::size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(many[i].tallies[0].squares, one[i].tallies[0].squares) << threads;
      EXPECT_EQ(many[i].tallies[0].mean, one[i].tallies[0].mean) << threads;
    }
  }
}

TEST(Inspect, GroupsJoinLayersOfOneShape) {
  const Checkpoint checkpoint(reference("tiny.safetensors"));
  const auto rows =
      inspected(checkpoint, 1, {{"*q_proj.weight", "model.norm.*"}, Layout::out_in, true});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].name, "model.layers.{layer}.self_attn.q_proj.weight");
  EXPECT_EQ(rows[0].tensors.size(), 3U);
  EXPECT_LT(rows[0].smallest(&Tally::spread), rows[0].largest(&Tally::spread));
  EXPECT_EQ(rows[1].role, TensorRole::norm_gain);
  EXPECT_FALSE(rows[1].fans.has_value());
}

TEST(Inspect, FansAreOfTheStoredLayout) {
  const Checkpoint odd(reference("odd.safetensors")), conv1d(reference("conv1d.safetensors"));
  const auto fans = [](const Checkpoint& checkpoint, const std::string& name, Layout layout) {
    return *list_tensors(checkpoint, {{name}, layout, false}).at(0).fans;
  };
  EXPECT_EQ(fans(odd, "conv.weight", Layout::out_in).in, 5 * 3 * 2);
  EXPECT_EQ(fans(odd, "conv.weight", Layout::out_in).out, 8 * 3 * 2);
  EXPECT_EQ(fans(odd, "conv.weight", Layout::in_out).in, 8 * 5 * 3);
  EXPECT_EQ(fans(odd, "conv.weight", Layout::in_out).out, 8 * 5 * 2);
  EXPECT_EQ(fans(conv1d, "h.0.mlp.c_fc.weight", Layout::in_out).in, 6);
  EXPECT_EQ(fans(conv1d, "h.0.mlp.c_fc.weight", Layout::out_in).in, 24);
}

TEST(Inspect, FiltersThatMatchNothingAreRefused) {
  const Checkpoint checkpoint(reference("tiny.safetensors"));
  const auto error = error_of([&] { list_tensors(checkpoint, {{"nothing*"}, {}, false}); });
  ASSERT_TRUE(error);
  testing::expect_words(error->what(), "--filter: none of 20 tensors matches", "");
}

}  // namespace
}  // namespace sigstab
