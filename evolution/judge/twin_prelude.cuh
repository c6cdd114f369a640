// What the twin's text stands on: for every word X that is promoted there is a type or function
// cupilot_twin_X, which computes in double. `TWIN_...` marks where such names are introduced: the promotion
// knows no others (evolution/judge/twin_words.cpp). C++14, device code of one file.
#include <cuda_runtime.h>

#include <type_traits>

#define TWIN static __host__ __device__ __forceinline__
#define TWIN_DEVICE static __device__ __forceinline__

// --- types
// ---------------------------------------------------------------------------------------------------

// A number of a 16-bit type, not rounded. A type of its own, so that overloads and specialisations stay
// apart.
template <class Tag>
struct cupilot_narrow {
  double value;
  cupilot_narrow() = default;
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  __host__ __device__ constexpr cupilot_narrow(T number) : value(static_cast<double>(number)) {}
  __host__ __device__ constexpr operator double() const { return value; }
  template <class T>
  __host__ __device__ cupilot_narrow &operator+=(T by) {
    value += by;
    return *this;
  }
  template <class T>
  __host__ __device__ cupilot_narrow &operator-=(T by) {
    value -= by;
    return *this;
  }
  template <class T>
  __host__ __device__ cupilot_narrow &operator*=(T by) {
    value *= by;
    return *this;
  }
  template <class T>
  __host__ __device__ cupilot_narrow &operator/=(T by) {
    value /= by;
    return *this;
  }
};
template <class Tag>
struct cupilot_pair {
  cupilot_narrow<Tag> x, y;
  cupilot_pair() = default;
  __host__ __device__ constexpr cupilot_pair(cupilot_narrow<Tag> a, cupilot_narrow<Tag> b) : x(a), y(b) {}
  template <class T>
  __host__ __device__ cupilot_pair &operator+=(T by) {
    return *this = *this + by;
  }
  template <class T>
  __host__ __device__ cupilot_pair &operator-=(T by) {
    return *this = *this - by;
  }
  template <class T>
  __host__ __device__ cupilot_pair &operator*=(T by) {
    return *this = *this * by;
  }
  template <class T>
  __host__ __device__ cupilot_pair &operator/=(T by) {
    return *this = *this / by;
  }
};
struct cupilot_half_tag {};
struct cupilot_bfloat16_tag {};
#define TWIN_TYPE(name, type) typedef type cupilot_twin_##name;
TWIN_TYPE(half, cupilot_narrow<cupilot_half_tag>)
TWIN_TYPE(__half, cupilot_narrow<cupilot_half_tag>)
TWIN_TYPE(half2, cupilot_pair<cupilot_half_tag>)
TWIN_TYPE(__half2, cupilot_pair<cupilot_half_tag>)
TWIN_TYPE(nv_bfloat16, cupilot_narrow<cupilot_bfloat16_tag>)
TWIN_TYPE(__nv_bfloat16, cupilot_narrow<cupilot_bfloat16_tag>)
TWIN_TYPE(nv_bfloat162, cupilot_pair<cupilot_bfloat16_tag>)
TWIN_TYPE(__nv_bfloat162, cupilot_pair<cupilot_bfloat16_tag>)

// Aligned like one double, so that any element of a buffer may be the first of a vector.
#define TWIN_VECTOR(name) struct cupilot_twin_##name
TWIN_VECTOR(float2) {
  double x, y;
};
TWIN_VECTOR(float3) {
  double x, y, z;
};
TWIN_VECTOR(float4) {
  double x, y, z, w;
};
TWIN cupilot_twin_float2 cupilot_twin_make_float2(double x, double y) {
  return {x, y};
}
TWIN cupilot_twin_float3 cupilot_twin_make_float3(double x, double y, double z) {
  return {x, y, z};
}
TWIN cupilot_twin_float4 cupilot_twin_make_float4(double x, double y, double z, double w) {
  return {x, y, z, w};
}

#define CUPILOT_OPERATOR(op)                                                           \
  template <class Tag>                                                                 \
  TWIN cupilot_narrow<Tag> operator op(cupilot_narrow<Tag> a, cupilot_narrow<Tag> b) { \
    return a.value op b.value;                                                         \
  }                                                                                    \
  template <class Tag>                                                                 \
  TWIN cupilot_pair<Tag> operator op(cupilot_pair<Tag> a, cupilot_pair<Tag> b) {       \
    return {a.x op b.x, a.y op b.y};                                                   \
  }
