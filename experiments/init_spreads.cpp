// Init spreads: how large the weights of an init are, by formula and as drawn.
//
// Row i is a matrix from fan_in[i] to fan_out[i] numbers. With a residual scheme the matrix is the
// last one of a branch, which some schemes scale by a function of the depth. Every row is drawn
// whole, in panels, from one fresh stream a case.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kinds/kind.hpp"
#include "kinds/model_part.hpp"
#include "math/moments.hpp"

namespace sigstab {
namespace {

const Names kPartKeys = {"init", "residual", "depth"};
constexpr double kLargestFan = 1048576;

std::vector<Field> fields_of_kind() {
  const Field own[] = {
      {.name = "fan_in",
       .type = FieldType::numbers,
       .fallback = "[512]",
       .help = "inputs of each matrix",
       .low = 1,
       .high = kLargestFan},
      {.name = "fan_out",
       .type = FieldType::numbers,
       .help = "outputs of each; default as many as inputs",
       .low = 1,
       .high = kLargestFan},
      draw_field(),
  };
  return part_fields(kPartKeys, own);
}

constexpr std::size_t kCounts = 2;  // of the measures, the first
constexpr Measure kMeasures[] = {
    {"fan_in", "inputs of the matrix"},
    {"fan_out", "its outputs"},
    {"spread", "standard deviation of a weight, by formula"},
    {"limit", "of a uniform init, which draws within +-limit; nan for others"},
    {"variance", "spread squared"},
    {"fan_in_variance", "fan_in x variance: a linear layer's gain on the mean square, forward"},
    {"fan_out_variance", "fan_out x variance: the same backward"},
    {"variance_by_limit", "variance / limit^2; nan without a limit"},
    {"drawn_spread", "RMS of the drawn weights"},
    {"drawn_variance", "its square"},
    {"drawn_largest", "the largest |weight| drawn"},
};

struct Row {
  std::int64_t fan_in, fan_out;
};

class SpreadsCase final : public KindCase {
 public:
  explicit SpreadsCase(const ObjectReader& config) : draw_(read_draw(config)) {
    const ModelConfig part = read_part(config, kPartKeys);
    init_ = part.inits.front();
    const ResidualRow& scheme = *part.stack.residual.row;
    scale_ = part.stack.residual.factors(part.stack.depth).last_weights;
    if (config.has("depth") && !part.stack.residual.present()) {
      config.refuse("depth", "without a residual scheme no spread depends on the depth",
                    "remove it, or add \"residual\": \"gpt2\"");
    }
    const std::vector<std::int64_t> in = read_whole_numbers(config, "fan_in");
    const std::vector<std::int64_t> out =
        config.has("fan_out") ? read_whole_numbers(config, "fan_out") : in;
    if (in.size() != out.size()) {
      config.refuse("fan_out", fmt::format("{} numbers beside {} of fan_in", out.size(), in.size()),
                    "list as many, or leave it out for square matrices");
    }
    for (std::size_t i = 0; i < in.size(); ++i) matrices_.push_back({in[i], out[i]});
    traits_ = {std::string(init_.row->name)};
    if (init_.gain != 1) traits_.push_back(fmt::format("gain {:.4g}", init_.gain));
    if (part.stack.residual.present()) {
      traits_.push_back(fmt::format("residual {}, {} deep", scheme.name, part.stack.depth));
    }
  }

