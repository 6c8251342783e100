package io.miniinference.codegen.program;

import io.miniinference.codegen.Template;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Functions over sixteen lanes that the CPU writer's text calls, as text.
///
/// Exponential, sigmoid, sine, cosine, tangent, hyperbolic tangent and the error function are made
/// of products and sums here: a library that has no vector form of one calls it sixteen times.
/// Polynomials are fitted to the functions by weighted least squares, with weights that even out
/// the largest errors (C. L. Lawson, 1961); as floats they are within 2 units in the last place,
/// the sigmoid within 3, the tangent within 4.
final class VectorFunctions {
  /* The loop over lanes is a function of its own: compilers make a hundred instructions of it, wherever
  it stands, and a kernel comes to it at the end of a row. */
  private static final Template LOAD_SOME =
      Template.of(
          "load of up to sixteen",
          """
          @outlined ${type}16 load_some_$type(int count, @global const $type* from) {
            $type some[16] = {0};
            for (int j = 0; j < count; j++) some[j] = from[j];
            return @load(16, 0, some);
          }
          @function ${type}16 load_${type}16(int count, @global const $type* from) {
            if (count == 16) return $whole;
            $masked
            return load_some_$type(count, from);
          }
          """);

  private static final Template STORE_SOME =
      Template.of(
          "store of up to sixteen",
          """
          @outlined void store_some_$type(int count, ${type}16 v, @global $type* to) {
            $type some[16];
            @store(16, v, 0, some);
            for (int j = 0; j < count; j++) to[j] = some[j];
          }
          @function void store_${type}16(int count, ${type}16 v, @global $type* to) {
            if (count == 16) {
              $whole;
              return;
            }
            $masked
            store_some_$type(count, v, to);
          }
          """);

  /* AVX-512 has an instruction for some of sixteen words, which touches no others. */
  private static final Template MASKED_LOAD =
      Template.of(
          "load of some words",
          """
          #ifdef __AVX512F__
          ${type}16 some;
          __asm__ volatile("vmovups (%1), %0 %{%2%}%{z%}" : "=v"(some) : "r"(from), "Yk"((ushort)((1 << count) - 1)) : "memory");
          return some;
          #endif
          """);

  private static final Template MASKED_STORE =
      Template.of(
          "store of some words",
          """
          #ifdef __AVX512F__
          __asm__ volatile("vmovups %0, (%1) %{%2%}" : : "v"(v), "r"(to), "Yk"((ushort)((1 << count) - 1)) : "memory");
          return;
          #endif
          """);

  /* Lanes that lie apart, a stride from one to the next. */
  private static final Template GATHER =
      Template.of(
          "load of lanes apart",
          """
          @outlined ${type}16 gather_some_$type(int count, @global const $type* from, long stride) {
            $type some[16] = {0};
            for (int j = 0; j < count; j++) some[j] = from[j * stride];
            return @load(16, 0, some);
          }
          @function ${type}16 gather_${type}16(int count, @global const $type* from, long stride) {
            return count == 16 ? @gather($type, from, stride) : gather_some_$type(count, from, stride);
          }
          """);

  private static final Template SPREAD =
      Template.of(
          "store of lanes apart",
          """
          @outlined void spread_${type}16(int count, ${type}16 v, @global $type* to, long stride) {
            $type some[16];
            @store(16, v, 0, some);
            for (int j = 0; j < count; j++) to[j * stride] = some[j];
          }
          """);

  /* Four products of an unsigned and a signed byte, added to each of sixteen sums. LLVM may know the
  instruction and not that the processor has it, for which text is no obstacle. */
  private static final String BYTE_SUMS =
      """
      @function int16 dot_bytes(int16 sum, int x, int16 w) {
      #ifdef __AVX512F__
        const int16 all = @mask(x);
        __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(all), "v"(w));
        return sum;
      #else
        sum += @mask(x & 255) * ((w << @mask(24)) >> @mask(24));
        sum += @mask((x >> 8) & 255) * ((w << @mask(16)) >> @mask(24));
        sum += @mask((x >> 16) & 255) * ((w << @mask(8)) >> @mask(24));
        return sum + @mask((x >> 24) & 255) * (w >> @mask(24));
      #endif
      }\
      """;

