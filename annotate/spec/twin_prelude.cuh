// What the twin's text stands on: for every word X that is promoted there is a type or function
// cupilot_twin_X, which computes in double. The promotion parses this text and knows no others
// (annotate/rewrite/twin.h). Here what comes of float; C++14, device code of one file.
// clang-format off: lists of macro calls
#include <cuda_runtime.h>

#include <type_traits>

#define TWIN __host__ __device__ __forceinline__
#define TWIN_DEVICE __device__ __forceinline__

// Aligned like one double, so that any element of a buffer may be the first of a vector.
struct cupilot_twin_float2 { double x, y; };
struct cupilot_twin_float3 { double x, y, z; };
struct cupilot_twin_float4 { double x, y, z, w; };
TWIN cupilot_twin_float2 cupilot_twin_make_float2(double x, double y) { return {x, y}; }
TWIN cupilot_twin_float3 cupilot_twin_make_float3(double x, double y, double z) { return {x, y, z}; }
TWIN cupilot_twin_float4 cupilot_twin_make_float4(double x, double y, double z, double w) { return {x, y, z, w}; }

// The same numbers as those of std::numeric_limits<float>, not those of double.
struct cupilot_float_limits {
  static __host__ __device__ constexpr double max() { return 3.40282346638528859811704183484516925e+38; }
  static __host__ __device__ constexpr double lowest() { return -max(); }
  static __host__ __device__ constexpr double min() { return 1.17549435082228750796873653722224568e-38; }
  static __host__ __device__ constexpr double epsilon() { return 1.1920928955078125e-07; }
  static __host__ __device__ constexpr double infinity() { return __builtin_huge_val(); }
  static __host__ __device__ constexpr double quiet_NaN() { return __builtin_nan(""); }
};

#define TWIN_1(name, expression) TWIN double cupilot_twin_##name(double a) { return expression; }
#define TWIN_2(name, expression) TWIN double cupilot_twin_##name(double a, double b) { return expression; }
#define TWIN_3(name, expression) \
  TWIN double cupilot_twin_##name(double a, double b, double c) { return expression; }
#define TWIN_AS(result, argument, name, expression) \
  TWIN result cupilot_twin_##name(argument a) { return expression; }