CUPILOT_OPERATOR(+)
CUPILOT_OPERATOR(-)
CUPILOT_OPERATOR(*)
CUPILOT_OPERATOR(/)
template <class Tag>
TWIN cupilot_narrow<Tag> operator-(cupilot_narrow<Tag> a) {
  return -a.value;
}
template <class Tag>
TWIN cupilot_pair<Tag> operator-(cupilot_pair<Tag> a) {
  return {-a.x.value, -a.y.value};
}

// --- functions of float
// --------------------------------------------------------------------------------------

#define TWIN_1(name, expression)              \
  TWIN double cupilot_twin_##name(double a) { \
    return expression;                        \
  }
#define TWIN_2(name, expression)                        \
  TWIN double cupilot_twin_##name(double a, double b) { \
    return expression;                                  \
  }
#define TWIN_3(name, expression)                                  \
  TWIN double cupilot_twin_##name(double a, double b, double c) { \
    return expression;                                            \
  }
#define TWIN_AS(result, argument, name, expression) \
  TWIN result cupilot_twin_##name(argument a) {     \
    return expression;                              \
  }

TWIN_1(acosf, ::acos(a))
TWIN_1(acoshf, ::acosh(a)) TWIN_1(asinf, ::asin(a)) TWIN_1(asinhf, ::asinh(a)) TWIN_1(atanf, ::atan(a))
    TWIN_1(atanhf, ::atanh(a)) TWIN_1(cbrtf, ::cbrt(a)) TWIN_1(ceilf, ::ceil(a)) TWIN_1(cosf, ::cos(a))
        TWIN_1(coshf, ::cosh(a)) TWIN_1(cospif, ::cospi(a)) TWIN_1(erfcf, ::erfc(a)) TWIN_1(erfcinvf,
                                                                                            ::erfcinv(a))
            TWIN_1(erfcxf, ::erfcx(a)) TWIN_1(erff, ::erf(a)) TWIN_1(erfinvf, ::erfinv(a)) TWIN_1(
                exp10f, ::exp10(a)) TWIN_1(exp2f, ::exp2(a)) TWIN_1(expf, ::exp(a)) TWIN_1(expm1f, ::expm1(a))
                TWIN_1(fabsf, ::fabs(a)) TWIN_1(floorf, ::floor(a)) TWIN_1(lgammaf, ::lgamma(a))
                    TWIN_1(log10f, ::log10(a)) TWIN_1(log1pf, ::log1p(a)) TWIN_1(log2f, ::log2(a))
                        TWIN_1(logbf, ::logb(a)) TWIN_1(logf, ::log(a)) TWIN_1(nearbyintf, ::nearbyint(a))
                            TWIN_1(normcdff, ::normcdf(a)) TWIN_1(normcdfinvf,
                                                                  ::normcdfinv(a)) TWIN_1(rcbrtf, ::rcbrt(a))
                                TWIN_1(rintf, ::rint(a)) TWIN_1(roundf, ::round(a)) TWIN_1(rsqrtf, ::rsqrt(a))
                                    TWIN_1(sinf, ::sin(a)) TWIN_1(sinhf, ::sinh(a)) TWIN_1(sinpif, ::sinpi(a))
                                        TWIN_1(sqrtf, ::sqrt(a)) TWIN_1(tanf, ::tan(a)) TWIN_1(tanhf,
                                                                                               ::tanh(a))
                                            TWIN_1(tgammaf, ::tgamma(a)) TWIN_1(truncf, ::trunc(a)) TWIN_1(
                                                j0f, ::j0(a)) TWIN_1(j1f, ::j1(a)) TWIN_1(y0f, ::y0(a))
                                                TWIN_1(y1f, ::y1(a)) TWIN_2(atan2f, ::atan2(a, b)) TWIN_2(
                                                    copysignf,
                                                    ::copysign(a, b)) TWIN_2(fdimf, ::fdim(a, b))
                                                    TWIN_2(fdividef,
                                                           a / b) TWIN_2(fmaxf, ::fmax(a, b))
                                                        TWIN_2(fminf,
                                                               ::fmin(a, b)) TWIN_2(fmodf, ::fmod(a, b))
                                                            TWIN_2(hypotf,
                                                                   ::hypot(a, b)) TWIN_2(powf, ::pow(a, b))
                                                                TWIN_2(remainderf, ::remainder(a, b)) TWIN_2(
                                                                    rhypotf,
                                                                    ::rhypot(a,
                                                                             b)) TWIN_3(fmaf, ::fma(a, b, c))
                                                                    TWIN_3(norm3df, ::sqrt(a *a + b * b + c * c)) TWIN_3(
                                                                        rnorm3df,
                                                                        ::rnorm3d(a, b,
                                                                                  c)) TWIN_AS(int, double,
                                                                                              ilogbf,
                                                                                              ::ilogb(a))
                                                                        TWIN_AS(long, double, lrintf,
                                                                                ::lrint(a))
                                                                            TWIN_AS(long, double, lroundf,
                                                                                    ::lround(a))
                                                                                TWIN_AS(long long, double,
                                                                                        llrintf, ::llrint(a))
                                                                                    TWIN_AS(long long, double,
                                                                                            llroundf,
                                                                                            ::llround(a)) TWIN
    double cupilot_twin_ldexpf(double a, int by) {
  return ::ldexp(a, by);
}
TWIN double cupilot_twin_scalbnf(double a, int by) {
  return ::scalbn(a, by);
}
TWIN double cupilot_twin_powif(double a, int to) {
  return ::pow(a, static_cast<double>(to));
}
TWIN double cupilot_twin_frexpf(double a, int *exponent) {
  return ::frexp(a, exponent);
}
TWIN double cupilot_twin_modff(double a, double *whole) {
  return ::modf(a, whole);
}
TWIN void cupilot_twin_sincosf(double a, double *sine, double *cosine) {
  ::sincos(a, sine, cosine);
}
TWIN void cupilot_twin_sincospif(double a, double *sine, double *cosine) {
  ::sincospi(a, sine, cosine);
}

