package io.miniinference.codegen;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/// What languages of kernels spell differently. In kernel text a word is its [#spelling] with an
/// `@`, and arguments in parentheses where it takes some: `@splat(4, 0)`, `@barrier`.
///
/// All else in kernel text is C that these languages share: statements, arithmetic, the types that
/// OpenCL C has (`uchar`, `ulong`, `float4`; on CPUs `float16`, and `int16` of sixteen truth
/// values), arithmetic on them, and functions of `math.h` over numbers and vectors.
public enum Word {
  /// Qualifier of a pointer to the pool.
  GLOBAL("global", 0),
  /// Qualifier of a pointer to memory of the work-group.
  LOCAL("local", 0),
  /// Qualifier of a declaration of memory of the work-group.
  SHARED("shared", 0),
  /// Qualifier of a declaration that starts at a multiple of 16 bytes.
  ALIGNED("aligned", 0),
  /// Qualifier of a function that kernels call, and that is best left a call.
  OUTLINED("outlined", 0),
  /// Qualifier of a function that kernels call, small enough to stand in its place.
  FUNCTION("function", 0),
  /// Number of the work item in its work-group, in dimension 0.
  LOCAL_ID("localId", 0),
  /// Number of the work-group, in the dimension given.
  GROUP_ID("groupId", 1),
  /// Number of the work item in the launch, in dimension 0.
  GLOBAL_ID("globalId", 0),
  /// All of the work-group come here before any goes on, and see what the others wrote to local
  /// memory.
  BARRIER("barrier", 0),
  /// Behind the last statement of a kernel with barriers, to which all of the work-group come.
  GROUP_END("groupEnd", 0),
  /// Ahead of a loop: writes out all of its iterations, which keeps arrays in registers.
  UNROLL("unroll", 0),
  /// Ahead of a loop: writes out four of its iterations at a time.
  UNROLL_BY_4("unrollBy4", 0),
  /// Sets bits of a word of local memory, for all to see.
  ATOMIC_OR("atomicOr", 2),
  /// Adds one to a word of the pool, for all to see: what it was before.
  ATOMIC_NEXT("atomicNext", 1),
  /// Adds a number (second) to a word of the pool, for all to see, behind all that was written
  /// before, and ahead of all that is read after.
  ATOMIC_ADD("atomicAdd", 2),
  /// Makes a word of the pool, behind a pointer (first), a number (second) for all to see.
  ATOMIC_SET("atomicSet", 2),
  /// Makes a word of the pool, behind a pointer (first), a number (second) for all to see, unless
  /// it is more already.
  ATOMIC_MAX("atomicMax", 2),
  /// A vector of so many floats (first), all of one value (second).
  SPLAT("splat", 2),
  /// A vector of so many floats (first), the one of an index (second) behind a pointer (third), at
  /// any address of a float.
  LOAD("load", 3),
  /// The sixteen floats behind a pointer to the pool, of which others are loaded that overlap them.
  LOAD_NEAR("loadNear", 1),
  /// Stores a vector of so many floats (first; the vector second) as the one of an index (third)
  /// behind a pointer (fourth).
  STORE("store", 4),
  /// A vector of sixteen integers of at most 16 bits, of a type (first), behind a pointer to the
  /// pool (second) at any address of such an integer.
  LOAD_SMALL("loadSmall", 2),
  /// A vector of sixteen elements of a type (first), which lie behind a pointer to the pool
  /// (second), a stride (third) from one to the next.
  GATHER("gather", 3),
  /// Stores a vector of sixteen integers of at most 16 bits (second), of a type (first), behind a
  /// pointer to the pool (third).
  STORE_SMALL("storeSmall", 3),
  /// Asks for the line of a cache behind a pointer of floats, which a loop comes to later.
  PREFETCH("prefetch", 1),
  /// Of each lane the second where the third is true, and else the first.
  SELECT("select", 3),
  /// Sixteen truth values, all true or all false (−1 or 0, an expression).
  MASK("mask", 1),
  /// Whether any of sixteen truth values is true, as an `int`.
  ANY("any", 1),
  /// Of sixteen vectors of sixteen floats, the sum of each one's lanes, in the lane of its number.
  LANE_SUMS("laneSums", 16),
  /// The half number at an index (first) behind a pointer (second), as a float.
  LOAD_HALF("loadHalf", 2),
  /// Stores a float (first), rounded to the nearest half, at an index (second) behind a pointer.
  STORE_HALF("storeHalf", 3),
  /// The address in local memory that a pointer there has, as PTX takes it.
  SHARED_ADDRESS("sharedAddress", 1),
  /// The bits of a float as a `uint`.
  BITS_OF("bitsOf", 1),
  /// The float of those bits.
  FLOAT_OF("floatOf", 1),
  /// The bits of a double as a `long`.
  LONG_OF("longOf", 1),
  /// The double of those bits.
  DOUBLE_OF("doubleOf", 1),
  /// The sixteen floats of the bits of sixteen `int`s.
  FLOATS_OF("floatsOf", 1),
  /// The sixteen `int`s of the bits of sixteen floats.
  INTS_OF("intsOf", 1),
  /// Sixteen numbers (second) in a vector of another type (first), which holds them.
  CONVERT("convert", 2),
  /// A number (second) as one of a whole type (first), the nearest that this has.
  SATURATED("saturated", 2),
  /// The type of an expression.
  TYPE_OF("typeOf", 1);

  private static final Map<String, Word> BY_SPELLING =
      Arrays.stream(values()).collect(Collectors.toMap(Word::spelling, word -> word));

  private final String spelling;
  private final int arguments;

  Word(String spelling, int arguments) {
    this.spelling = spelling;
    this.arguments = arguments;
  }

  /// The word in kernel text, behind its `@`.
  public String spelling() {
    return spelling;
  }

  /// How many arguments it takes.
  public int arguments() {
    return arguments;
  }

  /// @throws IllegalStateException if there is no such word
  static Word of(String spelling) {
    Word word = BY_SPELLING.get(spelling);
    if (word == null) {
      throw new IllegalStateException("kernel text has '@" + spelling + "', which is no word");
    }
    return word;
  }
}
