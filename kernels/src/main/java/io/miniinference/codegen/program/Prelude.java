package io.miniinference.codegen.program;

import io.miniinference.codegen.NonMaxSuppressionText;
import io.miniinference.codegen.RankedEntry;
import io.miniinference.codegen.Template;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Small functions that generated text calls, each defined only where it is used. They give what
/// OpenCL C leaves undefined one result on every device (see [io.miniinference.ir.Expr]).
public final class Prelude {
  private static final Map<String, String> FUNCTIONS = new LinkedHashMap<>();
  private static final List<String> SIGNED = List.of("char", "short", "int", "long");
  private static final List<String> UNSIGNED = List.of("uchar", "ushort", "uint", "ulong");
  private static final List<String> REAL = List.of("float", "double");

  private static final Template SIGNED_DIVISION =
      Template.of(
          "signed division",
          "@function $type ${name}_$type($type a, $type b) { return b == 0 ? 0 : b == -1 ? $byMinusOne : ($type)($otherwise); }");

  private static final Template UNSIGNED_DIVISION =
      Template.of(
          "unsigned division",
          "@function $type ${name}_$type($type a, $type b) { return b == 0 ? 0 : ($type)(a $operator b); }");

  private static final Template SIGNED_MODULO =
      Template.of(
          "signed modulo",
          """
          @function $type mod_$type($type a, $type b) {
            if (b == 0 || b == -1) return 0;
            $type r = a % b;
            return r != 0 && (r < 0) != (b < 0) ? ($type)(r + b) : r;
          }
          """);

  private static final Template WHOLE_POWER =
      Template.of(
          "power of whole numbers",
          """
          @function $type pow_$type($type a, $type b) {
            if (b < 0) return a == 1 ? 1 : a == ($type)-1 ? ((b & 1) ? a : 1) : 0;
            $type r = 1;
            while (b != 0) { if (b & 1) r = ($type)(r * a); a = ($type)(a * a); b = b >> 1; }
            return r;
          }
          """);

  /* OpenCL promises 0 for NaN, and NVIDIA's devices give the smallest number. */
  private static final Template WHOLE_OF_REAL =
      Template.of(
          "conversion to a whole number",
          "@function $whole ${whole}_of_$real($real v) { return isnan(v) ? 0 : @saturated($whole, v); }");

  private static final Template REAL_MODULO =
      Template.of(
          "modulo",
          """
          @function $type mod_$type($type a, $type b) {
            $type r = fmod(a, b);
            return r != 0 && (r < 0) != (b < 0) ? r + b : r;
          }
          """);

  private static final Template REAL_SIGN =
      Template.of(
          "sign",
          "@function $type sign_$type($type v) { return isnan(v) ? v : ($type)((v > 0) - (v < 0)); }");

