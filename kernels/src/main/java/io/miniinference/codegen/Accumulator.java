package io.miniinference.codegen;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import java.util.Locale;

/// Texts of an accumulation: the type it runs in, where it starts, how it combines.
///
/// @param type C type of the accumulator
/// @param start its first value
public record Accumulator(Op.ReduceKind kind, String type, String start) {
  private static final Template KEEP =
      Template.of(
          "the better of two",
          "{ const @typeOf($accumulator) v = $value; $accumulator = v $beats $accumulator || v != v ? v : $accumulator; }");

  public static Accumulator of(Op.ReduceKind kind, ElementType element) {
    String type = accumulated(element);
    String start =
        switch (kind) {
          case SUM -> "0";
          case PRODUCT -> "1";
          case MAX, ARG_MAX, ARG_MAX_LAST -> lowest(element);
          case MIN, ARG_MIN, ARG_MIN_LAST -> highest(element);
        };
    return new Accumulator(kind, type, start);
  }

  private static String accumulated(ElementType element) {
    return switch (element.kind()) {
      case FLOAT -> CType.of(element).computed();
      case SIGNED -> "long";
      case UNSIGNED -> "ulong";
      case BOOL -> "int";
    };
  }

  private static String lowest(ElementType element) {
    return switch (element.kind()) {
      case FLOAT -> "-INFINITY";
      case SIGNED -> limit(element) + "_MIN";
      case UNSIGNED, BOOL -> "0";
    };
  }

  private static String highest(ElementType element) {
    return switch (element.kind()) {
      case FLOAT -> "INFINITY";
      case SIGNED, UNSIGNED -> limit(element) + "_MAX";
      case BOOL -> "1";
    };
  }

  /* The type in the names of its limits: an empty reduction gives them. */
  private static String limit(ElementType element) {
    String type = CType.of(element).stored().toUpperCase(Locale.ROOT);
    return switch (type) {
      case "SHORT" -> "SHRT";
      case "USHORT" -> "USHRT";
      default -> type;
    };
  }

  /// The declaration of a variable for it.
  public String declare(String name) {
    return type + " " + name + " = " + start + ";";
  }

  /// Statement that takes `value` into `accumulator`. NaN wins over all numbers.
  public String combine(String accumulator, String value) {
    return switch (kind) {
      case SUM -> accumulator + " += " + value + ";";
      case PRODUCT -> accumulator + " *= " + value + ";";
      case MAX -> keep(accumulator, value, ">");
      case MIN -> keep(accumulator, value, "<");
      case ARG_MAX, ARG_MAX_LAST, ARG_MIN, ARG_MIN_LAST ->
          throw new IllegalStateException("an arg reduction keeps an index too");
    };
  }

  /// Text of two vectors of sixteen floats combined. A NaN of either stays.
  public String ofVectors(String a, String b) {
    return switch (kind) {
      case SUM -> a + " + " + b;
      case PRODUCT -> a + " * " + b;
      case MAX, ARG_MAX, ARG_MAX_LAST -> better(a, b, "<");
      case MIN, ARG_MIN, ARG_MIN_LAST -> better(a, b, ">");
    };
  }

  private static String better(String a, String b, String isWorse) {
    return "@select(%1$s, %2$s, ((%1$s %3$s %2$s) | (%2$s != %2$s)))".formatted(a, b, isWorse);
  }

  private static String keep(String accumulator, String value, String operator) {
    return KEEP.with("value", value)
        .with("accumulator", accumulator)
        .with("beats", operator)
        .text();
  }
}