TWIN_1(__expf, ::exp(a))
TWIN_1(__exp10f, ::exp10(a)) TWIN_1(__logf, ::log(a)) TWIN_1(__log2f, ::log2(a)) TWIN_1(__log10f, ::log10(a))
    TWIN_1(__sinf, ::sin(a)) TWIN_1(__cosf, ::cos(a)) TWIN_1(__tanf, ::tan(a)) TWIN_1(__tanhf, ::tanh(a))
        TWIN_2(__powf, ::pow(a, b)) TWIN_2(__fdividef, a / b) TWIN_1(__saturatef, ::fmin(::fmax(a, 0.0), 1.0))
            TWIN_1(__frsqrt_rn, ::rsqrt(a)) TWIN
    void cupilot_twin___sincosf(double a, double *sine, double *cosine) {
  ::sincos(a, sine, cosine);
}
#define CUPILOT_EACH_WAY(THIS, begin, expression) \
  THIS(begin##_rn, expression)                    \
  THIS(begin##_rz, expression) THIS(begin##_ru, expression) THIS(begin##_rd, expression)
#define TWIN_WAYS_1(begin, expression) CUPILOT_EACH_WAY(TWIN_1, begin, expression)
#define TWIN_WAYS_2(begin, expression) CUPILOT_EACH_WAY(TWIN_2, begin, expression)
#define TWIN_WAYS_3(begin, expression) CUPILOT_EACH_WAY(TWIN_3, begin, expression)
TWIN_WAYS_2(__fadd, a + b)
TWIN_WAYS_2(__fsub, a - b) TWIN_WAYS_2(__fmul, a *b) TWIN_WAYS_2(__fdiv, a / b)
    TWIN_WAYS_3(__fmaf, ::fma(a, b, c)) TWIN_WAYS_3(__fmaf_ieee, ::fma(a, b, c)) TWIN_WAYS_1(__frcp, 1.0 / a)
        TWIN_WAYS_1(__fsqrt, ::sqrt(a)) TWIN_WAYS_1(__double2float, a)
// Whole numbers: the way of rounding is part of the function.
#define CUPILOT_TO_WHOLE(begin, type)     \
  TWIN type begin##_rn(double a) {        \
    return static_cast<type>(::rint(a));  \
  }                                       \
  TWIN type begin##_rz(double a) {        \
    return static_cast<type>(::trunc(a)); \
  }                                       \
  TWIN type begin##_ru(double a) {        \
    return static_cast<type>(::ceil(a));  \
  }                                       \
  TWIN type begin##_rd(double a) {        \
    return static_cast<type>(::floor(a)); \
  }
