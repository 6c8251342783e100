package io.miniinference.runtime.compile;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Tensor;
import io.miniinference.pass.Evaluator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// What the compile for one shape leaves to the next.
final class OtherShapesTest {
  private final Tensor weights = Tensor.of(new float[1000], 1000);
  private final AtomicInteger computed = new AtomicInteger();
  private final Supplier<Integer> computing = computed::incrementAndGet;

  @Test
  void whatFollowsFromAConstantIsComputedOnce() {
    OtherShapes shapes = OtherShapes.many();
    Evaluator first = shapes.evaluator(1 << 20);
    Evaluator second = shapes.evaluator(1 << 20);

    assertThat(first.of(weights, "sum", 4000, computing)).isEqualTo(1);
    assertThat(second.of(weights, "sum", 4000, computing)).isEqualTo(1);
    assertThat(second.of(weights, "product", 4000, computing)).isEqualTo(2);
    assertThat(second.of(Tensor.of(new float[1000], 1000), "sum", 4000, computing)).isEqualTo(3);
  }

  @Test
  void whatIsTooLargeToKeepIsComputedAgain() {
    Evaluator evaluator = OtherShapes.many().evaluator(1 << 20);
    assertThat(evaluator.of(weights, "sum", 1L << 40, computing)).isEqualTo(1);
    assertThat(evaluator.of(weights, "sum", 1L << 40, computing)).isEqualTo(2);
  }

  @Test
  void aModelOfOneShapeKeepsNothing() {
    Evaluator evaluator = OtherShapes.none().evaluator(1 << 20);
    assertThat(evaluator.of(weights, "sum", 4000, computing)).isEqualTo(1);
    assertThat(evaluator.of(weights, "sum", 4000, computing)).isEqualTo(2);
  }
}
