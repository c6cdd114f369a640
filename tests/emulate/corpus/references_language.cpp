// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/emulate/corpus/number.h"
#include "tests/emulate/corpus/references.h"

namespace cupilot::corpus {
namespace {

using Arguments = std::vector<Argument>;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

/// Element by element, from argument 0 to argument 1.
template <class In, class Out, class Function>
void each(Arguments &a, Function function) {
  for (u64 i = 0; i < a[1].count; ++i) a[1].as<Out>()[i] = static_cast<Out>(function(a[0].as<In>()[i]));
}

int fibonacci_of(int n) {
  return n < 2 ? n : fibonacci_of(n - 1) + fibonacci_of(n - 2);
}
void fibonacci(const Case &, Arguments &a) {
  each<int, int>(a, fibonacci_of);
}
void is_even(const Case &, Arguments &a) {
  each<int, int>(a, [](int v) { return v % 2 == 0; });
}
void triangle(const Case &, Arguments &a) {
  each<int, int>(a, [](int v) { return v * (v + 1) / 2; });
}

void sort_stretch(Arguments &a, u64 each_count) {
  int *x = a[0].as<int>();
  for (u64 i = 0; i < a[0].count; i += each_count) std::sort(x + i, x + i + each_count);
}
void sort_stretches(const Case &, Arguments &a) {
  sort_stretch(a, 50);
}
void sort_stretches16(const Case &, Arguments &a) {
  sort_stretch(a, 16);
}
void sort_all(const Case &, Arguments &a) {
  sort_stretch(a, a[0].count);
}

void three_operations(const Case &, Arguments &a) {
  for (u64 i = 0; i < a[0].count; ++i) {
    const int x = a[0].as<int>()[i], y = a[1].as<int>()[i];
    a[2].as<int>()[i] = i % 3 == 0 ? x + y : i % 3 == 1 ? x - y : x * y;
  }
}

void areas(const Case &, Arguments &a) {
  for (u64 i = 0; i < a[0].count; ++i) {
    const float v = a[0].as<float>()[i];
    a[1].as<float>()[i] = i % 2 != 0 ? v * 3 : v * v;
  }
}

void settings(const Case &, Arguments &a) {
  for (u64 i = 0; i < 32; ++i)
    a[2].as<float>()[i] =
        static_cast<float>(a[0].as<float>()[(i + 3) & 31] * 2 + 0.5 + static_cast<double>(i % 4 + 1));
}

void local_digits(const Case &, Arguments &a) {
  for (u64 i = 0; i < a[1].count; ++i) {
    int counts[10] = {};
    for (int k = 0; k < 5; ++k) ++counts[(a[0].as<int>()[i + static_cast<u64>(k)] + k) % 10];
    const int most = static_cast<int>(std::max_element(counts, counts + 10) - counts);
    a[1].as<int>()[i] = most * 100 + counts[most];
  }
}

void tables(const Case &, Arguments &a) {
  const int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
  for (int i = 0; i < 32; ++i) a[1].as<int>()[i] = a[0].as<int>()[i] * primes[i & 7] + 100 * (i / 8 + 1);
}

void switch_table(const Case &, Arguments &a) {
  const int results[9] = {5, 17, -88, 384, -5, 125, 1006, 1007, -1};
  each<int, int>(a, [&](int v) { return results[v]; });
}

int collatz_steps(int v) {
  int n = v + 1, steps = 0;
  while (n != 1) {
    if (n % 2 == 0) {
      n /= 2;
    } else {
      n = 3 * n + 1;
      if (steps > 100) break;
    }
    ++steps;
  }
  return steps;
}
void collatz(const Case &, Arguments &a) {
  each<int, int>(a, collatz_steps);
}

int nested_result(int v) {
  int r = 0;
  for (int k = 0; k < 4; ++k) {
    if (v % 2 != 0) {
      r += v % 3 != 0 ? 1 : 10;
      if (v % 3 != 0 && v % 5 == 0) continue;
      v += 7;
    } else if (v > 60) {
      r += 100;
      break;
    } else {
      v = v / 2 + 1;
    }
    r *= 2;
  }
  return r;
}
void nested(const Case &, Arguments &a) {
  each<int, int>(a, nested_result);
}

void reverse_first_two(const Case &, Arguments &a) {
  for (u64 i = 0; i < 128; ++i) a[1].as<int>()[i] = a[0].as<int>()[i / 64 * 64 + 63 - i % 64];
}

void rotate(const Case &, Arguments &a) {
  for (u64 i = 0; i < 64; ++i) a[1].as<int>()[i] = a[0].as<int>()[(i + 5) & 63];
}

void arena(const Case &, Arguments &a) {
  for (u64 i = 0; i < 32; ++i) {
    const int n = a[1].as<int>()[31 - i];
    a[2].as<float>()[i] = n > 50 ? a[0].as<float>()[31 - i] * static_cast<float>(n) : -1;
  }
}

void byte_reverse(const Case &, Arguments &a) {
  each<u32, u32>(a, [](u32 v) { return __builtin_bswap32(v * 2654435761u); });
}

void bit_tricks(const Case &, Arguments &a) {
  each<u32, u32>(a, [](u32 x) {
    const u32 v = x * 2654435761u, high = v & ~7u;
    const u32 first = high == 0 ? 0 : static_cast<u32>(std::countr_zero(high)) + 1;
    return static_cast<u32>(std::popcount(v)) + 100 * static_cast<u32>(std::countl_zero(v >> 3)) +
           10000 * first + (v >> 31) + std::rotl(v, 13);
  });
}

void wide_arithmetic(const Case &, Arguments &a) {
  each<i64, i64>(a, [](i64 x) {
    const i64 v = x * 1234567890123 + 987654321;
    const u64 u = static_cast<u64>(v);
    __extension__ using Wide = unsigned __int128;
    const u64 high = static_cast<u64>(static_cast<Wide>(u) * (u << 20) >> 64);
    return static_cast<i64>(static_cast<u64>(v / 12345 + v % 678 + (v >> 7)) + u / 99991 + high);
  });
}

void division(const Case &, Arguments &a) {
  for (u64 i = 0; i < 64; ++i) {
    const int n = a[0].as<int>()[i] * 7919 - 300000;
    const int d = a[1].as<int>()[i] == 50 ? 3 : a[1].as<int>()[i] - 50;
    a[2].as<int>()[i] = static_cast<int>(static_cast<u32>(n / d) * 1000u + static_cast<u32>(n % d) +
                                         static_cast<u32>(n) / static_cast<u32>(d));
  }
}

void small_types(const Case &, Arguments &a) {
  for (u64 i = 0; i < 64; ++i) {
    const auto c = static_cast<std::int8_t>(a[0].as<std::int8_t>()[i] * 3);
    const auto s = static_cast<std::uint16_t>(a[1].as<std::uint16_t>()[i] * 777);
    a[2].as<int>()[i] = c * 100000 + static_cast<std::int16_t>(s) + (s >> 5);
  }
}

void conversions(const Case &, Arguments &a) {
  each<float, int>(a, [](float x) {
    const float v = x * 1000;
    return static_cast<int>(v) + static_cast<int>(std::rint(v)) * 3 + static_cast<int>(std::floor(v)) * 5 +
           static_cast<int>(std::ceil(v)) * 7 + static_cast<std::uint8_t>(static_cast<int>(std::fabs(v))) +
           static_cast<int>(v);
  });
}

void double_functions(const Case &, Arguments &a) {
  each<double, double>(a, [](double v) {
    return std::sin(v) + std::cos(3 * v) + std::exp(v) * std::log1p(v * v) + std::pow(2 + v, 1.5) +
           std::sqrt(v + 2) + std::atan2(v, 0.5) + std::erf(v) + std::cbrt(v);
  });
}

void float_functions(const Case &, Arguments &a) {
  each<float, float>(a, [](double v) {
    return std::sin(v) + std::cos(3 * v) + std::exp(v) * std::log1p(v * v) + std::pow(2 + v, 1.5) +
           std::sqrt(v + 2) + std::atan2(v, 0.5) + std::erf(v) + std::cbrt(v) + std::fmod(5 * v, 0.75) +
           std::hypot(v, 1) + std::exp2(v) + std::log2(v + 2);
  });
}

void four_sums(const Case &, Arguments &a) {
  for (u64 i = 0; i < 32; ++i) {
    const int *four = a[0].as<int>() + 4 * i;
    a[1].as<int>()[i] = four[0] + four[1] + four[2] + four[3];
  }
}

void complex_squares(const Case &, Arguments &a) {
  for (u64 i = 0; i < 32; ++i) {
    const float re = a[0].as<float>()[2 * i], im = a[0].as<float>()[2 * i + 1];
    a[1].as<float>()[2 * i] = re * re - im * im;
    a[1].as<float>()[2 * i + 1] = 2 * re * im;
  }
}

void numbers(const Case &, Arguments &a) {
  for (u64 i = 0; i < a[0].count; ++i) a[0].as<int>()[i] = static_cast<int>(i);
}

void forty_two(const Case &, Arguments &a) {
  *a[0].as<int>() = 42;
  *a[1].as<int>() = 2;
}

}  // namespace

const std::vector<NamedReference> kLanguage = {
    {"fibonacci", fibonacci},
    {"is_even", is_even},
    {"triangle", triangle},
    {"sort_stretches", sort_stretches},
    {"sort_stretches16", sort_stretches16},
    {"sort_all", sort_all},
    {"three_operations", three_operations},
    {"areas", areas},
    {"settings", settings},
    {"local_digits", local_digits},
    {"tables", tables},
    {"switch_table", switch_table},
    {"collatz", collatz},
    {"nested", nested},
    {"reverse_first_two", reverse_first_two},
    {"rotate", rotate},
    {"arena", arena},
    {"byte_reverse", byte_reverse},
    {"bit_tricks", bit_tricks},
    {"wide_arithmetic", wide_arithmetic},
    {"division", division},
    {"small_types", small_types},
    {"conversions", conversions},
    {"double_functions", double_functions},
    {"float_functions", float_functions},
    {"four_sums", four_sums},
    {"complex_squares", complex_squares},
    {"numbers", numbers},
    {"forty_two", forty_two},
};

}  // namespace cupilot::corpus