#define TWIN_TO_WHOLE(name, type) CUPILOT_TO_WHOLE(cupilot_twin_##name, type)
#define CUPILOT_FROM_WHOLE(begin, type, result) \
  TWIN result begin##_rn(type a) {              \
    return static_cast<double>(a);              \
  }                                             \
  TWIN result begin##_rz(type a) {              \
    return static_cast<double>(a);              \
  }                                             \
  TWIN result begin##_ru(type a) {              \
    return static_cast<double>(a);              \
  }                                             \
  TWIN result begin##_rd(type a) {              \
    return static_cast<double>(a);              \
  }
#define TWIN_FROM_WHOLE(name, type, result) CUPILOT_FROM_WHOLE(cupilot_twin_##name, type, result)
#define TWIN_WHOLES(word, result)                                                                          \
  TWIN_TO_WHOLE(__##word##2int, int)                                                                       \
  TWIN_TO_WHOLE(__##word##2uint, unsigned) TWIN_TO_WHOLE(__##word##2ll, long long)                         \
      TWIN_TO_WHOLE(__##word##2ull, unsigned long long) TWIN_FROM_WHOLE(__int2##word, int, result)         \
          TWIN_FROM_WHOLE(__uint2##word, unsigned, result) TWIN_FROM_WHOLE(__ll2##word, long long, result) \
              TWIN_FROM_WHOLE(__ull2##word, unsigned long long, result)
#define TWIN_SHORTS(word, result)                                                                 \
  TWIN_TO_WHOLE(__##word##2short, short)                                                          \
  TWIN_TO_WHOLE(__##word##2ushort, unsigned short) TWIN_FROM_WHOLE(__short2##word, short, result) \
      TWIN_FROM_WHOLE(__ushort2##word, unsigned short, result)
            TWIN_WHOLES(float, double) TWIN_WHOLES(half, cupilot_twin_half)
                TWIN_SHORTS(half, cupilot_twin_half) TWIN_WHOLES(bfloat16, cupilot_twin_nv_bfloat16)
                    TWIN_SHORTS(bfloat16, cupilot_twin_nv_bfloat16)

// --- functions of 16-bit types
// -------------------------------------------------------------------------------

#define TWIN_NARROW(result, name) TWIN result cupilot_twin_##name
                        TWIN_NARROW(double, __half2float)(double a) {
  return a;
}
TWIN_NARROW(double, __bfloat162float)(double a) {
  return a;
}
#define TWIN_MAKE(type, name) TWIN_AS(type, double, name, a)
TWIN_MAKE(cupilot_twin_half, __float2half)
TWIN_MAKE(cupilot_twin_half, __float2half_rn) TWIN_MAKE(cupilot_twin_half, __float2half_rz) TWIN_MAKE(
    cupilot_twin_half,
    __float2half_ru) TWIN_MAKE(cupilot_twin_half,
                               __float2half_rd) TWIN_MAKE(cupilot_twin_half,
                                                          __double2half) TWIN_MAKE(cupilot_twin_nv_bfloat16,
                                                                                   __float2bfloat16)
    TWIN_MAKE(cupilot_twin_nv_bfloat16, __float2bfloat16_rn) TWIN_MAKE(
        cupilot_twin_nv_bfloat16,
        __float2bfloat16_rz) TWIN_MAKE(cupilot_twin_nv_bfloat16,
                                       __float2bfloat16_ru) TWIN_MAKE(cupilot_twin_nv_bfloat16,
                                                                      __float2bfloat16_rd) TWIN_MAKE(cupilot_twin_nv_bfloat16,
                                                                                                     __double2bfloat16)
#define TWIN_PAIR_OF(type, name)                      \
  TWIN type cupilot_twin_##name(double a, double b) { \
    return {a, b};                                    \
  }
#define TWIN_PAIR_ONE(type, name)           \
  TWIN type cupilot_twin_##name(double a) { \
    return {a, a};                          \
  }
        TWIN_PAIR_OF(cupilot_twin_half2, __floats2half2_rn) TWIN_PAIR_OF(
            cupilot_twin_half2,
            __halves2half2) TWIN_PAIR_OF(cupilot_twin_half2, make_half2)
            TWIN_PAIR_ONE(cupilot_twin_half2, __float2half2_rn) TWIN_PAIR_ONE(
                cupilot_twin_half2,
                __half2half2) TWIN_PAIR_OF(cupilot_twin_nv_bfloat162, __floats2bfloat162_rn)
                TWIN_PAIR_OF(cupilot_twin_nv_bfloat162, __halves2bfloat162) TWIN_PAIR_OF(cupilot_twin_nv_bfloat162, make_bfloat162) TWIN_PAIR_ONE(
                    cupilot_twin_nv_bfloat162,
                    __float2bfloat162_rn) TWIN_PAIR_ONE(cupilot_twin_nv_bfloat162, __bfloat162bfloat162)
                    TWIN_AS(cupilot_twin_half2, cupilot_twin_float2, __float22half2_rn, (cupilot_twin_half2{a.x, a.y})) TWIN_AS(
                        cupilot_twin_nv_bfloat162,
                        cupilot_twin_float2, __float22bfloat162_rn,
                        (cupilot_twin_nv_bfloat162{
                            a.x,
                            a.y})) TWIN_AS(cupilot_twin_float2, cupilot_twin_half2, __half22float2,
                                           (cupilot_twin_float2{
                                               a
                                                   .x,
                                               a
                                                   .y})) TWIN_AS(cupilot_twin_float2, cupilot_twin_nv_bfloat162,
                                                                 __bfloat1622float2,
                                                                 (cupilot_twin_float2{a.x, a.y}))
#define TWIN_OF_PAIR(result, name, expression)           \
  template <class Tag>                                   \
  TWIN result cupilot_twin_##name(cupilot_pair<Tag> a) { \
    return expression;                                   \
  }
                        TWIN_OF_PAIR(double, __low2float, a.x) TWIN_OF_PAIR(double, __high2float, a.y)
                            TWIN_OF_PAIR(cupilot_narrow<Tag>, __low2half, a.x) TWIN_OF_PAIR(
                                cupilot_narrow<Tag>,
                                __high2half,
                                a.y) TWIN_OF_PAIR(cupilot_narrow<Tag>, __low2bfloat16,
                                                  a.x) TWIN_OF_PAIR(cupilot_narrow<Tag>, __high2bfloat16, a.y)
#define CUPILOT_PAIR_SWAP(x, y) (cupilot_pair<Tag>{x, y})
                                TWIN_OF_PAIR(cupilot_pair<Tag>, __low2half2, CUPILOT_PAIR_SWAP(a.x, a.x)) TWIN_OF_PAIR(
                                    cupilot_pair<Tag>, __high2half2,
                                    CUPILOT_PAIR_SWAP(
                                        a.y,
                                        a.y)) TWIN_OF_PAIR(cupilot_pair<Tag>, __low2bfloat162,
                                                           CUPILOT_PAIR_SWAP(a.x, a.x))
                                    TWIN_OF_PAIR(
                                        cupilot_pair<Tag>, __high2bfloat162,
                                        CUPILOT_PAIR_SWAP(
                                            a.y,
                                            a
                                                .y)) TWIN_OF_PAIR(cupilot_pair<Tag>, __lowhigh2highlow,
                                                                  CUPILOT_PAIR_SWAP(a.y, a.x))

// For one number and for both of a pair; a result of mixed arguments is a double.
#define TWIN_H1(name, expression)                                            \
  TWIN double cupilot_twin_##name(double a) {                                \
    return expression;                                                       \
  }                                                                          \
  template <class Tag>                                                       \
  TWIN cupilot_narrow<Tag> cupilot_twin_##name(cupilot_narrow<Tag> number) { \
    const double a = number;                                                 \
    return expression;                                                       \
  }
#define TWIN_H2(name, expression)                                                                       \
  TWIN double cupilot_twin_##name(double a, double b) {                                                 \
    return expression;                                                                                  \
  }                                                                                                     \
  template <class Tag>                                                                                  \
  TWIN cupilot_narrow<Tag> cupilot_twin_##name(cupilot_narrow<Tag> first, cupilot_narrow<Tag> second) { \
    const double a = first, b = second;                                                                 \
    return expression;                                                                                  \
  }
#define TWIN_H3(name, expression)                                                                     \
  TWIN double cupilot_twin_##name(double a, double b, double c) {                                     \
    return expression;                                                                                \
  }                                                                                                   \
  template <class Tag>                                                                                \
  TWIN cupilot_narrow<Tag> cupilot_twin_##name(cupilot_narrow<Tag> first, cupilot_narrow<Tag> second, \
                                               cupilot_narrow<Tag> third) {                           \
    const double a = first, b = second, c = third;                                                    \
    return expression;                                                                                \
  }
