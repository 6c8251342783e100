package io.miniinference.bench.models;

import java.util.ArrayList;
import java.util.List;

/// An elementwise operator of the standard and what it is measured on.
///
/// @param operator its name
/// @param variant what its attribute `approximate` says, or empty
/// @param second its second operand, a number or [#SLOPES], or empty
/// @param centre the value around which its operands lie, by a few tenths
record Activation(String operator, String variant, String second, double centre) {
  /// A number per channel as the second operand.
  static final String SLOPES = "slopes";

  static final Activation RELU = new Activation("Relu", "", "", 0);

  /// All that take floats to floats, without the arithmetic that is in each other.
  static List<Activation> all() {
    List<Activation> all = new ArrayList<>();
    around(
        0, all, "LeakyRelu ThresholdedRelu Elu Selu Celu Sigmoid HardSigmoid HardSwish Softplus");
    around(0, all, "Softsign Mish Gelu Shrink Abs Neg Sign Ceil Floor Round Exp Erf Sin Cos Tan");
    around(0, all, "Asin Acos Atan Sinh Cosh Tanh Asinh Atanh");
    around(1, all, "Sqrt Log Reciprocal");
    around(2, all, "Acosh");
    all.add(new Activation("Gelu", "tanh", "", 0));
    all.add(new Activation("PRelu", "", SLOPES, 0));
    all.add(new Activation("Mul", "", SLOPES, 0));
    all.add(new Activation("Clip", "", "-0.1", 0));
    all.add(new Activation("Max", "", "0.1", 0));
    all.add(new Activation("Mod", "", "0.1", 0));
    all.add(new Activation("Pow", "", "1.5", 1));
    return all;
  }

  private static void around(double centre, List<Activation> all, String operators) {
    for (String operator : operators.split(" ")) {
      all.add(new Activation(operator, "", "", centre));
    }
  }

  /// Of its node.
  String[] attributes() {
    if (operator.equals("Mod")) {
      return new String[] {"fmod=1"};
    }
    return variant.isEmpty() ? new String[0] : new String[] {"approximate=" + variant};
  }

  /// As tables show it.
  String title() {
    return operator + (variant.isEmpty() ? "" : " (" + variant + ")");
  }
}
