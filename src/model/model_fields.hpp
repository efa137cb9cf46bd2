#pragma once
// The field table of a model: every key that describes a stack and how it is drawn, with its type,
// default, range and help; and the small tables of names that belong to these keys alone.

#include <span>
#include <string_view>

#include "json/field.hpp"
#include "math/rounding.hpp"
#include "net/bias.hpp"
#include "net/init.hpp"
#include "net/stack.hpp"

namespace sigstab {

template <class E>
struct Choice {
  std::string_view name, help;
  E value;
};

enum class InputKind { normal, values };
enum class Upstream { normal, cross_entropy, none };
enum class DType { float32, float64 };  // what is computed in
enum class DrawItem { input, weights, upstream, head, targets };

struct DTypeRow {
  std::string_view name, help;
  DType value;
  std::size_t bytes;
  bool narrow;  // a 16-bit format: stored rounded, computed in float32

  const NumberFormat& format() const { return *find_row(kNumberFormats, name); }
};

inline constexpr Choice<LayerKind> kLayers[] = {
    {"dense", "act(W x)", LayerKind::dense},
    {"mlp", "W2 act(W1 x); with a gated activation W2 (act(Wg x) * W1 x)", LayerKind::mlp}};
inline constexpr Choice<Side> kSides[] = {{"encoder", "this stack is an encoder", Side::encoder},
                                          {"decoder", "this stack is a decoder", Side::decoder}};
inline constexpr Choice<InputKind> kInputs[] = {
    {"normal", "drawn, of a given spread", InputKind::normal},
    {"values", "the numbers given", InputKind::values}};
inline constexpr Choice<Upstream> kUpstreams[] = {
    {"normal", "u ~ N(0, 1), loss = sum(output * u)", Upstream::normal},
    {"cross_entropy", "mean cross-entropy of a random classifier", Upstream::cross_entropy},
    {"none", "forward only", Upstream::none}};
inline constexpr Choice<Layout> kLayouts[] = {
    {"out_in", "stored fan_out x fan_in", Layout::out_in},
    {"in_out", "stored fan_in x fan_out", Layout::in_out}};
inline constexpr DTypeRow kDTypes[] = {
    {"float16", "stored in 11-bit significands up to 65504, products in float32", DType::float32, 4,
     true},
    {"bfloat16", "stored in 8-bit significands, products in float32", DType::float32, 4, true},
    {"float32", "24-bit significand", DType::float32, 4, false},
    {"float64", "53-bit significand", DType::float64, 8, false}};
inline constexpr Choice<bool> kNormSteps[] = {
    {"float32", "statistics in double, then one rounding", false},
    {"dtype", "every step stored in the 16-bit format", true}};
// In the order in which they are drawn unless the config says otherwise.
inline constexpr Choice<DrawItem> kDrawItems[] = {
    {"input", "the input, tokens x width", DrawItem::input},
    {"weights", "every weight matrix, block by block", DrawItem::weights},
    {"upstream", "the gradient at the output, tokens x width", DrawItem::upstream},
    {"head", "the classifier of cross_entropy, width x classes", DrawItem::head},
    {"targets", "one class a token, for cross_entropy", DrawItem::targets}};
// Every matrix name that an init can address.
inline constexpr std::string_view kMatrixNames[] = {"W", "Wg", "W1", "W2"};

std::span<const Field> model_fields();

}  // namespace sigstab
