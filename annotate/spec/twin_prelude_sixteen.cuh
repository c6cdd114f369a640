// The twin's types and functions that come of half and bf16; follows twin_prelude.cuh where a slice has them.
// clang-format off: lists of macro calls

// A number of a 16-bit type, not rounded. A type of its own, so that overloads and specialisations stay apart.
template <class Tag>
struct cupilot_narrow {
  double value;
  cupilot_narrow() = default;
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  __host__ __device__ constexpr cupilot_narrow(T number) : value(static_cast<double>(number)) {}
  __host__ __device__ constexpr operator double() const { return value; }
  template <class T> __host__ __device__ cupilot_narrow &operator+=(T by) { value += by; return *this; }
  template <class T> __host__ __device__ cupilot_narrow &operator-=(T by) { value -= by; return *this; }
  template <class T> __host__ __device__ cupilot_narrow &operator*=(T by) { value *= by; return *this; }
  template <class T> __host__ __device__ cupilot_narrow &operator/=(T by) { value /= by; return *this; }
};
template <class Tag>
struct cupilot_pair {
  cupilot_narrow<Tag> x, y;
  cupilot_pair() = default;
  __host__ __device__ constexpr cupilot_pair(cupilot_narrow<Tag> a, cupilot_narrow<Tag> b) : x(a), y(b) {}
  template <class T> __host__ __device__ cupilot_pair &operator+=(T by) { return *this = *this + by; }
  template <class T> __host__ __device__ cupilot_pair &operator-=(T by) { return *this = *this - by; }
  template <class T> __host__ __device__ cupilot_pair &operator*=(T by) { return *this = *this * by; }
  template <class T> __host__ __device__ cupilot_pair &operator/=(T by) { return *this = *this / by; }
};
struct cupilot_half_tag {};
struct cupilot_bfloat16_tag {};
#define TWIN_TYPE(name, type) typedef type cupilot_twin_##name;
TWIN_TYPE(half, cupilot_narrow<cupilot_half_tag>) TWIN_TYPE(__half, cupilot_narrow<cupilot_half_tag>)
TWIN_TYPE(half2, cupilot_pair<cupilot_half_tag>) TWIN_TYPE(__half2, cupilot_pair<cupilot_half_tag>)
TWIN_TYPE(nv_bfloat16, cupilot_narrow<cupilot_bfloat16_tag>)
TWIN_TYPE(__nv_bfloat16, cupilot_narrow<cupilot_bfloat16_tag>)
TWIN_TYPE(nv_bfloat162, cupilot_pair<cupilot_bfloat16_tag>)
TWIN_TYPE(__nv_bfloat162, cupilot_pair<cupilot_bfloat16_tag>)

#define CUPILOT_OPERATOR(op)                                                                                       \
  template <class Tag> TWIN cupilot_narrow<Tag> operator op(cupilot_narrow<Tag> a, cupilot_narrow<Tag> b) {        \
    return a.value op b.value;                                                                                     \
  }                                                                                                                \
  template <class Tag> TWIN cupilot_pair<Tag> operator op(cupilot_pair<Tag> a, cupilot_pair<Tag> b) {              \
    return {a.x op b.x, a.y op b.y};                                                                               \
  }
CUPILOT_OPERATOR(+) CUPILOT_OPERATOR(-) CUPILOT_OPERATOR(*) CUPILOT_OPERATOR(/)
template <class Tag> TWIN cupilot_narrow<Tag> operator-(cupilot_narrow<Tag> a) { return -a.value; }
template <class Tag> TWIN cupilot_pair<Tag> operator-(cupilot_pair<Tag> a) { return {-a.x.value, -a.y.value}; }