  /* A comparison, so that a NaN on either side comes through. */
  private static final Template BETTER_REAL =
      Template.of(
          "the better of two",
          "@function $type ${name}_$type($type a, $type b) { return a $better b || isnan(a) ? a : b; }");

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
        "tf32_of",
        """
        @function float tf32_of(float v) {
        #if defined(__NV_CL_C_VERSION) || defined(__CUDA_ARCH__)
          uint u;
          asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(u) : "f"(v));
          return @floatOf(u);
        #else
          return isnan(v) ? v : @floatOf((@bitsOf(v) + 0x1000u) & 0xffffe000u);
        #endif
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
        "half4_at",
        """
        @function float4 half4_at(@global const half* p) {
          const ushort4 u = *(@global const ushort4*)p;
          ushort h[4];
          h[0] = u.x; h[1] = u.y; h[2] = u.z; h[3] = u.w;
          float4 v;
          v.x = @loadHalf(0, (const half*)h);
          v.y = @loadHalf(1, (const half*)h);
          v.z = @loadHalf(2, (const half*)h);
          v.w = @loadHalf(3, (const half*)h);
          return v;
        }\
        """);
    define(
        "store_half4",
        """
        @function void store_half4(float4 v, @global half* p) {
          ushort h[4];
          @storeHalf(v.x, 0, (half*)h);
          @storeHalf(v.y, 1, (half*)h);
          @storeHalf(v.z, 2, (half*)h);
          @storeHalf(v.w, 3, (half*)h);
          ushort4 u;
          u.x = h[0]; u.y = h[1]; u.z = h[2]; u.w = h[3];
          *(@global ushort4*)p = u;
        }\
        """);
    define(
        "half2_bits",
        """
        @function uint half2_bits(float x, float y) {
          ushort h[2];
          @storeHalf(x, 0, (half*)h);
          @storeHalf(y, 1, (half*)h);
          return h[0] | (uint)h[1] << 16;
        }\
        """);
    define(
        "bf16x4_at",
        """
        @function float4 bf16x4_at(@global const ushort* p) {
          const uint2 u = *(@global const uint2*)p;
          float4 v;
          v.x = @floatOf(u.x << 16);
          v.y = @floatOf(u.x & 0xffff0000u);
          v.z = @floatOf(u.y << 16);
          v.w = @floatOf(u.y & 0xffff0000u);
          return v;
        }\
        """);
    define(
        "store_bf16x4",
        """
        @function uint bf16_bits(float v) {
          const uint u = @bitsOf(v);
          return isnan(v) ? (u >> 16) | 64u : (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
        }
        @function void store_bf16x4(float4 v, @global ushort* p) {
          uint2 u;
          u.x = bf16_bits(v.x) | bf16_bits(v.y) << 16;
          u.y = bf16_bits(v.z) | bf16_bits(v.w) << 16;
          *(@global uint2*)p = u;
        }\
        """);
    define(
        "bf16x2_bits",
        """
        @function uint bf16_pair_bits(float v) {
          const uint u = @bitsOf(v);
          return isnan(v) ? (u >> 16) | 64u : (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
        }
        @function uint bf16x2_bits(float x, float y) { return bf16_pair_bits(x) | bf16_pair_bits(y) << 16; }\
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
    SIGNED.forEach(Prelude::signedDivisions);
    UNSIGNED.forEach(Prelude::unsignedDivisions);
    Stream.concat(SIGNED.stream(), UNSIGNED.stream()).forEach(Prelude::wholeFunctions);
    REAL.forEach(Prelude::realFunctions);
    RankedEntry.functions().forEach(Prelude::define);
    RankedLists.functions().forEach(Prelude::define);
    NonMaxSuppressionText.functions().forEach(Prelude::define);
    VectorFunctions.all().forEach(Prelude::define);
  }

  private Prelude() {}

  private static void signedDivisions(String type) {
    String minus = "(%s)(0 - (u%s)a)".formatted(type, type);
    define("div_" + type, signedDivision(type, "div", minus, "a / b"));
    define("rem_" + type, signedDivision(type, "rem", "0", "a % b"));
    define("mod_" + type, SIGNED_MODULO.with("type", type).text());
  }

  private static String signedDivision(
      String type, String name, String byMinusOne, String otherwise) {
    return SIGNED_DIVISION
        .with("type", type)
        .with("name", name)
        .with("byMinusOne", byMinusOne)
        .with("otherwise", otherwise)
        .text();
  }

  private static void unsignedDivisions(String type) {
    define("div_" + type, unsignedDivision(type, "div", "/"));
    define("rem_" + type, unsignedDivision(type, "rem", "%"));
    define("mod_" + type, unsignedDivision(type, "mod", "%"));
  }

  private static String unsignedDivision(String type, String name, String operator) {
    return UNSIGNED_DIVISION
        .with("type", type)
        .with("name", name)
        .with("operator", operator)
        .text();
  }

  private static void wholeFunctions(String type) {
    define("pow_" + type, WHOLE_POWER.with("type", type).text());
    REAL.forEach(real ->
        define(type + "_of_" + real, WHOLE_OF_REAL.with("whole", type).with("real", real).text()));
  }

  private static void realFunctions(String type) {
    define("mod_" + type, REAL_MODULO.with("type", type).text());
    define("sign_" + type, REAL_SIGN.with("type", type).text());
    define("min_" + type, better(type, "min", "<"));
    define("max_" + type, better(type, "max", ">"));
  }

  private static String better(String type, String name, String better) {
    return BETTER_REAL.with("type", type).with("name", name).with("better", better).text();
  }

  private static void define(String name, String text) {
    FUNCTIONS.put(name, text);
  }

  /// The definitions of all functions whose names occur in `text`, or in such a definition; one
  /// that another calls comes ahead of it.
  public static String usedBy(String text) {
    StringBuilder used = new StringBuilder();
    for (String name : FUNCTIONS.keySet().stream().toList().reversed()) {
      if (text.contains(name + "(") || used.indexOf(name + "(") >= 0) {
        used.insert(0, FUNCTIONS.get(name) + "\n");
      }
    }
    return used.toString();
  }
}
