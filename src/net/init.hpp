#pragma once
// Initial weights: what distribution a matrix is drawn from, and its spread given the fans.
//
// Fans belong to the layer: a matrix maps fan_in numbers to fan_out, however it is stored. A draw
// is one call of the generator for the whole matrix, then one multiplication by the spread. What is
// not random (identity, constants, stored weights) takes nothing from the generator; `sparse` makes
// a second call, of uniforms, that choose its zeros.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "math/matrix.hpp"
#include "net/activation.hpp"
#include "random/stream.hpp"

namespace sigstab {

enum class Distribution {
  normal,
  uniform,
  truncated_normal,
  orthogonal,
  sparse,
  constant,
  identity,
  stored
};
std::string_view distribution_name(Distribution distribution);

// Which fan a variance is divided by; `fixed` for inits that name their own spread or limit. The
// smaller fan is the stream's width in every matrix of a block that widens in its middle.
enum class FanMode { fixed, fan_in, fan_out, fan_avg, fan_min };
enum class Layout { out_in, in_out };  // stored fan_out x fan_in, or fan_in x fan_out

struct FanModeRow {
  std::string_view name;
  FanMode mode;
};
std::span<const FanModeRow> fan_mode_table();  // what a config may choose

struct InitRow {
  std::string_view name, help, source;
  std::string_view aliases;  // separated by spaces, for did-you-mean
  Distribution distribution;
  FanMode mode;
  bool takes_mode;  // whether a config may choose another mode
  // variance = scale / fan, or the constant; 0 where the first parameter is that number. Unused by
  // the other inits whose mode is fixed.
  double scale;
  std::span<const Parameter> parameters;
};
std::span<const InitRow> init_table();

struct DistributionRow {
  std::string_view name;
  Distribution distribution;
};
// What variance_scaling may draw from.
std::span<const DistributionRow> scaling_distribution_table();
// The row as it draws from `distribution`; null where the init leaves no choice.
const InitRow* with_distribution(const InitRow& row, Distribution distribution);

// Matrices that exist already, one a layer, all of one shape. Where they are kept is not known
// here.
class StoredMatrices {
 public:
  virtual ~StoredMatrices() = default;
  // What a heading calls them.
  virtual std::string text() const = 0;
  // Rows first, first + 1, ... of a layer's matrix (from 1), in the layout of the model that uses
  // them. Several threads may read. Errors: they cannot be read any more.
  virtual void read(std::int64_t layer, std::int64_t first, View<float> rows) const = 0;
  virtual void read(std::int64_t layer, std::int64_t first, View<double> rows) const = 0;
  // Whether some rows cost less than all: not where they lie the other way round.
  virtual bool has_rows() const = 0;
};

struct Init {
  const InitRow* row = nullptr;
  ParameterValues parameters{};
  double gain = 1;
  FanMode mode = FanMode::fixed;
  std::shared_ptr<const StoredMatrices> stored = nullptr;  // of Distribution::stored alone

  // Root mean square of the entries, averaged over the matrix: the standard deviation of one
  // weight, but for constants and the identity. NaN for stored weights, which are not looked at.
  double spread(std::int64_t fan_in, std::int64_t fan_out) const;
  // A uniform init draws from [-limit, limit).
  double limit(std::int64_t fan_in, std::int64_t fan_out) const;
  // Multiplies what is drawn: the spread of the normal before it is cut or thinned out; the factor
  // of an orthogonal matrix, the identity or stored weights; the constant. A uniform init draws its
  // limits: 1.
  double factor(std::int64_t fan_in, std::int64_t fan_out) const;
  // A truncated normal lies within `cut` of its spreads before the cut.
  double cut() const;
  // How many of the fan_out weights of each input `sparse` makes 0.
  std::int64_t zeros(std::int64_t fan_out) const;
};

// Whether a matrix of this init can only be drawn whole, not panel by panel.
bool drawn_whole(const Init& init);
// Whether it takes nothing from the generator.
bool draws_nothing(const Init& init);

// What one call of the generator draws for a matrix with this init: its entries before the spread,
// but for a uniform init, whose law has it. Without meaning where nothing is drawn.
Law entry_law(const Init& init, double scale, std::int64_t fan_in, std::int64_t fan_out);

// What an init makes of drawn rows; `spread` is its scale times its factor. Shapes: adjacent rows,
// both the same; they may be one.
template <class T>
void finish_rows(const Init& init, double spread, ConstView<T> drawn, View<T> rows);

// A matrix on its way: drawn row by row, as one call of the generator.
template <class T>
class RowDraw {
 public:
  // The stored matrix is rows x cols; `scale` is what a residual scheme asks for. Until the last
  // row is drawn nothing else may use the stream, which must outlive this. With a relay, rows are
  // drawn by a team: as Stream::pieces.
  RowDraw(const Init& init, Layout layout, double scale, std::int64_t rows, std::int64_t cols,
          TensorId id, Stream& stream, Relay* relay = nullptr);

  // The next rows. Shape: count x cols, adjacent.
  void next(View<T> rows) {
    next_drawn(rows);
    finish(rows, rows);
  }
  // The same in two steps: what the generator gives, the same for every init of that entry_law, and
  // what the init and its scale make of it.
  void next_drawn(View<T> rows);
  void finish(ConstView<T> drawn, View<T> rows) const { finish_rows(init_, spread_, drawn, rows); }
  // Leaves out the next rows.
  void skip(std::int64_t count);

 private:
  const Init& init_;
  double spread_;  // Init::factor, times the scale
  std::int64_t cols_;
  std::int64_t layer_;                 // of stored weights
  std::unique_ptr<Pieces<T>> pieces_;  // of an init drawn entry by entry
  Matrix<T> whole_;                    // of one that needs the whole matrix
  std::int64_t row_ = 0;
};

// Leaves the stream as drawing a matrix of rows * cols entries would.
template <class T>
void skip_weights(const Init& init, std::int64_t rows, std::int64_t cols, TensorId id,
                  Stream& stream);

// Fills W with one draw of the init, times `scale`.
// Shapes: fan_out x fan_in, or fan_in x fan_out with Layout::in_out.
template <class T>
void draw_weights(const Init& init, Layout layout, double scale, TensorId id, Stream& stream,
                  View<T> w) {
  RowDraw<T>(init, layout, scale, w.rows, w.cols, id, stream).next(w);
}

}  // namespace sigstab