#define TWIN_SHORTS(word, result)                                                                \
  TWIN_TO_WHOLE(__##word##2short, short) TWIN_TO_WHOLE(__##word##2ushort, unsigned short)        \
  TWIN_FROM_WHOLE(__short2##word, short, result) TWIN_FROM_WHOLE(__ushort2##word, unsigned short, result)
TWIN_WHOLES(half, cupilot_twin_half) TWIN_SHORTS(half, cupilot_twin_half)
TWIN_WHOLES(bfloat16, cupilot_twin_nv_bfloat16) TWIN_SHORTS(bfloat16, cupilot_twin_nv_bfloat16)

TWIN_1(__half2float, a) TWIN_1(__bfloat162float, a)
#define TWIN_MAKE(type, name) TWIN_AS(type, double, name, a)
TWIN_MAKE(cupilot_twin_half, __float2half) TWIN_MAKE(cupilot_twin_half, __float2half_rn)
TWIN_MAKE(cupilot_twin_half, __float2half_rz) TWIN_MAKE(cupilot_twin_half, __float2half_ru)
TWIN_MAKE(cupilot_twin_half, __float2half_rd) TWIN_MAKE(cupilot_twin_half, __double2half)
TWIN_MAKE(cupilot_twin_nv_bfloat16, __float2bfloat16) TWIN_MAKE(cupilot_twin_nv_bfloat16, __float2bfloat16_rn)
TWIN_MAKE(cupilot_twin_nv_bfloat16, __float2bfloat16_rz) TWIN_MAKE(cupilot_twin_nv_bfloat16, __float2bfloat16_ru)
TWIN_MAKE(cupilot_twin_nv_bfloat16, __float2bfloat16_rd) TWIN_MAKE(cupilot_twin_nv_bfloat16, __double2bfloat16)
#define TWIN_PAIR_OF(type, name) TWIN type cupilot_twin_##name(double a, double b) { return {a, b}; }
#define TWIN_PAIR_ONE(type, name) TWIN type cupilot_twin_##name(double a) { return {a, a}; }
TWIN_PAIR_OF(cupilot_twin_half2, __floats2half2_rn) TWIN_PAIR_OF(cupilot_twin_half2, __halves2half2)
TWIN_PAIR_OF(cupilot_twin_half2, make_half2) TWIN_PAIR_ONE(cupilot_twin_half2, __float2half2_rn)
TWIN_PAIR_ONE(cupilot_twin_half2, __half2half2) TWIN_PAIR_OF(cupilot_twin_nv_bfloat162, __floats2bfloat162_rn)
TWIN_PAIR_OF(cupilot_twin_nv_bfloat162, __halves2bfloat162) TWIN_PAIR_OF(cupilot_twin_nv_bfloat162, make_bfloat162)
TWIN_PAIR_ONE(cupilot_twin_nv_bfloat162, __float2bfloat162_rn)
TWIN_PAIR_ONE(cupilot_twin_nv_bfloat162, __bfloat162bfloat162)
#define CUPILOT_BOTH(type) (type{a.x, a.y})
TWIN_AS(cupilot_twin_half2, cupilot_twin_float2, __float22half2_rn, CUPILOT_BOTH(cupilot_twin_half2))
TWIN_AS(cupilot_twin_nv_bfloat162, cupilot_twin_float2, __float22bfloat162_rn, CUPILOT_BOTH(cupilot_twin_nv_bfloat162))
TWIN_AS(cupilot_twin_float2, cupilot_twin_half2, __half22float2, CUPILOT_BOTH(cupilot_twin_float2))
TWIN_AS(cupilot_twin_float2, cupilot_twin_nv_bfloat162, __bfloat1622float2, CUPILOT_BOTH(cupilot_twin_float2))
#define TWIN_OF_PAIR(result, name, expression) \
  template <class Tag> TWIN result cupilot_twin_##name(cupilot_pair<Tag> a) { return expression; }
#define CUPILOT_SWAPPED(first, second) (cupilot_pair<Tag>{first, second})
TWIN_OF_PAIR(double, __low2float, a.x) TWIN_OF_PAIR(double, __high2float, a.y)
TWIN_OF_PAIR(cupilot_narrow<Tag>, __low2half, a.x) TWIN_OF_PAIR(cupilot_narrow<Tag>, __high2half, a.y)
TWIN_OF_PAIR(cupilot_narrow<Tag>, __low2bfloat16, a.x) TWIN_OF_PAIR(cupilot_narrow<Tag>, __high2bfloat16, a.y)
TWIN_OF_PAIR(cupilot_pair<Tag>, __low2half2, CUPILOT_SWAPPED(a.x, a.x))
TWIN_OF_PAIR(cupilot_pair<Tag>, __high2half2, CUPILOT_SWAPPED(a.y, a.y))
TWIN_OF_PAIR(cupilot_pair<Tag>, __low2bfloat162, CUPILOT_SWAPPED(a.x, a.x))
TWIN_OF_PAIR(cupilot_pair<Tag>, __high2bfloat162, CUPILOT_SWAPPED(a.y, a.y))
TWIN_OF_PAIR(cupilot_pair<Tag>, __lowhigh2highlow, CUPILOT_SWAPPED(a.y, a.x))

// For one number and for both of a pair; a result of mixed arguments is a double.
#define TWIN_H1(name, expression)                                                                                  \
  TWIN double cupilot_twin_##name(double a) { return expression; }                                                 \
  template <class Tag> TWIN cupilot_narrow<Tag> cupilot_twin_##name(cupilot_narrow<Tag> number) {                  \
    const double a = number;                                                                                       \
    return expression;                                                                                             \
  }
#define TWIN_H2(name, expression)                                                                                  \
  TWIN double cupilot_twin_##name(double a, double b) { return expression; }                                       \
  template <class Tag>                                                                                             \
  TWIN cupilot_narrow<Tag> cupilot_twin_##name(cupilot_narrow<Tag> first, cupilot_narrow<Tag> second) {            \
    const double a = first, b = second;                                                                            \
    return expression;                                                                                             \
  }