  /* PoCL's own are of some twenty instructions, where AVX-512 has one. */
  private static final Template ROUNDING =
      Template.of(
          "rounding of sixteen",
          """
          @function float16 ${name}_float16(float16 v) {
          #ifdef __AVX512F__
            float16 whole;
            __asm__("$instruction, %1, %0" : "=v"(whole) : "v"(v));
            return whole;
          #else
            return $otherwise(v);
          #endif
          }
          """);

  /* x / d by a reciprocal r that is the nearest float: the product, put right by what it leaves over,
  is the nearest quotient (P. Markstein, 1990), at a fifth of a division's time. What is too large
  stays as it is. */
  private static final String QUOTIENT =
      """
      @function float16 quotient_float16(float16 x, float16 d, float16 r) {
        const float16 most = x * r;
        const float16 nearest = fma(fma(-most, d, x), r, most);
        return @select(nearest, most, (fabs(most) == @splat(16, INFINITY)));
      }\
      """;

  private static final Template VECTOR_SIGN =
      Template.of(
          "sign of sixteen",
          """
          @function float16 sign_float16(float16 v) {
            const float16 one = @select(@splat(16, 0.0f), @splat(16, 1.0f), v > @splat(16, 0.0f));
            return @select(@select(one, @splat(16, -1.0f), v < @splat(16, 0.0f)), v, v != v);
          }
          """);

  private static final Template VECTOR_MODULO =
      Template.of(
          "modulo of sixteen",
          """
          @function float16 mod_float16(float16 a, float16 b) {
            const float16 r = fmod(a, b);
            const int16 apart = (r < @splat(16, 0.0f)) ^ (b < @splat(16, 0.0f));
            return @select(r, r + b, (r != @splat(16, 0.0f)) & apart);
          }
          """);

  /* Integers that are in the order of sixteen floats, by their bits: both zeros are 0, and NaN is
  behind all numbers. */
  private static final Template ORDER =
      Template.of(
          "order of sixteen floats",
          """
          @function int16 order_int16(const int16 bits) {
            const int16 size = bits & @mask(0x7fffffff);
            const int16 order = (bits ^ ((bits >> @mask(31)) & @mask(0x7fffffff))) - (bits == @mask((int)0x80000000u));
            return @select(order, @mask(0x7fffffff), size > @mask(0x7f800000));
          }
          """);

  private static final Template ACROSS =
      Template.of(
          "one of sixteen integers",
          """
          @function int ${name}_int16(const int16 v) {
            float lanes[16];
            @store(16, @floatsOf(v), 0, lanes);
            int all = (int)@bitsOf(lanes[0]);
            for (int j = 1; j < 16; j++) {
              const int a = all, b = (int)@bitsOf(lanes[j]);
              all = $combined;
            }
            return all;
          }
          """);

  /* The sine by a quarter of a turn and what is left of it, r, within an eighth: π/2 in three parts
  is taken off k times without rounding that shows (Cody and Waite, 1980). Beyond 100 the library
  reduces, apart from the others: PoCL's is wrong for a small angle beside a large one. */
  private static final Template ANGLE =
      Template.of(
          "function of sixteen angles",
          """
          @function float16 ${function}_float16(float16 v) {
            const int16 large = !(fabs(v) < @splat(16, 100.0f));
            const float16 x = @select(v, @splat(16, 0.0f), large);
            const float16 k = round_float16(x * @splat(16, 0.63661975f));
            const float16 most = fma(k, @splat(16, -1.5707964f), x);
            const float16 r = fma(k, @splat(16, 1.7763568e-15f), fma(k, @splat(16, 4.371139e-8f), most));
            const float16 s = r * r;
            const float16 sine = fma(r * s, $sine, r);
            const float16 cosine = fma(s * s, $cosine, fma(s, @splat(16, -0.5f), @splat(16, 1.0f)));
            const float16 quarters = k + @splat(16, $quarters);
            const float16 pairs = floor_float16(quarters * @splat(16, 0.5f));
            const int16 odd = (pairs + pairs) != quarters;
            $result
            if (!@any(large)) return of_small;
            return @select(of_small, $function(@select(@splat(16, 1000.0f), v, large)), large);
          }
          """);

