// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/machine_cost.h"

#include <algorithm>
#include <charconv>

namespace cupilot::emulate::estimate {

namespace {

using Words = std::vector<std::string_view>;

bool has(const Words &words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}
bool is_one_of(std::string_view word, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, word) != all.end();
}
bool is_half(std::string_view type) {
  return is_one_of(type, {"f16", "f16x2", "bf16", "bf16x2"});
}
bool is_long(std::string_view type) {
  return is_one_of(type, {"s64", "u64", "b64"});
}
bool is_real(std::string_view type) {
  return is_one_of(type, {"f32", "f64", "f16", "f16x2", "bf16", "bf16x2", "tf32"});
}

/// The product m * n * k of an instruction's shape ("m16n8k16"); 0: it has none.
double shape_volume(const Words &words) {
  for (const auto word : words) {
    if (word.size() < 5 || word[0] != 'm' || word.find('n') == word.npos || word.find('k') == word.npos)
      continue;
    double product = 1;
    for (std::size_t at = 0; at < word.size();) {
      int number = 0;
      const auto [end, error] = std::from_chars(word.data() + at + 1, word.data() + word.size(), number);
      if (error != std::errc()) break;
      product *= number;
      at = static_cast<std::size_t>(end - word.data());
    }
    return product;
  }
  return 0;
}

class Costs {
public:
  Costs(const ptx::Instruction &instruction, const DeviceTable &device)
      : words_(instruction.words), device_(device), instruction_(instruction) {}

  MachineCost find() const {
    const auto name = words_[0];
    if (is_one_of(name, {"ld", "ldu"})) return load();
    if (is_one_of(name, {"st", "stmatrix"})) return memory(Kind::store);
    if (is_one_of(name, {"atom", "red"})) return memory(Kind::atomic);
    if (name == "ldmatrix" || name == "cp") return memory(Kind::load);
    if (name == "wmma" || name == "mma") return tensor();
    if (is_one_of(name, {"bar", "barrier"})) return has(words_, "warp") ? ordering(2) : simple(Kind::barrier);
    if (is_one_of(name, {"membar", "fence", "mbarrier"})) return ordering(4);
    if (is_one_of(name, {"bra", "ret", "exit", "brx"})) return ordering(1);
    if (name == "call") return ordering(8);
    if (is_one_of(name, {"cvta", "pragma", "nop", "isspacep"})) return free();
    if (name == "mov") return move();
    if (name == "cvt") return convert();
    return arithmetic(name, type());
  }

private:
  std::string_view type() const { return words_.back(); }
  double value(const char *key) const { return device_.values.at(key); }
  float alu_latency() const { return static_cast<float>(value("alu_latency_cycles")); }

  static MachineCost free() {
    MachineCost cost;
    cost.issues = cost.latency = 0;
    return cost;
  }
  static MachineCost simple(Kind kind) {
    MachineCost cost;
    cost.kind = kind;
    return cost;
  }
  static MachineCost ordering(float issues) {
    MachineCost cost = simple(Kind::ordering);
    cost.issues = issues;
    return cost;
  }
  MachineCost on(Port port, const char *cycles, double issues = 1) const {
    MachineCost cost;
    cost.port = port;
    cost.issues = static_cast<float>(issues);
    cost.port_cycles = static_cast<float>(value(cycles) * issues);
    cost.latency = alu_latency() * static_cast<float>(std::max(1.0, issues));
    return cost;
  }
  MachineCost with_latency(MachineCost cost, double latency) const {
    cost.latency = static_cast<float>(latency);
    return cost;
  }

  MachineCost memory(Kind kind) const {
    MachineCost cost = simple(kind);
    cost.hoistable = kind == Kind::load;
    return cost;
  }
  MachineCost load() const {
    if (has(words_, "param")) return free();
    MachineCost cost = memory(Kind::load);
    cost.hoistable = !has(words_, "volatile") && !has(words_, "acquire") && !has(words_, "relaxed");
    return cost;
  }

  /// Special registers are read once through a slow path; packing halves is a permute; the rest is renaming.
  MachineCost move() const {
    const auto &operands = instruction_.operands;
    if (operands.size() > 1 && operands[1].kind == ptx::Operand::Kind::special)
      return with_latency(on(Port::alu, "alu_cycles"), 20);
    const bool packs =
        operands.size() > 1 && operands[1].kind == ptx::Operand::Kind::vector && type() == "b32";
    return packs ? on(Port::alu, "alu_cycles") : free();
  }

  MachineCost convert() const {
    const auto to = words_[words_.size() - 2], from = type();
    if (to == from) return free();  // saturation is part of the instruction that computed the value
    if (to == "f32" && !is_real(from) && !is_long(from)) return on(Port::alu, "alu_cycles");
    if (is_real(to) != is_real(from) || (to == "f32" && from == "f64") || (to == "f64" && from == "f32"))
      return with_latency(on(Port::convert, "convert_cycles"), value("special_latency_cycles"));
    if (is_real(to)) return on(Port::alu, "alu_cycles");
    return is_long(to) && from == "s32" ? on(Port::alu, "alu_cycles") : free();
  }