#define TWIN_H3(name, expression)                                                                                  \
  TWIN double cupilot_twin_##name(double a, double b, double c) { return expression; }                             \
  template <class Tag>                                                                                             \
  TWIN cupilot_narrow<Tag> cupilot_twin_##name(cupilot_narrow<Tag> first, cupilot_narrow<Tag> second,              \
                                               cupilot_narrow<Tag> third) {                                        \
    const double a = first, b = second, c = third;                                                                 \
    return expression;                                                                                             \
  }
#define TWIN_PAIR_1(name, one)                                                                                     \
  template <class Tag> TWIN cupilot_pair<Tag> cupilot_twin_##name(cupilot_pair<Tag> a) {                           \
    return {cupilot_twin_##one(a.x), cupilot_twin_##one(a.y)};                                                     \
  }
#define TWIN_PAIR_2(name, one)                                                                                     \
  template <class Tag> TWIN cupilot_pair<Tag> cupilot_twin_##name(cupilot_pair<Tag> a, cupilot_pair<Tag> b) {      \
    return {cupilot_twin_##one(a.x, b.x), cupilot_twin_##one(a.y, b.y)};                                           \
  }
#define TWIN_PAIR_3(name, one)                                                                                     \
  template <class Tag>                                                                                             \
  TWIN cupilot_pair<Tag> cupilot_twin_##name(cupilot_pair<Tag> a, cupilot_pair<Tag> b, cupilot_pair<Tag> c) {      \
    return {cupilot_twin_##one(a.x, b.x, c.x), cupilot_twin_##one(a.y, b.y, c.y)};                                 \
  }