#define TWIN_PAIR_1(name, one)                                      \
  template <class Tag>                                              \
  TWIN cupilot_pair<Tag> cupilot_twin_##name(cupilot_pair<Tag> a) { \
    return {cupilot_twin_##one(a.x), cupilot_twin_##one(a.y)};      \
  }
#define TWIN_PAIR_2(name, one)                                                           \
  template <class Tag>                                                                   \
  TWIN cupilot_pair<Tag> cupilot_twin_##name(cupilot_pair<Tag> a, cupilot_pair<Tag> b) { \
    return {cupilot_twin_##one(a.x, b.x), cupilot_twin_##one(a.y, b.y)};                 \
  }
#define TWIN_PAIR_3(name, one)                                                         \
  template <class Tag>                                                                 \
  TWIN cupilot_pair<Tag> cupilot_twin_##name(cupilot_pair<Tag> a, cupilot_pair<Tag> b, \
                                             cupilot_pair<Tag> c) {                    \
    return {cupilot_twin_##one(a.x, b.x, c.x), cupilot_twin_##one(a.y, b.y, c.y)};     \
  }
#define CUPILOT_SATURATED(value) ::fmin(::fmax((value), 0.0), 1.0)
                                        TWIN_H2(__hadd, a + b) TWIN_H2(__hadd_rn, a + b) TWIN_H2(
                                            __hadd_sat,
                                            CUPILOT_SATURATED(a +
                                                              b)) TWIN_H2(__hsub,
                                                                          a - b) TWIN_H2(__hsub_rn, a - b)
                                            TWIN_H2(__hsub_sat, CUPILOT_SATURATED(a - b)) TWIN_H2(__hmul, a *b) TWIN_H2(
                                                __hmul_rn,
                                                a *
                                                    b) TWIN_H2(__hmul_sat,
                                                               CUPILOT_SATURATED(
                                                                   a *b)) TWIN_H2(__hdiv,
                                                                                  a / b) TWIN_H3(__hfma, ::fma(a, b, c))
                                                TWIN_H3(__hfma_sat, CUPILOT_SATURATED(::fma(a, b, c))) TWIN_H3(
                                                    __hfma_relu,
                                                    ::fmax(::fma(a, b, c),
                                                           0.0)) TWIN_H1(__hneg,
                                                                         -a) TWIN_H1(__habs, ::fabs(a))
#define CUPILOT_NAN_OR(which) (a != a ? a : b != b ? b : which(a, b))
                                                    TWIN_H2(__hmax, ::fmax(a, b)) TWIN_H2(__hmin, ::fmin(a, b)) TWIN_H2(
                                                        __hmax_nan,
                                                        CUPILOT_NAN_OR(
                                                            ::fmax)) TWIN_H2(__hmin_nan,
                                                                             CUPILOT_NAN_OR(
                                                                                 ::
                                                                                     fmin)) TWIN_H1(hexp, ::exp(a))
                                                        TWIN_H1(hexp2, ::exp2(a)) TWIN_H1(hexp10, ::exp10(a)) TWIN_H1(
                                                            hlog,
                                                            ::log(
                                                                a)) TWIN_H1(hlog2, ::log2(a)) TWIN_H1(hlog10, ::log10(a))
                                                            TWIN_H1(hsqrt, ::sqrt(a)) TWIN_H1(hrsqrt, ::rsqrt(a)) TWIN_H1(
                                                                hrcp,
                                                                1.0 /
                                                                    a) TWIN_H1(hsin,
                                                                               ::sin(a)) TWIN_H1(hcos,
                                                                                                 ::cos(a))
                                                                TWIN_H1(htanh, ::tanh(a)) TWIN_H1(
                                                                    htanh_approx,
                                                                    ::tanh(a)) TWIN_H1(hfloor,
                                                                                       ::floor(
                                                                                           a)) TWIN_H1(hceil, ::ceil(a))
                                                                    TWIN_H1(hrint, ::rint(a)) TWIN_H1(htrunc, ::trunc(a)) TWIN_PAIR_2(
                                                                        __hadd2, __hadd) TWIN_PAIR_2(__hadd2_rn,
                                                                                                     __hadd) TWIN_PAIR_2(__hadd2_sat, __hadd_sat)
                                                                        TWIN_PAIR_2(__hsub2, __hsub) TWIN_PAIR_2(
                                                                            __hsub2_rn,
                                                                            __hsub) TWIN_PAIR_2(__hsub2_sat, __hsub_sat)
                                                                            TWIN_PAIR_2(__hmul2, __hmul) TWIN_PAIR_2(__hmul2_rn, __hmul) TWIN_PAIR_2(
                                                                                __hmul2_sat,
                                                                                __hmul_sat) TWIN_PAIR_2(__h2div, __hdiv)
                                                                                TWIN_PAIR_3(__hfma2, __hfma) TWIN_PAIR_3(
                                                                                    __hfma2_sat,
                                                                                    __hfma_sat) TWIN_PAIR_3(__hfma2_relu, __hfma_relu)
                                                                                    TWIN_PAIR_1(__hneg2, __hneg) TWIN_PAIR_1(
                                                                                        __habs2,
                                                                                        __habs) TWIN_PAIR_2(__hmax2, __hmax)
                                                                                        TWIN_PAIR_2(__hmin2, __hmin) TWIN_PAIR_2(
                                                                                            __hmax2_nan,
                                                                                            __hmax_nan) TWIN_PAIR_2(__hmin2_nan, __hmin_nan)
                                                                                            TWIN_PAIR_1(h2exp, hexp) TWIN_PAIR_1(
                                                                                                h2exp2,
                                                                                                hexp2) TWIN_PAIR_1(h2exp10,
                                                                                                                   hexp10)
                                                                                                TWIN_PAIR_1(h2log, hlog) TWIN_PAIR_1(
                                                                                                    h2log2,
                                                                                                    hlog2) TWIN_PAIR_1(h2log10,
                                                                                                                       hlog10)
                                                                                                    TWIN_PAIR_1(h2sqrt, hsqrt) TWIN_PAIR_1(
                                                                                                        h2rsqrt,
                                                                                                        hrsqrt) TWIN_PAIR_1(h2rcp, hrcp)
                                                                                                        TWIN_PAIR_1(h2sin, hsin) TWIN_PAIR_1(
                                                                                                            h2cos,
                                                                                                            hcos) TWIN_PAIR_1(h2tanh,
                                                                                                                              htanh)
                                                                                                            TWIN_PAIR_1(h2floor, hfloor) TWIN_PAIR_1(
                                                                                                                h2ceil,
                                                                                                                hceil)
                                                                                                                TWIN_PAIR_1(
                                                                                                                    h2rint,
                                                                                                                    hrint)
                                                                                                                    TWIN_PAIR_1(
                                                                                                                        h2trunc,
                                                                                                                        htrunc)
#define TWIN_IS_1(name, expression)         \
  TWIN bool cupilot_twin_##name(double a) { \
    return expression;                      \
  }
