/* What kernels here use of OpenCL C 1.2: types, constants and functions (sections 6.1, 6.2.4 and 6.12 of its
   specification). PoCL puts 18,000 lines of declarations ahead of each program, which take its compiler longer
   than most of our kernels; with this in their place it is told so by its own guard (docs/pocl.md). */

#define MIE_PLAIN __attribute__((overloadable))
#define MIE_CONST __attribute__((overloadable, const))
#define MIE_PURE __attribute__((overloadable, pure))
#define MIE_GROUP __attribute__((overloadable, convergent))

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef uint cl_mem_fence_flags;

#define MIE_VECTORS(T) \
  typedef T T##2 __attribute__((ext_vector_type(2))); typedef T T##3 __attribute__((ext_vector_type(3))); \
  typedef T T##4 __attribute__((ext_vector_type(4))); typedef T T##8 __attribute__((ext_vector_type(8))); \
  typedef T T##16 __attribute__((ext_vector_type(16)));
MIE_VECTORS(char) MIE_VECTORS(uchar) MIE_VECTORS(short) MIE_VECTORS(ushort)
MIE_VECTORS(int) MIE_VECTORS(uint) MIE_VECTORS(long) MIE_VECTORS(ulong) MIE_VECTORS(float)
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
MIE_VECTORS(double)
#endif

#define as_int(x) __builtin_astype((x), int)
#define as_uint(x) __builtin_astype((x), uint)
#define as_long(x) __builtin_astype((x), long)
#define as_ulong(x) __builtin_astype((x), ulong)
#define as_float(x) __builtin_astype((x), float)
#define as_double(x) __builtin_astype((x), double)
#define as_int16(x) __builtin_astype((x), int16)
#define as_uint16(x) __builtin_astype((x), uint16)
#define as_float16(x) __builtin_astype((x), float16)

#define INFINITY __builtin_inff()
#define NAN __builtin_astype(0x7fffffff, float)
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_MIN 0x1.0p-1022
#define DBL_EPSILON 0x1.0p-52
#define INT_MAX 0x7fffffff
#define INT_MIN (-0x7fffffff - 1)
#define LONG_MAX 0x7fffffffffffffffL
#define LONG_MIN (-0x7fffffffffffffffL - 1)
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2

/* work items */
uint MIE_CONST get_work_dim(void);
size_t MIE_CONST get_global_size(uint);
size_t MIE_CONST get_global_id(uint);
size_t MIE_CONST get_local_size(uint);
size_t MIE_CONST get_local_id(uint);
size_t MIE_CONST get_num_groups(uint);
size_t MIE_CONST get_group_id(uint);
void MIE_GROUP barrier(cl_mem_fence_flags);
void MIE_PLAIN mem_fence(cl_mem_fence_flags);

/* functions of numbers with fractions */
#define MIE_ONE(T, f) T MIE_CONST f(T);
#define MIE_TWO(T, f) T MIE_CONST f(T, T);
#define MIE_THREE(T, f) T MIE_CONST f(T, T, T);
#define MIE_FLOAT(T) \
  MIE_ONE(T, acos) MIE_ONE(T, acosh) MIE_ONE(T, asin) MIE_ONE(T, asinh) MIE_ONE(T, atan) MIE_ONE(T, atanh) \
  MIE_ONE(T, ceil) MIE_ONE(T, cos) MIE_ONE(T, cosh) MIE_ONE(T, erf) MIE_ONE(T, exp) MIE_ONE(T, expm1) \
  MIE_ONE(T, fabs) MIE_ONE(T, floor) MIE_ONE(T, log) MIE_ONE(T, log1p) MIE_ONE(T, rint) MIE_ONE(T, round) \
  MIE_ONE(T, rsqrt) MIE_ONE(T, sin) MIE_ONE(T, sinh) MIE_ONE(T, sqrt) MIE_ONE(T, tan) MIE_ONE(T, tanh) \
  MIE_ONE(T, trunc) \
  MIE_TWO(T, atan2) MIE_TWO(T, copysign) MIE_TWO(T, fmax) MIE_TWO(T, fmin) MIE_TWO(T, fmod) MIE_TWO(T, pow) \
  MIE_TWO(T, remainder) MIE_THREE(T, fma) MIE_THREE(T, mad)
#define MIE_ASKED(T, I) I MIE_CONST isfinite(T); I MIE_CONST isinf(T); I MIE_CONST isnan(T);
MIE_FLOAT(float) MIE_FLOAT(float2) MIE_FLOAT(float4) MIE_FLOAT(float8) MIE_FLOAT(float16)
MIE_ASKED(float, int) MIE_ASKED(float2, int2) MIE_ASKED(float4, int4) MIE_ASKED(float8, int8)
MIE_ASKED(float16, int16)
#ifdef cl_khr_fp64
MIE_FLOAT(double) MIE_FLOAT(double2) MIE_FLOAT(double4) MIE_FLOAT(double8) MIE_FLOAT(double16)
MIE_ASKED(double, int) MIE_ASKED(double2, long2) MIE_ASKED(double4, long4) MIE_ASKED(double8, long8)
MIE_ASKED(double16, long16)
#endif

