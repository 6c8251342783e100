package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.codegen.gpu.GpuTarget;
import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Target;
import io.miniinference.lower.steps.Lowering;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.verify.VerifiedPlan;
import io.miniinference.testing.RandomModel;
import io.miniinference.testing.RandomModel.Domain;
import io.miniinference.testing.device.UnoptimisedKernels;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Random models on every device: each plan is sound, and outputs are those of the interpreter.
final class SoundnessTest {
  /// How many go to the JVM device: `-Dmie.soundness.models=200000` for a long look.
  private static final int MODELS = Integer.getInteger("mie.soundness.models", 600);

  private static final int OPENCL_MODELS = 15;
  private static final int MAX_BATCH = 5;

  /// Of the largest element, for devices that round otherwise.
  private static final double NEAR = 2e-4;

  @Test
  void plansAreSoundAndOutputsOnTheJvmAreTheInterpretersToTheBit() {
    List<Target<?>> planned = List.of(new CpuTarget(), new GpuTarget());
    assertThat(faults(Writer.JVM, planned, Domain.ALL, 0, MODELS)).isEmpty();
  }

  @Test
  @Tag("opencl")
  void outputsOfKernelsForCpusAreNearTheInterpreters() {
    assertThat(faults(Writer.CPU, List.of(), Domain.CONTINUOUS, NEAR, OPENCL_MODELS)).isEmpty();
  }

  @Test
  @Tag("opencl")
  @ExtendWith(UnoptimisedKernels.class)
  void outputsOfKernelsForGpusAreNearTheInterpreters() {
    assertThat(faults(Writer.GPU, List.of(), Domain.CONTINUOUS, NEAR, OPENCL_MODELS)).isEmpty();
  }

  /* What is wrong with models, if anything is; planned for other layouts, too. */
  private static List<String> faults(
      Writer writer, List<Target<?>> planned, Domain domain, double near, int models) {
    try (Rig rig = writer.open()) {
      return LongStream.range(0, models)
          .mapToObj(seed -> RandomModel.of(seed, domain))
          .flatMap(model -> {
            Optional<String> unsound =
                planned.stream().flatMap(target -> fallback(model, target).stream()).findFirst();
            return unsound
                .or(() -> difference(rig, model, near))
                .map(what -> model + ": " + what)
                .stream();
          })
          .toList();
    }
  }

  private static Optional<String> fallback(RandomModel model, Target<?> target) {
    var program = Lowering.lower(model.graph(), target, List.of()).plan();
    return VerifiedPlan.of(program, PlanOptions.upTo(MAX_BATCH)).fallback().map(Object::toString);
  }

  private static Optional<String> difference(Rig rig, RandomModel model, double near) {
    List<List<Tensor>> sets = model.batches().stream().map(model::inputsAt).toList();
    List<List<Tensor>> outputs = rig.run(model.graph(), sets);
    for (int s = 0; s < sets.size(); s++) {
      List<Tensor> expected = Interpreter.run(model.graph(), sets.get(s));
      for (int i = 0; i < expected.size(); i++) {
        Optional<String> difference = difference(expected.get(i), outputs.get(s).get(i), near);
        if (difference.isPresent()) {
          String where = "batch %d, output %d: ".formatted(model.batches().get(s), i);
          return difference.map(what -> where + what);
        }
      }
    }
    return Optional.empty();
  }

  /* Any NaN is a NaN. */
  private static Optional<String> difference(Tensor expected, Tensor got, double near) {
    if (!expected.type().equals(got.type())) {
      return Optional.of(got + ", not " + expected);
    }
    boolean isFloat = expected.element().isFloat();
    TensorView y = TensorView.of(expected);
    TensorView x = TensorView.of(got);
    double largest = 0;
    for (long i = 0; i < y.elements() && isFloat; i++) {
      largest = Math.max(largest, Math.abs(y.realAt(i)));
    }
    for (long i = 0; i < y.elements(); i++) {
      boolean same =
          isFloat ? isNear(y.realAt(i), x.realAt(i), near * largest) : y.wholeAt(i) == x.wholeAt(i);
      if (!same) {
        Object other = isFloat ? (Object) x.realAt(i) : (Object) x.wholeAt(i);
        return Optional.of("element %d is %s in %s".formatted(i, other, got));
      }
    }
    return Optional.empty();
  }

  /* With no slack, to the bit. */
  private static boolean isNear(double expected, double got, double slack) {
    return Double.doubleToLongBits(expected) == Double.doubleToLongBits(got)
        || slack > 0 && Math.abs(got - expected) <= slack
        || slack > 0 && got == expected;
  }
}