#define TWIN_IS_2(name, expression)                   \
  TWIN bool cupilot_twin_##name(double a, double b) { \
    return expression;                                \
  }
                                                                                                                        TWIN_IS_1(
                                                                                                                            __hisnan,
                                                                                                                            a !=
                                                                                                                                a)
                                                                                                                            TWIN
    int cupilot_twin___hisinf(double a) {
  return a - a == a - a || a != a ? 0 : a > 0 ? 1 : -1;
}
TWIN_IS_2(__heq, a == b)
TWIN_IS_2(__hne, a<b || a> b) TWIN_IS_2(__hlt, a < b) TWIN_IS_2(__hle, a <= b) TWIN_IS_2(__hgt, a > b)
    TWIN_IS_2(__hge, a >= b) TWIN_IS_2(__hequ, !(a < b || a > b)) TWIN_IS_2(__hneu, a != b)
        TWIN_IS_2(__hltu, !(a >= b)) TWIN_IS_2(__hleu, !(a > b)) TWIN_IS_2(__hgtu, !(a <= b))
            TWIN_IS_2(__hgeu, !(a < b)) TWIN_PAIR_2(__heq2, __heq) TWIN_PAIR_2(__hne2, __hne)
                TWIN_PAIR_2(__hlt2, __hlt) TWIN_PAIR_2(__hle2, __hle) TWIN_PAIR_2(__hgt2, __hgt)
                    TWIN_PAIR_2(__hge2, __hge)