  private static final Template SINE =
      Template.of(
          "sine of a quarter",
          """
          const float16 size = @select(sine, cosine, odd);
          const float16 turns = floor_float16(pairs * @splat(16, 0.5f));
          const float16 of_small = @select(size, -size, (turns + turns) != pairs);
          """);

  private static final Template TANGENT =
      Template.of(
          "tangent of a quarter",
          "const float16 of_small = @select(sine, -cosine, odd) / @select(cosine, sine, odd);");

  /* e^x = 2^k · e^r, where |r| is at most ln 2 / 2 and e^r = 1 + r + r²·P(r). Added to 1.5 · 2^23, a
  float is rounded to a whole number, which its last bits hold. The power of two is a product of two,
  so that results below the least normal number and beyond the largest come right. */
  private static final Template EXPONENTIAL =
      Template.of(
          "exponential of sixteen",
          """
          @function float16 exp_float16(float16 x) {
            const float16 least = @select(x, @splat(16, -104.0f), x < @splat(16, -104.0f));
            const float16 t = @select(least, @splat(16, 89.0f), least > @splat(16, 89.0f));
            const float16 whole = fma(t, @splat(16, 1.442695f), @splat(16, 12582912.0f));
            const float16 k = whole - @splat(16, 12582912.0f);
            const float16 r = fma(k, @splat(16, 1.9046543e-9f), fma(k, @splat(16, -0.6931472f), t));
            const float16 e = fma(r * r, $polynomial, r) + @splat(16, 1.0f);
            const int16 power = @intsOf(whole) - @mask(0x4B400000);
            const int16 part = power >> @mask(1);
            const float16 scaled = e * @floatsOf((part + @mask(127)) << @mask(23));
            return scaled * @floatsOf((power - part + @mask(127)) << @mask(23));
          }
          """);

  /* e^x of what is not above 0, as the weights of a softmax are. One power of two does, made 2^64 times as
  large first, so that results below the least normal number come right; its exponent is in the last
  bits of `whole`, 127 and all. Below 2^-138 it is zero: a float there has less than half its bits,
  and a processor takes a hundred times as long for each product with one: all of them, where a mask
  adds -100. */
  private static final Template WEIGHT =
      Template.of(
          "weight of sixteen",
          """
          @function float16 weight_float16(float16 x) {
            const float16 t = @select(x, @splat(16, -95.65431f), x < @splat(16, -95.65431f));
            const float16 whole = fma(t, @splat(16, 1.442695f), @splat(16, 12583103.0f));
            const float16 k = whole - @splat(16, 12583103.0f);
            const float16 r = fma(k, @splat(16, 1.9046543e-9f), fma(k, @splat(16, -0.6931472f), t));
            const float16 e = fma(r * r, $polynomial, r) + @splat(16, 1.0f);
            const float16 large = e * @floatsOf(@intsOf(whole) << @mask(23));
            return @select(large * @splat(16, 5.421011e-20f), @splat(16, 0.0f), x < @splat(16, -95.65431f));
          }
          """);

  /* 1 / (1 + e^−x), a network's sigmoid. One power of two does, since what is lost of a small exponential beside 1 does
  not show; the exponent of its float is in the last bits of `whole`, 127 and all. From 2^128 on it
  is infinite, and the result 0, as is right but for what is below the least normal number. */
  private static final Template LOGISTIC =
      Template.of(
          "logistic function of sixteen",
          """
          @function float16 logistic_float16(float16 x) {
            const float16 most = @select(x, @splat(16, 87.0f), x > @splat(16, 87.0f));
            const float16 t = @select(most, @splat(16, -89.0f), most < @splat(16, -89.0f));
            const float16 whole = fma(t, @splat(16, -1.442695f), @splat(16, 12583039.0f));
            const float16 k = whole - @splat(16, 12583039.0f);
            const float16 r = fma(k, @splat(16, 1.9046543e-9f), fma(k, @splat(16, -0.6931472f), -t));
            const float16 e = fma(r * r, $polynomial, r) + @splat(16, 1.0f);
            const float16 scaled = e * @floatsOf(@intsOf(whole) << @mask(23));
            return @splat(16, 1.0f) / (scaled + @splat(16, 1.0f));
          }
          """);

