package io.miniinference.bench.soundness;

import io.miniinference.conformance.Rig;
import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Target;
import io.miniinference.lower.steps.Lowering;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.verify.VerifiedPlan;
import io.miniinference.testing.RandomModel;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Holds a device to the interpreter, a random model at a time.
///
/// @param planned writers of kernels for whose layouts each model is planned and verified, too
record SoundnessCheck(Rig rig, List<Target<?>> planned, Closeness closeness) {
  private static final int MAX_BATCH = 5;

  /// How near outputs must be.
  enum Closeness {
    /// The same bits; any NaN is a NaN.
    BITS,
    /// 2e-4 of the largest element.
    NEAR
  }

  /// What is wrong with a model.
  record Fault(Kind kind, String what) {
    enum Kind {
      UNSOUND_PLAN,
      MISMATCH,
      /// It could not be run at all.
      FAILED
    }
  }

  /// What is wrong with the model of a seed, if anything is.
  Optional<Fault> check(long seed, RandomModel.Domain domain) {
    try {
      return check(RandomModel.of(seed, domain));
    } catch (RuntimeException e) {
      return Optional.of(new Fault(Fault.Kind.FAILED, "model of seed " + seed + ": " + e));
    }
  }

  private Optional<Fault> check(RandomModel model) {
    for (Target<?> writer : planned) {
      VerifiedPlan plan =
          VerifiedPlan.of(
              Lowering.lower(model.graph(), writer, List.of()).plan(), PlanOptions.upTo(MAX_BATCH));
      if (plan.fallback().isPresent()) {
        return fault(model, Fault.Kind.UNSOUND_PLAN, plan.fallback().get());
      }
    }
    return run(model);
  }

  private static Optional<Fault> fault(RandomModel model, Fault.Kind kind, String what) {
    return Optional.of(new Fault(kind, model + ": " + what));
  }

  private Optional<Fault> run(RandomModel model) {
    List<List<Tensor>> sets = model.batches().stream().map(model::inputsAt).toList();
    List<List<Tensor>> outputs;
    try {
      outputs = rig.run(model.graph(), sets);
    } catch (AssertionError e) {
      return fault(model, Fault.Kind.UNSOUND_PLAN, String.valueOf(e.getMessage()));
    }
    for (int s = 0; s < sets.size(); s++) {
      List<Tensor> expected = Interpreter.run(model.graph(), sets.get(s));
      for (int i = 0; i < expected.size(); i++) {
        String difference = difference(expected.get(i), outputs.get(s).get(i));
        if (!difference.isEmpty()) {
          long batch = model.batches().get(s);
          String where = "batch %d, output %d: ".formatted(batch, i);
          return fault(model, Fault.Kind.MISMATCH, where + difference);
        }
      }
    }
    return Optional.empty();
  }

  private String difference(Tensor expected, Tensor got) {
    if (!Arrays.equals(expected.shape(), got.shape())) {
      return "shape " + got + ", not " + expected;
    }
    return expected.element().isFloat()
        ? reals(TensorView.of(expected), TensorView.of(got))
        : wholes(TensorView.of(expected), TensorView.of(got));
  }

  private String reals(TensorView expected, TensorView got) {
    double largest = 0;
    for (long i = 0; i < expected.elements(); i++) {
      largest = Math.max(largest, Math.abs(expected.realAt(i)));
    }
    for (long i = 0; i < expected.elements(); i++) {
      if (!isRight(expected.realAt(i), got.realAt(i), largest)) {
        return "element %d is %s, not %s".formatted(i, got.realAt(i), expected.realAt(i));
      }
    }
    return "";
  }

  private boolean isRight(double expected, double got, double largest) {
    boolean same = Double.doubleToLongBits(expected) == Double.doubleToLongBits(got);
    return switch (closeness) {
      case BITS -> same;
      case NEAR -> same || expected == got || Math.abs(got - expected) <= 2e-4 * largest;
    };
  }

  private static String wholes(TensorView expected, TensorView got) {
    for (long i = 0; i < expected.elements(); i++) {
      if (expected.wholeAt(i) != got.wholeAt(i)) {
        return "element %d is %d, not %d".formatted(i, got.wholeAt(i), expected.wholeAt(i));
      }
    }
    return "";
  }
}