// --- memory and lanes
// ----------------------------------------------------------------------------------------

#define TWIN_LOAD(name)                              \
  template <class T>                                 \
  TWIN_DEVICE T cupilot_twin_##name(const T *from) { \
    return *from;                                    \
  }
#define TWIN_STORE(name)                                 \
  template <class T, class V>                            \
  TWIN_DEVICE void cupilot_twin_##name(T *to, V value) { \
    *to = value;                                         \
  }
                        TWIN_LOAD(__ldg) TWIN_LOAD(__ldca) TWIN_LOAD(__ldcg) TWIN_LOAD(__ldcs)
                            TWIN_LOAD(__ldcv) TWIN_LOAD(__ldlu) TWIN_STORE(__stwb) TWIN_STORE(__stcg)
                                TWIN_STORE(__stcs) TWIN_STORE(__stwt)

                                    template <class T, class V>
                                    TWIN_DEVICE T cupilot_twin_atomicAdd(T *to, V value) {
  return ::atomicAdd(to, static_cast<T>(value));
}
template <class Tag, class V>
TWIN_DEVICE cupilot_narrow<Tag> cupilot_twin_atomicAdd(cupilot_narrow<Tag> *to, V value) {
  return ::atomicAdd(&to->value, static_cast<double>(value));
}
template <class Tag>
TWIN_DEVICE cupilot_pair<Tag> cupilot_twin_atomicAdd(cupilot_pair<Tag> *to, cupilot_pair<Tag> value) {
  return {::atomicAdd(&to->x.value, value.x.value), ::atomicAdd(&to->y.value, value.y.value)};
}
template <class T, class V>
TWIN_DEVICE T cupilot_twin_atomicExch(T *to, V value) {
  return ::atomicExch(to, static_cast<T>(value));
}
template <class V>
TWIN_DEVICE double cupilot_twin_atomicExch(double *to, V value) {
  return __longlong_as_double(static_cast<long long>(
      ::atomicExch(reinterpret_cast<unsigned long long *>(to),
                   static_cast<unsigned long long>(__double_as_longlong(static_cast<double>(value))))));
}