  MachineCost tensor() const {
    if (has(words_, "load") || has(words_, "store"))
      return memory(has(words_, "load") ? Kind::load : Kind::store);
    const bool narrow = has(words_, "s8") || has(words_, "u8") || has(words_, "e4m3") || has(words_, "e5m2");
    const char *key = has(words_, "f64")    ? "mma_f64_flops_per_cycle"
                      : has(words_, "tf32") ? "mma_tf32_flops_per_cycle"
                      : narrow              ? "mma_s8_flops_per_cycle"
                                            : "mma_f16_flops_per_cycle";
    MachineCost cost;
    cost.port = Port::tensor;
    const double volume = shape_volume(words_);
    cost.port_cycles = static_cast<float>(2 * (volume > 0 ? volume : 2048) / std::max(1.0, value(key)));
    cost.issues = static_cast<float>(std::max(1.0, volume / 2048));
    cost.latency = 16 + 4 * cost.port_cycles;
    return cost;
  }

  MachineCost arithmetic(std::string_view name, std::string_view kind) const {
    if (is_one_of(name, {"ex2", "lg2", "rcp", "rsqrt", "sin", "cos", "tanh", "sqrt", "div"}) && is_real(kind))
      return special(name, kind);
    if (is_one_of(name, {"div", "rem"})) {
      const char *issues = is_long(kind) ? "long_division_issues" : "integer_division_issues";
      return on(Port::alu, "alu_cycles", value(issues) / 2);
    }
    if (name == "shfl")
      return with_latency(on(Port::shuffle, "shuffle_cycles"), value("shuffle_latency_cycles"));
    if (name == "redux" || name == "match")
      return with_latency(on(Port::reduce, "reduce_cycles"), value("shuffle_latency_cycles"));
    if (is_one_of(name, {"popc", "clz", "brev", "bfind"}))
      return with_latency(on(Port::bits, "bits_cycles"), 3 * alu_latency());
    if (is_one_of(name, {"neg", "abs"}) && is_real(kind)) return free();
    if (kind == "f64") return with_latency(on(Port::fp64, "fp64_cycles"), value("fp64_latency_cycles"));
    if (is_half(kind)) return on(Port::half, "half2_cycles");
    if (kind == "f32")
      return is_one_of(name, {"add", "sub", "mul", "fma", "mad"}) ? on(Port::fma, "fma_cycles")
                                                                  : on(Port::alu, "alu_cycles");
    return integer(name, kind);
  }

  MachineCost special(std::string_view name, std::string_view kind) const {
    const bool approximate = has(words_, "approx") || has(words_, "full");
    if (kind == "f64") {
      const MachineCost one = on(Port::fp64, "fp64_cycles", value("f64_division_issues"));
      return with_latency(one, value("fp64_latency_cycles") * value("f64_division_issues"));
    }
    MachineCost cost = on(Port::special, "special_cycles");
    cost.latency = static_cast<float>(value("special_latency_cycles"));
    if (approximate) {
      const bool scaled = !has(words_, "ftz") && is_one_of(name, {"ex2", "lg2", "rsqrt", "rcp", "sqrt"});
      cost.issues += (name == "div" ? 2.0f : 0.0f) + (scaled ? 3.0f : 0.0f);
      if (scaled) cost.latency += 3 * alu_latency();
      return cost;
    }
    const double issues = name == "sqrt" ? value("f32_root_issues") : value("f32_division_issues");
    cost.issues = static_cast<float>(name == "rcp" ? issues * 0.7 : issues);
    cost.latency += alu_latency() * cost.issues * 0.6f;
    return cost;
  }

  MachineCost integer(std::string_view name, std::string_view kind) const {
    if (is_one_of(name, {"mul", "mad"})) {
      const double parts = is_long(kind) ? 4 : has(words_, "wide") || has(words_, "hi") ? 2 : 1;
      MachineCost cost = on(Port::imad, "imad_cycles", parts);
      cost.issues = parts == 2 ? 1 : cost.issues;
      cost.latency = alu_latency() + (parts > 1 ? 2 : 0);
      return cost;
    }
    if (is_one_of(name, {"dp4a", "dp2a", "sad"})) return on(Port::imad, "imad_cycles");
    if (kind == "pred") return on(Port::alu, "alu_cycles");
    MachineCost cost = on(Port::alu, "alu_cycles", is_long(kind) ? 2 : 1);
    cost.latency = alu_latency() + (is_long(kind) ? 2 : 0);
    return cost;
  }

  const Words &words_;
  const DeviceTable &device_;
  const ptx::Instruction &instruction_;
};

}  // namespace

MachineCost machine_cost(const ptx::Instruction &instruction, const DeviceTable &device) {
  if (instruction.words.empty()) return {};
  return Costs(instruction, device).find();
}

}  // namespace cupilot::emulate::estimate
