package io.miniinference.codegen;

import java.util.LinkedHashMap;
import java.util.Map;

/// Small functions that generated text calls, each defined only where it is used. They give what
/// OpenCL C leaves undefined one result on every device (see [io.miniinference.ir.Expr]).
public final class Prelude {
  private static final Map<String, String> FUNCTIONS = new LinkedHashMap<>();

  static {
    define(
        "bf16_to_float",
        "@function float bf16_to_float(ushort v) { return @floatOf((uint)v << 16); }");
    define(
        "float_to_bf16",
        """
        @function ushort float_to_bf16(float v) {
          uint u = @bitsOf(v);
          if (isnan(v)) return (ushort)((u >> 16) | 64u);
          return (ushort)((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
        }\
        """);
    define(
        "float_to_half_float",
        """
        @function float float_to_half_float(float v) {
          ushort h;
          @storeHalf(v, 0, (half*)&h);
          return @loadHalf(0, (const half*)&h);
        }\
        """);
    define(
        "exp_of_weight",
        """
        @function float exp_of_weight(float v) {
        #ifdef cl_khr_fp64
          if (v < -16.0f && v > -104.0f) return (float)exp((double)v);
        #endif
          return exp(v);
        }\
        """);
    for (String type : new String[] {"char", "short", "int", "long"}) {
      define(
          "div_" + type,
          signedDivision(type, "div", "(" + type + ")(0 - (u" + type + ")a)", "a / b"));
      define("rem_" + type, signedDivision(type, "rem", "0", "a % b"));
      define(
          "mod_" + type,
          """
          @function TYPE mod_TYPE(TYPE a, TYPE b) {
            if (b == 0 || b == -1) return 0;
            TYPE r = a % b;
            return r != 0 && (r < 0) != (b < 0) ? (TYPE)(r + b) : r;
          }\
          """
              .replace("TYPE", type));
    }
    for (String type : new String[] {"uchar", "ushort", "uint", "ulong"}) {
      define("div_" + type, unsignedDivision(type, "div", "/"));
      define("rem_" + type, unsignedDivision(type, "rem", "%"));
      define("mod_" + type, unsignedDivision(type, "mod", "%"));
    }
    for (String type :
        new String[] {"char", "short", "int", "long", "uchar", "ushort", "uint", "ulong"}) {
      define(
          "pow_" + type,
          """
          @function TYPE pow_TYPE(TYPE a, TYPE b) {
            if (b < 0) return a == 1 ? 1 : a == (TYPE)-1 ? ((b & 1) ? a : 1) : 0;
            TYPE r = 1;
            while (b != 0) { if (b & 1) r = (TYPE)(r * a); a = (TYPE)(a * a); b = b >> 1; }
            return r;
          }\
          """
              .replace("TYPE", type));
    }
    for (String whole :
        new String[] {"char", "short", "int", "long", "uchar", "ushort", "uint", "ulong"}) {
      for (String real : new String[] {"float", "double"}) {
        define(whole + "_of_" + real, conversion(whole, real));
      }
    }
    for (String type : new String[] {"float", "double"}) {
      define(
          "mod_" + type,
          """
          @function TYPE mod_TYPE(TYPE a, TYPE b) {
            TYPE r = fmod(a, b);
            return r != 0 && (r < 0) != (b < 0) ? r + b : r;
          }\
          """
              .replace("TYPE", type));
      define(
          "sign_" + type,
          "@function TYPE sign_TYPE(TYPE v) { return isnan(v) ? v : (TYPE)((v > 0) - (v < 0)); }"
              .replace("TYPE", type));
    }
    TopKEntry.functions().forEach(Prelude::define);
    vectors();
  }

  private Prelude() {}

  /* Of sixteen lanes. PoCL's sine of a small angle is wrong beside one beyond 125 in the same vector
  (SLEEF 3.5 then reduces all of them as if they were large): the two kinds are computed apart. */
  private static void vectors() {
    define(
        "sign_float16",
        """
        inline float16 sign_float16(float16 v) {
          const float16 one = select((float16)(0.0f), (float16)(1.0f), v > (float16)(0.0f));
          return select(select(one, (float16)(-1.0f), v < (float16)(0.0f)), v, v != v);
        }\
        """);
    define(
        "mod_float16",
        """
        inline float16 mod_float16(float16 a, float16 b) {
          const float16 r = fmod(a, b);
          const int16 apart = (r < (float16)(0.0f)) ^ (b < (float16)(0.0f));
          return select(r, r + b, (r != (float16)(0.0f)) & apart);
        }\
        """);
    for (String function : new String[] {"sin", "cos", "tan"}) {
      define(
          function + "_float16",
          """
          inline float16 FUNCTION_float16(float16 v) {
            const int16 large = !(fabs(v) < (float16)(100.0f));
            const float16 of_small = FUNCTION(select(v, (float16)(0.0f), large));
            if (!any(large)) return of_small;
            return select(of_small, FUNCTION(select((float16)(1000.0f), v, large)), large);
          }\
          """
              .replace("FUNCTION", function));
    }
  }

  private static void define(String name, String text) {
    FUNCTIONS.put(name, text);
  }

  /* OpenCL promises 0 for NaN, and NVIDIA's devices give the smallest number. */
  private static String conversion(String whole, String real) {
    return "@function WHOLE WHOLE_of_REAL(REAL v) { return isnan(v) ? 0 : @saturated(WHOLE, v); }"
        .replace("WHOLE", whole)
        .replace("REAL", real);
  }

  private static String signedDivision(
      String type, String name, String byMinusOne, String otherwise) {
    return "@function TYPE NAME_TYPE(TYPE a, TYPE b) { return b == 0 ? 0 : b == -1 ? MINUS : (TYPE)(ELSE); }"
        .replace("TYPE", type)
        .replace("NAME", name)
        .replace("MINUS", byMinusOne)
        .replace("ELSE", otherwise);
  }

  private static String unsignedDivision(String type, String name, String operator) {
    return "@function TYPE NAME_TYPE(TYPE a, TYPE b) { return b == 0 ? 0 : (TYPE)(a OP b); }"
        .replace("TYPE", type)
        .replace("NAME", name)
        .replace("OP", operator);
  }

  /// The definitions of all functions whose names occur in `text`.
  public static String usedBy(String text) {
    StringBuilder used = new StringBuilder();
    FUNCTIONS.forEach((name, definition) -> {
      if (text.contains(name + "(")) {
        used.append(definition).append('\n');
      }
    });
    return used.toString();
  }
}