TWIN_1(acosf, ::acos(a)) TWIN_1(acoshf, ::acosh(a)) TWIN_1(asinf, ::asin(a)) TWIN_1(asinhf, ::asinh(a))
TWIN_1(atanf, ::atan(a)) TWIN_1(atanhf, ::atanh(a)) TWIN_1(cbrtf, ::cbrt(a)) TWIN_1(ceilf, ::ceil(a))
TWIN_1(cosf, ::cos(a)) TWIN_1(coshf, ::cosh(a)) TWIN_1(cospif, ::cospi(a)) TWIN_1(erfcf, ::erfc(a))
TWIN_1(erfcinvf, ::erfcinv(a)) TWIN_1(erfcxf, ::erfcx(a)) TWIN_1(erff, ::erf(a)) TWIN_1(erfinvf, ::erfinv(a))
TWIN_1(exp10f, ::exp10(a)) TWIN_1(exp2f, ::exp2(a)) TWIN_1(expf, ::exp(a)) TWIN_1(expm1f, ::expm1(a))
TWIN_1(fabsf, ::fabs(a)) TWIN_1(floorf, ::floor(a)) TWIN_1(lgammaf, ::lgamma(a)) TWIN_1(log10f, ::log10(a))
TWIN_1(log1pf, ::log1p(a)) TWIN_1(log2f, ::log2(a)) TWIN_1(logbf, ::logb(a)) TWIN_1(logf, ::log(a))
TWIN_1(nearbyintf, ::nearbyint(a)) TWIN_1(normcdff, ::normcdf(a)) TWIN_1(normcdfinvf, ::normcdfinv(a))
TWIN_1(rcbrtf, ::rcbrt(a)) TWIN_1(rintf, ::rint(a)) TWIN_1(roundf, ::round(a)) TWIN_1(rsqrtf, ::rsqrt(a))
TWIN_1(sinf, ::sin(a)) TWIN_1(sinhf, ::sinh(a)) TWIN_1(sinpif, ::sinpi(a)) TWIN_1(sqrtf, ::sqrt(a))
TWIN_1(tanf, ::tan(a)) TWIN_1(tanhf, ::tanh(a)) TWIN_1(tgammaf, ::tgamma(a)) TWIN_1(truncf, ::trunc(a))
TWIN_1(j0f, ::j0(a)) TWIN_1(j1f, ::j1(a)) TWIN_1(y0f, ::y0(a)) TWIN_1(y1f, ::y1(a))
TWIN_2(atan2f, ::atan2(a, b)) TWIN_2(copysignf, ::copysign(a, b)) TWIN_2(fdimf, ::fdim(a, b))
TWIN_2(fdividef, a / b) TWIN_2(fmaxf, ::fmax(a, b)) TWIN_2(fminf, ::fmin(a, b)) TWIN_2(fmodf, ::fmod(a, b))
TWIN_2(hypotf, ::hypot(a, b)) TWIN_2(powf, ::pow(a, b)) TWIN_2(remainderf, ::remainder(a, b))
TWIN_2(rhypotf, 1.0 / ::hypot(a, b)) TWIN_3(fmaf, ::fma(a, b, c))
TWIN_3(norm3df, ::sqrt(a * a + b * b + c * c)) TWIN_3(rnorm3df, ::rsqrt(a * a + b * b + c * c))
TWIN_AS(int, double, ilogbf, ::ilogb(a)) TWIN_AS(long, double, lrintf, ::lrint(a))
TWIN_AS(long, double, lroundf, ::lround(a)) TWIN_AS(long long, double, llrintf, ::llrint(a))
TWIN_AS(long long, double, llroundf, ::llround(a))
TWIN double cupilot_twin_ldexpf(double a, int by) { return ::ldexp(a, by); }
TWIN double cupilot_twin_scalbnf(double a, int by) { return ::scalbn(a, by); }
TWIN double cupilot_twin_powif(double a, int to) { return ::pow(a, static_cast<double>(to)); }
TWIN double cupilot_twin_frexpf(double a, int *exponent) { return ::frexp(a, exponent); }
TWIN double cupilot_twin_modff(double a, double *whole) { return ::modf(a, whole); }
TWIN void cupilot_twin_sincosf(double a, double *sine, double *cosine) { ::sincos(a, sine, cosine); }
TWIN void cupilot_twin_sincospif(double a, double *sine, double *cosine) { ::sincospi(a, sine, cosine); }