/* functions of whole numbers */
#define MIE_WHOLE(T, U) \
  U MIE_CONST abs(T); T MIE_CONST max(T, T); T MIE_CONST min(T, T); T MIE_CONST clamp(T, T, T);
#define MIE_WHOLES(T, U) MIE_WHOLE(T, U) MIE_WHOLE(T##4, U##4) MIE_WHOLE(T##8, U##8) MIE_WHOLE(T##16, U##16)
MIE_WHOLES(char, uchar) MIE_WHOLES(uchar, uchar) MIE_WHOLES(short, ushort) MIE_WHOLES(ushort, ushort)
MIE_WHOLES(int, uint) MIE_WHOLES(uint, uint) MIE_WHOLES(long, ulong) MIE_WHOLES(ulong, ulong)

/* choices */
#define MIE_CHOICE(T, I) int MIE_CONST any(I); int MIE_CONST all(I); T MIE_CONST select(T, T, I); \
  I MIE_CONST select(I, I, I);
MIE_CHOICE(float, int) MIE_CHOICE(float4, int4) MIE_CHOICE(float8, int8) MIE_CHOICE(float16, int16)
#ifdef cl_khr_fp64
MIE_CHOICE(double, long) MIE_CHOICE(double4, long4) MIE_CHOICE(double8, long8) MIE_CHOICE(double16, long16)
#endif

/* conversions: of fractions to the nearest whole number that there is, and of vectors as they are stored */
#define MIE_NEAREST(T) T MIE_CONST convert_##T##_sat(float); MIE_DOUBLES(T)
#ifdef cl_khr_fp64
#define MIE_DOUBLES(T) T MIE_CONST convert_##T##_sat(double);
#else
#define MIE_DOUBLES(T)
#endif
MIE_NEAREST(char) MIE_NEAREST(uchar) MIE_NEAREST(short) MIE_NEAREST(ushort)
MIE_NEAREST(int) MIE_NEAREST(uint) MIE_NEAREST(long) MIE_NEAREST(ulong)
int16 MIE_CONST convert_int16_sat(float16);
#define MIE_CONVERTED(T) \
  float16 MIE_CONST convert_float16(T##16); int16 MIE_CONST convert_int16(T##16); \
  T##16 MIE_CONST convert_##T##16(int16); T##16 MIE_CONST convert_##T##16(float16);
MIE_CONVERTED(char) MIE_CONVERTED(uchar) MIE_CONVERTED(short) MIE_CONVERTED(ushort)
int16 MIE_CONST convert_int16(int16);
int16 MIE_CONST convert_int16(float16);
float16 MIE_CONST convert_float16(int16);
float16 MIE_CONST convert_float16(float16);

/* vectors in memory, and halves */
#define MIE_LOAD(T, n, A) T##n MIE_PURE vload##n(size_t, const A T *);
#define MIE_STORE(T, n, A) void MIE_PLAIN vstore##n(T##n, size_t, A T *);
#define MIE_PLACES(T, n) \
  MIE_LOAD(T, n, __constant) MIE_LOAD(T, n, __global) MIE_LOAD(T, n, __local) MIE_LOAD(T, n, __private) \
  MIE_STORE(T, n, __global) MIE_STORE(T, n, __local) MIE_STORE(T, n, __private)
#define MIE_MEMORY(T) MIE_PLACES(T, 2) MIE_PLACES(T, 4) MIE_PLACES(T, 8) MIE_PLACES(T, 16)
MIE_MEMORY(char) MIE_MEMORY(uchar) MIE_MEMORY(short) MIE_MEMORY(ushort)
MIE_MEMORY(int) MIE_MEMORY(uint) MIE_MEMORY(long) MIE_MEMORY(ulong) MIE_MEMORY(float)
#ifdef cl_khr_fp64
MIE_MEMORY(double)
#endif
float MIE_PURE vload_half(size_t, const __constant half *);
float MIE_PURE vload_half(size_t, const __global half *);
float MIE_PURE vload_half(size_t, const __local half *);
float MIE_PURE vload_half(size_t, const __private half *);
void MIE_PLAIN vstore_half_rte(float, size_t, __global half *);
void MIE_PLAIN vstore_half_rte(float, size_t, __local half *);
void MIE_PLAIN vstore_half_rte(float, size_t, __private half *);
void MIE_PLAIN prefetch(const __global float *, size_t);

/* one number for many work items */
#define MIE_ATOMIC(T, A) \
  T MIE_PLAIN atomic_add(volatile A T *, T); T MIE_PLAIN atomic_sub(volatile A T *, T); \
  T MIE_PLAIN atomic_inc(volatile A T *); T MIE_PLAIN atomic_dec(volatile A T *); \
  T MIE_PLAIN atomic_xchg(volatile A T *, T); T MIE_PLAIN atomic_cmpxchg(volatile A T *, T, T); \
  T MIE_PLAIN atomic_min(volatile A T *, T); T MIE_PLAIN atomic_max(volatile A T *, T); \
  T MIE_PLAIN atomic_and(volatile A T *, T); T MIE_PLAIN atomic_or(volatile A T *, T); \
  T MIE_PLAIN atomic_xor(volatile A T *, T);
MIE_ATOMIC(int, __global) MIE_ATOMIC(uint, __global) MIE_ATOMIC(int, __local) MIE_ATOMIC(uint, __local)