  std::int64_t rows() const override { return static_cast<std::int64_t>(matrices_.size()); }
  CaseResult shape() const override {
    CaseResult shape;
    shape.facts = {{"init", std::string(init_.row->name)},
                   {"generator", std::string(draw_.generator->name)}};
    shape.traits = traits_;
    for (const Measure& m : kMeasures) shape.columns.push_back({.name = std::string(m.name)});
    for (std::size_t c = 0; c < kCounts; ++c) shape.columns[c].role = ColumnRole::count;
    return shape;
  }
  std::vector<std::string> default_columns() const override {
    std::vector<std::string> columns = {"fan_in", "fan_out", "spread"};
    if (init_.row->distribution == Distribution::uniform) columns.push_back("limit");
    columns.insert(columns.end(), {"fan_in_variance", "fan_out_variance", "drawn_spread"});
    return columns;
  }
  Cost cost() const override {
    Cost cost;
    for (const Row& m : matrices_) {
      const double size = static_cast<double>(m.fan_in) * static_cast<double>(m.fan_out);
      cost.weights += size;
      const bool whole = drawn_whole(init_);
      const double panel = static_cast<double>(panel_rows(m) * m.fan_in);
      cost.bytes = std::max(cost.bytes, 8 * (whole ? 3 * size : panel));
    }
    return cost;
  }
  const Seed* seed() const override { return &draw_.seed; }
  const DrawSpec& draw() const { return draw_; }

  CaseResult compute(Stream& stream) const {
    CaseResult result = shape();
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < matrices_.size(); ++i) {
      const auto [fan_in, fan_out] = matrices_[i];
      const double in = static_cast<double>(fan_in), out = static_cast<double>(fan_out);
      const double spread = scale_ * init_.spread(fan_in, fan_out), variance = spread * spread;
      const bool uniform = init_.row->distribution == Distribution::uniform;
      const double limit = uniform ? scale_ * init_.limit(fan_in, fan_out) : kNone;
      const Drawn drawn = draw_matrix(static_cast<std::uint32_t>(i + 1), matrices_[i], stream);
      const double row[] = {in,
                            out,
                            spread,
                            limit,
                            variance,
                            in * variance,
                            out * variance,
                            variance / (limit * limit),
                            drawn.spread,
                            drawn.spread * drawn.spread,
                            drawn.largest};
      for (std::size_t c = 0; c < std::size(row); ++c) result.columns[c].values.push_back(row[c]);
    }
    return result;
  }

 private:
  struct Drawn {
    double spread, largest;
  };

  static std::int64_t panel_rows(const Row& m) {
    constexpr std::int64_t kPanel = 1 << 16;  // numbers
    return std::clamp<std::int64_t>(kPanel / m.fan_in, 1, m.fan_out);
  }

  Drawn draw_matrix(std::uint32_t number, const Row& m, Stream& stream) const {
    RowDraw<double> draw(init_, Layout::out_in, scale_, m.fan_out, m.fan_in,
                         {TensorId::kWeights, number}, stream);
    Matrix<double> panel(panel_rows(m), m.fan_in);
    std::vector<double> sizes;  // Frobenius norms of the panels
    double largest = 0;
    for (std::int64_t row = 0; row < m.fan_out; row += panel.rows()) {
      const View<double> part = panel.view().row_block(0, std::min(panel.rows(), m.fan_out - row));
      draw.next(part);
      sizes.push_back(euclidean_norm(std::span<const double>(part.all())));
      for (double w : part.all()) largest = std::max(largest, std::fabs(w));
    }
    const double entries = static_cast<double>(m.fan_in) * static_cast<double>(m.fan_out);
    return {euclidean_norm(std::span<const double>(sizes)) / std::sqrt(entries), largest};
  }

  DrawSpec draw_;
  Init init_;
  double scale_ = 1;
  std::vector<Row> matrices_;
  std::vector<std::string> traits_;
};

constexpr Kind kInitSpreadsKind = {
    .name = "init_spreads",
    .help = "spreads, limits and variances of an init, by formula and as drawn",
    .row_name = "row",
    .draws = true,
    .fields = fields_of_kind,
    .measures = rows_of<kMeasures>,
    .read = read_as<SpreadsCase>,
    .check_unit = check_drawn<SpreadsCase>,
    .run = run_drawn<SpreadsCase>,
};

}  // namespace

const Kind& init_spreads_kind() { return kInitSpreadsKind; }

}  // namespace sigstab