TWIN_1(__expf, ::exp(a)) TWIN_1(__exp10f, ::exp10(a)) TWIN_1(__logf, ::log(a)) TWIN_1(__log2f, ::log2(a))
TWIN_1(__log10f, ::log10(a)) TWIN_1(__sinf, ::sin(a)) TWIN_1(__cosf, ::cos(a)) TWIN_1(__tanf, ::tan(a))
TWIN_1(__tanhf, ::tanh(a)) TWIN_2(__powf, ::pow(a, b)) TWIN_2(__fdividef, a / b)
TWIN_1(__saturatef, ::fmin(::fmax(a, 0.0), 1.0)) TWIN_1(__frsqrt_rn, ::rsqrt(a))
TWIN void cupilot_twin___sincosf(double a, double *sine, double *cosine) { ::sincos(a, sine, cosine); }
#define CUPILOT_EACH_WAY(THIS, begin, expression) \
  THIS(begin##_rn, expression) THIS(begin##_rz, expression) THIS(begin##_ru, expression) THIS(begin##_rd, expression)
#define TWIN_WAYS_1(begin, expression) CUPILOT_EACH_WAY(TWIN_1, begin, expression)
#define TWIN_WAYS_2(begin, expression) CUPILOT_EACH_WAY(TWIN_2, begin, expression)
#define TWIN_WAYS_3(begin, expression) CUPILOT_EACH_WAY(TWIN_3, begin, expression)
TWIN_WAYS_2(__fadd, a + b) TWIN_WAYS_2(__fsub, a - b) TWIN_WAYS_2(__fmul, a * b) TWIN_WAYS_2(__fdiv, a / b)
TWIN_WAYS_3(__fmaf, ::fma(a, b, c)) TWIN_WAYS_3(__fmaf_ieee, ::fma(a, b, c)) TWIN_WAYS_1(__frcp, 1.0 / a)
TWIN_WAYS_1(__fsqrt, ::sqrt(a)) TWIN_WAYS_1(__double2float, a)

// Whole numbers: the way of rounding is part of the function.
#define CUPILOT_TO_WHOLE(begin, type)                                      \
  TWIN type begin##_rn(double a) { return static_cast<type>(::rint(a)); }  \
  TWIN type begin##_rz(double a) { return static_cast<type>(::trunc(a)); } \
  TWIN type begin##_ru(double a) { return static_cast<type>(::ceil(a)); }  \
  TWIN type begin##_rd(double a) { return static_cast<type>(::floor(a)); }
#define CUPILOT_FROM_WHOLE(begin, type, result)                     \
  TWIN result begin##_rn(type a) { return static_cast<double>(a); } \
  TWIN result begin##_rz(type a) { return static_cast<double>(a); } \
  TWIN result begin##_ru(type a) { return static_cast<double>(a); } \
  TWIN result begin##_rd(type a) { return static_cast<double>(a); }
#define TWIN_TO_WHOLE(name, type) CUPILOT_TO_WHOLE(cupilot_twin_##name, type)
#define TWIN_FROM_WHOLE(name, type, result) CUPILOT_FROM_WHOLE(cupilot_twin_##name, type, result)
#define TWIN_WHOLES(word, result)                                                             \
  TWIN_TO_WHOLE(__##word##2int, int) TWIN_TO_WHOLE(__##word##2uint, unsigned)                 \
  TWIN_TO_WHOLE(__##word##2ll, long long) TWIN_TO_WHOLE(__##word##2ull, unsigned long long)   \
  TWIN_FROM_WHOLE(__int2##word, int, result) TWIN_FROM_WHOLE(__uint2##word, unsigned, result) \
  TWIN_FROM_WHOLE(__ll2##word, long long, result) TWIN_FROM_WHOLE(__ull2##word, unsigned long long, result)
TWIN_WHOLES(float, double)

#define TWIN_LOAD(name) template <class T> TWIN_DEVICE T cupilot_twin_##name(const T *from) { return *from; }
#define TWIN_STORE(name) \
  template <class T, class V> TWIN_DEVICE void cupilot_twin_##name(T *to, V value) { *to = value; }
TWIN_LOAD(__ldg) TWIN_LOAD(__ldca) TWIN_LOAD(__ldcg) TWIN_LOAD(__ldcs) TWIN_LOAD(__ldcv) TWIN_LOAD(__ldlu)
TWIN_STORE(__stwb) TWIN_STORE(__stcg) TWIN_STORE(__stcs) TWIN_STORE(__stwt)

template <class T, class V>
TWIN_DEVICE T cupilot_twin_atomicAdd(T *to, V value) { return ::atomicAdd(to, static_cast<T>(value)); }
template <class T, class V>
TWIN_DEVICE T cupilot_twin_atomicExch(T *to, V value) { return ::atomicExch(to, static_cast<T>(value)); }
template <class V>
TWIN_DEVICE double cupilot_twin_atomicExch(double *to, V value) {
  const long long bits = __double_as_longlong(static_cast<double>(value));
  return __longlong_as_double(static_cast<long long>(::atomicExch(
      reinterpret_cast<unsigned long long *>(to), static_cast<unsigned long long>(bits))));
}

#define TWIN_SHUFFLE(name, lane_type)                                                                           \
  template <class T>                                                                                            \
  TWIN_DEVICE T cupilot_twin_##name(unsigned mask, T value, lane_type lane, int width = 32) {                   \
    return ::name(mask, value, lane, width);                                                                    \
  }
TWIN_SHUFFLE(__shfl_sync, int) TWIN_SHUFFLE(__shfl_xor_sync, int)
TWIN_SHUFFLE(__shfl_up_sync, unsigned) TWIN_SHUFFLE(__shfl_down_sync, unsigned)