#define CUPILOT_SATURATED(value) ::fmin(::fmax((value), 0.0), 1.0)
#define CUPILOT_NAN_OR(which) (a != a ? a : b != b ? b : which(a, b))
TWIN_H2(__hadd, a + b) TWIN_H2(__hadd_rn, a + b) TWIN_H2(__hadd_sat, CUPILOT_SATURATED(a + b))
TWIN_H2(__hsub, a - b) TWIN_H2(__hsub_rn, a - b) TWIN_H2(__hsub_sat, CUPILOT_SATURATED(a - b))
TWIN_H2(__hmul, a * b) TWIN_H2(__hmul_rn, a * b) TWIN_H2(__hmul_sat, CUPILOT_SATURATED(a * b))
TWIN_H2(__hdiv, a / b) TWIN_H3(__hfma, ::fma(a, b, c)) TWIN_H3(__hfma_sat, CUPILOT_SATURATED(::fma(a, b, c)))
TWIN_H3(__hfma_relu, ::fmax(::fma(a, b, c), 0.0)) TWIN_H1(__hneg, -a) TWIN_H1(__habs, ::fabs(a))
TWIN_H2(__hmax, ::fmax(a, b)) TWIN_H2(__hmin, ::fmin(a, b)) TWIN_H2(__hmax_nan, CUPILOT_NAN_OR(::fmax))
TWIN_H2(__hmin_nan, CUPILOT_NAN_OR(::fmin))
TWIN_H1(hexp, ::exp(a)) TWIN_H1(hexp2, ::exp2(a)) TWIN_H1(hexp10, ::exp10(a)) TWIN_H1(hlog, ::log(a))
TWIN_H1(hlog2, ::log2(a)) TWIN_H1(hlog10, ::log10(a)) TWIN_H1(hsqrt, ::sqrt(a)) TWIN_H1(hrsqrt, ::rsqrt(a))
TWIN_H1(hrcp, 1.0 / a) TWIN_H1(hsin, ::sin(a)) TWIN_H1(hcos, ::cos(a)) TWIN_H1(htanh, ::tanh(a))
TWIN_H1(htanh_approx, ::tanh(a)) TWIN_H1(hfloor, ::floor(a)) TWIN_H1(hceil, ::ceil(a))
TWIN_H1(hrint, ::rint(a)) TWIN_H1(htrunc, ::trunc(a))
TWIN_PAIR_2(__hadd2, __hadd) TWIN_PAIR_2(__hadd2_rn, __hadd) TWIN_PAIR_2(__hadd2_sat, __hadd_sat)
TWIN_PAIR_2(__hsub2, __hsub) TWIN_PAIR_2(__hsub2_rn, __hsub) TWIN_PAIR_2(__hsub2_sat, __hsub_sat)
TWIN_PAIR_2(__hmul2, __hmul) TWIN_PAIR_2(__hmul2_rn, __hmul) TWIN_PAIR_2(__hmul2_sat, __hmul_sat)
TWIN_PAIR_2(__h2div, __hdiv) TWIN_PAIR_3(__hfma2, __hfma) TWIN_PAIR_3(__hfma2_sat, __hfma_sat)
TWIN_PAIR_3(__hfma2_relu, __hfma_relu) TWIN_PAIR_1(__hneg2, __hneg) TWIN_PAIR_1(__habs2, __habs)
TWIN_PAIR_2(__hmax2, __hmax) TWIN_PAIR_2(__hmin2, __hmin) TWIN_PAIR_2(__hmax2_nan, __hmax_nan)
TWIN_PAIR_2(__hmin2_nan, __hmin_nan) TWIN_PAIR_1(h2exp, hexp) TWIN_PAIR_1(h2exp2, hexp2)
TWIN_PAIR_1(h2exp10, hexp10) TWIN_PAIR_1(h2log, hlog) TWIN_PAIR_1(h2log2, hlog2) TWIN_PAIR_1(h2log10, hlog10)
TWIN_PAIR_1(h2sqrt, hsqrt) TWIN_PAIR_1(h2rsqrt, hrsqrt) TWIN_PAIR_1(h2rcp, hrcp) TWIN_PAIR_1(h2sin, hsin)
TWIN_PAIR_1(h2cos, hcos) TWIN_PAIR_1(h2tanh, htanh) TWIN_PAIR_1(h2floor, hfloor) TWIN_PAIR_1(h2ceil, hceil)
TWIN_PAIR_1(h2rint, hrint) TWIN_PAIR_1(h2trunc, htrunc)
#define TWIN_IS_1(name, expression) TWIN bool cupilot_twin_##name(double a) { return expression; }
#define TWIN_IS_2(name, expression) TWIN bool cupilot_twin_##name(double a, double b) { return expression; }
TWIN_IS_1(__hisnan, a != a)
TWIN int cupilot_twin___hisinf(double a) { return a == __builtin_huge_val() ? 1 : a == -__builtin_huge_val() ? -1 : 0; }
TWIN_IS_2(__heq, a == b) TWIN_IS_2(__hne, a < b || a > b) TWIN_IS_2(__hlt, a < b) TWIN_IS_2(__hle, a <= b)
TWIN_IS_2(__hgt, a > b) TWIN_IS_2(__hge, a >= b) TWIN_IS_2(__hequ, !(a < b || a > b))
TWIN_IS_2(__hneu, a != b) TWIN_IS_2(__hltu, !(a >= b)) TWIN_IS_2(__hleu, !(a > b))
TWIN_IS_2(__hgtu, !(a <= b)) TWIN_IS_2(__hgeu, !(a < b))
TWIN_PAIR_2(__heq2, __heq) TWIN_PAIR_2(__hne2, __hne) TWIN_PAIR_2(__hlt2, __hlt) TWIN_PAIR_2(__hle2, __hle)
TWIN_PAIR_2(__hgt2, __hgt) TWIN_PAIR_2(__hge2, __hge)

template <class Tag, class V>
TWIN_DEVICE cupilot_narrow<Tag> cupilot_twin_atomicAdd(cupilot_narrow<Tag> *to, V value) {
  return ::atomicAdd(&to->value, static_cast<double>(value));
}
template <class Tag>
TWIN_DEVICE cupilot_pair<Tag> cupilot_twin_atomicAdd(cupilot_pair<Tag> *to, cupilot_pair<Tag> value) {
  return {::atomicAdd(&to->x.value, value.x.value), ::atomicAdd(&to->y.value, value.y.value)};
}
#define TWIN_SHUFFLE_SIXTEEN(name, lane_type)                                                                      \
  template <class Tag>                                                                                             \
  TWIN_DEVICE cupilot_narrow<Tag> cupilot_twin_##name(unsigned mask, cupilot_narrow<Tag> value, lane_type lane,    \
                                                      int width = 32) {                                            \
    return ::name(mask, value.value, lane, width);                                                                 \
  }                                                                                                                \
  template <class Tag>                                                                                             \
  TWIN_DEVICE cupilot_pair<Tag> cupilot_twin_##name(unsigned mask, cupilot_pair<Tag> value, lane_type lane,        \
                                                    int width = 32) {                                              \
    return {::name(mask, value.x.value, lane, width), ::name(mask, value.y.value, lane, width)};                   \
  }
TWIN_SHUFFLE_SIXTEEN(__shfl_sync, int) TWIN_SHUFFLE_SIXTEEN(__shfl_xor_sync, int)
TWIN_SHUFFLE_SIXTEEN(__shfl_up_sync, unsigned) TWIN_SHUFFLE_SIXTEEN(__shfl_down_sync, unsigned)