  /* Near zero x + x·P(x²), and from 1 on 1 − exp(−Q(|x|)), which is 1 from 4 on. */
  private static final Template ERROR_FUNCTION =
      Template.of(
          "error function of sixteen",
          """
          @function float16 erf_float16(float16 x) {
            const float16 s = x * x;
            const float16 near = fma(x, $near, x);
            const float16 size = fabs(x);
            const float16 t = @select(size, @splat(16, 4.0f), size > @splat(16, 4.0f));
            const float16 far = @splat(16, 1.0f) - weight_float16(-($far));
            const float16 of_sign = @select(far, -far, x < @splat(16, 0.0f));
            return @select(near, of_sign, size > @splat(16, 1.0f));
          }
          """);

  /* Near zero x + x·x²·P(x²), else of e^2|x|. */
  private static final Template HYPERBOLIC_TANGENT =
      Template.of(
          "hyperbolic tangent of sixteen",
          """
          @function float16 tanh_float16(float16 x) {
            const float16 s = x * x;
            const float16 near = fma(x * s, $near, x);
            const float16 size = fabs(x);
            const float16 far = @splat(16, 1.0f) - @splat(16, 2.0f) / (exp_float16(size + size) + @splat(16, 1.0f));
            const float16 of_sign = @select(far, -far, x < @splat(16, 0.0f));
            return @select(of_sign, near, size < @splat(16, 0.65f));
          }
          """);

  /* x·P(x²) / Q(x²), which meets tanh at twelve places of 0 to 9.02, Chebyshev's in x, and is within
  2.2e-8 of it there but for rounding; ±1 beyond. In a recurrent layer, whose steps have many, it takes
  a third of the time of the function that is near to the last bit. */
  private static final Template GATE =
      Template.of(
          "hyperbolic tangent of sixteen, in a recurrent layer",
          """
          @function float16 gate_tanh_float16(float16 x) {
            const float16 least = @select(x, @splat(16, -9.02f), x < @splat(16, -9.02f));
            const float16 t = @select(least, @splat(16, 9.02f), least > @splat(16, 9.02f));
            const float16 s = t * t;
            return t * $numerator / $denominator;
          }
          """);

  private static final Template GATE_SIGMOID =
      Template.of(
          "sigmoid of sixteen, in a recurrent layer",
          """
          @function float16 gate_sigmoid_float16(float16 x) {
            return fma(gate_tanh_float16(x * @splat(16, 0.5f)), @splat(16, 0.5f), @splat(16, 0.5f));
          }
          """);

  private static final Template HORNER =
      Template.of("step of a polynomial", "fma($x, $rest, @splat(16, $first))");

  private VectorFunctions() {}

  private static void words(Map<String, String> all, String type) {
    String load = MASKED_LOAD.with("type", type).text();
    String store = MASKED_STORE.text();
    some(all, type, "@load(16, 0, from)", load, "@store(16, v, 0, to)", store);
  }

  private static void small(Map<String, String> all, String type) {
    String load = "@loadSmall(" + type + ", from)";
    some(all, type, load, "", "@storeSmall(" + type + ", v, to)", "");
  }

  private static void some(
      Map<String, String> all,
      String type,
      String load,
      String maskedLoad,
      String store,
      String maskedStore) {
    all.put(
        "load_" + type + "16",
        LOAD_SOME.with("type", type).with("whole", load).with("masked", maskedLoad).text());
    all.put(
        "store_" + type + "16",
        STORE_SOME.with("type", type).with("whole", store).with("masked", maskedStore).text());
    all.put("gather_" + type + "16", GATHER.with("type", type).text());
    all.put("spread_" + type + "16", SPREAD.with("type", type).text());
  }

  private static void rounding(Map<String, String> all, String name, int mode, String otherwise) {
    all.put(
        name + "_float16",
        ROUNDING
            .with("name", name)
            .with("instruction", "vrndscaleps $" + mode)
            .with("otherwise", otherwise)
            .text());
  }