#define TWIN_SHUFFLE(name, lane_type)                                                                       \
  template <class T>                                                                                        \
  TWIN_DEVICE T cupilot_twin_##name(unsigned mask, T value, lane_type lane, int width = 32) {               \
    return ::name(mask, value, lane, width);                                                                \
  }                                                                                                         \
  template <class Tag>                                                                                      \
  TWIN_DEVICE cupilot_narrow<Tag> cupilot_twin_##name(unsigned mask, cupilot_narrow<Tag> value,             \
                                                      lane_type lane, int width = 32) {                     \
    return ::name(mask, value.value, lane, width);                                                          \
  }                                                                                                         \
  template <class Tag>                                                                                      \
  TWIN_DEVICE cupilot_pair<Tag> cupilot_twin_##name(unsigned mask, cupilot_pair<Tag> value, lane_type lane, \
                                                    int width = 32) {                                       \
    return {::name(mask, value.x.value, lane, width), ::name(mask, value.y.value, lane, width)};            \
  }
TWIN_SHUFFLE(__shfl_sync, int)
TWIN_SHUFFLE(__shfl_xor_sync, int)
TWIN_SHUFFLE(__shfl_up_sync, unsigned)
TWIN_SHUFFLE(__shfl_down_sync, unsigned)

// `std::numeric_limits<float>`: the same numbers as the original's, not those of double.
struct cupilot_float_limits {
  static __host__ __device__ constexpr double max() { return 3.40282346638528859811704183484516925e+38; }
  static __host__ __device__ constexpr double lowest() { return -max(); }
  static __host__ __device__ constexpr double min() { return 1.17549435082228750796873653722224568e-38; }
  static __host__ __device__ constexpr double epsilon() { return 1.1920928955078125e-07; }
  static __host__ __device__ constexpr double infinity() { return __builtin_huge_val(); }
  static __host__ __device__ constexpr double quiet_NaN() { return __builtin_nan(""); }
};
