package io.miniinference.testing;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// An elementwise operator of the standard, in models over 64 channels of 28 × 28.
///
/// @param operator its name
/// @param attribute `name=value`, or empty
/// @param second its second operand, a number or [#SLOPES], or empty
/// @param centre the value around which its operands lie, by a few tenths
public record ActivationModel(String operator, String attribute, String second, double centre) {
  /// A number per channel as the second operand.
  private static final String SLOPES = "slopes";

  public static final ActivationModel RELU = new ActivationModel("Relu", "", "", 0);

  private static final int CHANNELS = 64;
  private static final int OPSET = 20;
  private static final double WEIGHTS = 0.007;
  private static final long SEED = 12;

  /// All that take floats to floats, without the arithmetic that is in each other.
  public static List<ActivationModel> all() {
    return Stream.of(
            around(0, "LeakyRelu ThresholdedRelu Elu Selu Celu Sigmoid HardSigmoid HardSwish"),
            around(0, "Softplus Softsign Mish Gelu Shrink Abs Neg Sign Ceil Floor Round Exp Erf"),
            around(0, "Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Atanh"),
            around(1, "Sqrt Log Reciprocal"),
            around(2, "Acosh"),
            Stream.of(
                new ActivationModel("Gelu", "approximate=tanh", "", 0),
                new ActivationModel("PRelu", "", SLOPES, 0),
                new ActivationModel("Mul", "", SLOPES, 0),
                new ActivationModel("Clip", "", "-0.1", 0),
                new ActivationModel("Max", "", "0.1", 0),
                new ActivationModel("Mod", "fmod=1", "0.1", 0),
                new ActivationModel("Pow", "", "1.5", 1)))
        .flatMap(each -> each)
        .toList();
  }

  private static Stream<ActivationModel> around(double centre, String operators) {
    return Stream.of(operators.split(" ")).map(name -> new ActivationModel(name, "", "", centre));
  }

  /// As tables show it.
  public String title() {
    return operator + (attribute.isEmpty() ? "" : " (" + attribute + ")");
  }

  /// With it after each of two convolutions of 3 × 3.
  public TestModel convolved() {
    var random = new Random(SEED);
    TestModel model = model();
    for (String name : List.of("a", "b")) {
      drawn(model, name + "_w", WEIGHTS, random, CHANNELS, CHANNELS, 3, 3);
      model.reals(name + "_b", _ -> centre, CHANNELS);
    }
    model.node("Conv", "x a_w a_b", "a", "pads=1,1,1,1");
    apply(model, "a", "c");
    model.node("Conv", "c b_w b_b", "b", "pads=1,1,1,1");
    apply(model, "b", "y");
    return model;
  }

  /// With it twice, by itself.
  public TestModel alone() {
    TestModel model = model();
    apply(model, "x", "a");
    apply(model, "a", "y");
    return model;
  }

  private TestModel model() {
    TestModel model = TestModel.opset(OPSET).floats("x", "N,64,28,28").output("y");
    if (second.equals(SLOPES)) {
      drawn(model, "second", 0.3, new Random(SEED), CHANNELS, 1, 1);
    } else if (!second.isEmpty()) {
      model.reals("second", _ -> Double.parseDouble(second), new long[0]);
    }
    return model;
  }

  private static void drawn(
      TestModel model, String name, double deviation, Random random, long... dims) {
    model.reals(name, _ -> random.nextGaussian(0, deviation), dims);
  }

  private void apply(TestModel model, String from, String to) {
    String inputs = second.isEmpty() ? from : from + " second";
    String[] attributes = attribute.isEmpty() ? new String[0] : new String[] {attribute};
    model.node(operator, inputs, to, attributes);
  }
}