  /// The functions by name.
  static Map<String, String> all() {
    Map<String, String> all = new LinkedHashMap<>();
    List.of("float", "int").forEach(type -> words(all, type));
    List.of("uchar", "char", "ushort", "short").forEach(type -> small(all, type));
    rounding(all, "round", 8, "rint");
    rounding(all, "floor", 9, "floor");
    rounding(all, "ceil", 10, "ceil");
    rounding(all, "trunc", 11, "trunc");
    all.put("exp_float16", exponential());
    all.put("weight_float16", WEIGHT.with("polynomial", ofExponential()).text());
    all.put("logistic_float16", LOGISTIC.with("polynomial", ofExponential()).text());
    all.put("sign_float16", VECTOR_SIGN.text());
    all.put("dot_bytes", BYTE_SUMS);
    all.put("quotient_float16", QUOTIENT);
    all.put("mod_float16", VECTOR_MODULO.text());
    all.put("sin_float16", angle("sin", 0, SINE));
    all.put("cos_float16", angle("cos", 1, SINE));
    all.put("tan_float16", angle("tan", 0, TANGENT));
    all.put("erf_float16", errorFunction());
    all.put("tanh_float16", hyperbolicTangent());
    all.put("gate_tanh_float16", gate());
    all.put("gate_sigmoid_float16", GATE_SIGMOID.text());
    all.put("order_int16", ORDER.text());
    all.put("sum_int16", across("sum", "a + b"));
    all.put("min_int16", across("min", "a < b ? a : b"));
    all.put("max_int16", across("max", "a > b ? a : b"));
    return all;
  }

  private static String gate() {
    String numerator =
        polynomial(
            "s", 1.0f, 0.14024058f, 0.0043270285f, 3.9822567e-5f, 9.811714e-8f, 2.9426572e-11f);
    String denominator =
        polynomial(
            "s", 1.0f, 0.47357383f, 0.02885171f, 4.8209832e-4f, 2.3834753e-6f, 2.4908571e-9f);
    return GATE.with("numerator", numerator).with("denominator", denominator).text();
  }

  private static String across(String name, String combined) {
    return ACROSS.with("name", name).with("combined", combined).text();
  }

  /* `quarters` of a turn that the function is ahead of the sine. */
  private static String angle(String function, float quarters, Template result) {
    return ANGLE
        .with("function", function)
        .with("sine", polynomial("s", -0.16666667f, 0.008333329f, -1.9839327e-4f, 2.7182373e-6f))
        .with("cosine", polynomial("s", 0.041666646f, -0.0013887362f, 2.4437728e-5f))
        .with("quarters", quarters + "f")
        .with("result", result.text())
        .text();
  }

  private static String exponential() {
    return EXPONENTIAL.with("polynomial", ofExponential()).text();
  }

  private static String ofExponential() {
    return polynomial("r", 0.49999994f, 0.16666521f, 0.04166839f, 0.008368745f, 0.0013814538f);
  }

  private static String hyperbolicTangent() {
    String near =
        polynomial("s", -0.33333248f, 0.13330543f, -0.053665046f, 0.02039795f, -0.005439416f);
    return HYPERBOLIC_TANGENT.with("near", near).text();
  }

  private static String errorFunction() {
    String near =
        polynomial(
            "s",
            0.12837917f,
            -0.37612626f,
            0.112836f,
            -0.026854444f,
            0.005189535f,
            -8.020841e-4f,
            7.889119e-5f);
    String far =
        polynomial(
            "t",
            3.0042836e-4f,
            1.1272515f,
            0.63788307f,
            0.10332735f,
            -0.02194043f,
            0.002972442f,
            -1.8882361e-4f);
    return ERROR_FUNCTION.with("near", near).with("far", far).text();
  }

  /* `coefficients` of the powers of `x`, from 0 on. */
  private static String polynomial(String x, float... coefficients) {
    String text = "@splat(16, " + coefficients[coefficients.length - 1] + "f)";
    for (int i = coefficients.length - 2; i >= 0; i--) {
      text = HORNER.with("x", x).with("rest", text).with("first", coefficients[i] + "f").text();
    }
    return text;
  }
}
