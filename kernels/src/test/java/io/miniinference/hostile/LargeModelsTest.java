package io.miniinference.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.miniinference.budget.LoadLimits;
import io.miniinference.device.TestCache;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.LargeModel;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Valid models that are very long, wide or deep are loaded at a cost that grows with their size,
/// or refused by name; the stack that loads them is an ordinary one.
@Tag("alone") // asks what a load takes of the heap
final class LargeModelsTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final EngineOptions OPTIONS =
      new EngineOptions(64L << 20, "jvm", null, null, "auto", TestCache.FOLDER);

  /* Bytes that the thread takes from the heap: as steady as a count of operations. */
  private static long cost(LargeModel kind, int size) {
    OnnxModel model = kind.read(size);
    try (Engine engine = Engines.open(OPTIONS)) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      assertThat(engine.prepare(model, LoadOptions.defaults().withMaxBatch(1)).bytes(1))
          .isPositive();
      return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = LargeModel.class,
      names = {"FOLDED_PRODUCTS", "FUNCTIONS", "IFS", "LOOPS", "SCANS"},
      mode = EnumSource.Mode.EXCLUDE)
  void aModelOfAThousandPartsIsLoaded(LargeModel kind) {
    assertThat(cost(kind, 1000)).isLessThan(6L << 30);
  }

  @ParameterizedTest
  @EnumSource(
      value = LargeModel.class,
      names = {
        "RELUS",
        "TRANSPOSES",
        "CONSTANTS",
        "SUM_OF_ONE",
        "SUM_OF_MANY",
        "CONCAT_OF_MANY",
        "SPLIT",
        "OUTPUTS",
        "INPUTS"
      })
  void tenTimesThePartsCostAboutTenTimesAsMuch(LargeModel kind) {
    assertThat(cost(kind, 10_000)).isLessThan(20 * cost(kind, 1000));
  }

  @ParameterizedTest
  @CsvSource({"FUNCTIONS, 100", "IFS, 7", "LOOPS, 14", "SCANS, 16"})
  void aDeepNestIsLoaded(LargeModel kind, int depth) {
    assertThat(cost(kind, depth)).isLessThan(6L << 30);
  }

  @ParameterizedTest
  @CsvSource({
    "FUNCTIONS, 10000, is called through more than 100 functions",
    "LOOPS, 64, nests messages more than 100 deep",
    "SCANS, 64, nests messages more than 100 deep"
  })
  void aDeeperOneIsRefused(LargeModel kind, int depth, String why) {
    assertThatThrownBy(() -> cost(kind, depth))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @CsvSource({
    "PT0.001S, 20000000000, 68719476736, engine.loading.max-time",
    "PT2M, 1000000, 68719476736, engine.loading.max-work",
    "PT2M, 20000000000, 1000000, engine.loading.max-memory"
  })
  void aLoadThatReachesALimitIsRefusedAndSaysWhich(
      Duration time, long work, long bytes, String property) {
    EngineOptions limited = OPTIONS.withLimits(new LoadLimits(time, work, bytes));
    OnnxModel model = LargeModel.RESIDUALS.read(1000);
    try (Engine engine = Engines.open(limited)) {
      long before = engine.pool().statistics().usedBytes();
      assertThatThrownBy(() -> engine.load(model, LoadOptions.defaults()))
          .isInstanceOf(ModelException.class)
          .hasMessageContaining("RESIDUALS1000")
          .hasMessageContaining(property);
      assertThat(engine.pool().statistics().usedBytes()).isEqualTo(before);
    }
  }

  @Test
  void aModelWhoseRequestsComputeTooMuchIsRefusedAndSaysSo() {
    OnnxModel model = LargeModel.SOFTMAXES.read(1000); // 16 elements each
    LoadLimits limits = new LoadLimits(Duration.ofMinutes(2), 20_000_000_000L, 64L << 30, 15_999);
    try (Engine engine = Engines.open(OPTIONS.withLimits(limits))) {
      assertThatThrownBy(() -> engine.prepare(model, LoadOptions.defaults()))
          .isInstanceOf(ModelException.class)
          .hasMessageContaining("15,999 are the most (engine.loading.max-operations)");
    }
  }

  /// One chain, one wide node, many constants and many outputs of the size that is set, which the
  /// suite leaves at ten times what it measures: 100,000 takes minutes.
  @ParameterizedTest
  @EnumSource(
      value = LargeModel.class,
      names = {
        "RELUS",
        "TRANSPOSES",
        "CONSTANTS",
        "SUM_OF_MANY",
        "CONCAT_OF_MANY",
        "SPLIT",
        "INPUTS",
        "OUTPUTS",
        "SUM_OF_ONE"
      })
  void aModelOfVeryManyPartsIsLoadedOrRefusedByName(LargeModel kind) {
    int parts = Integer.getInteger("mie.large.parts", 3000);
    long start = System.nanoTime();
    try {
      System.out.printf("%s of %d: %,d bytes of the heap", kind, parts, cost(kind, parts));
    } catch (ModelException e) {
      assertThat(e.getMessage()).isNotBlank();
      System.out.printf("%s of %d: %s", kind, parts, e.getMessage());
    }
    System.out.printf(", %d ms%n", (System.nanoTime() - start) / 1_000_000);
  }

  @Test
  void foldingCountsItsArithmeticBeforeItIsDone() {
    OnnxModel model = LargeModel.FOLDED_PRODUCTS.read(20);
    LoadLimits second = new LoadLimits(Duration.ofMinutes(2), 1_000_000_000, 64L << 30);
    try (Engine engine = Engines.open(OPTIONS.withPool(1L << 30).withLimits(second))) {
      assertThatThrownBy(() -> engine.prepare(model, LoadOptions.defaults()))
          .isInstanceOf(ModelException.class)
          .hasMessageContaining("engine.loading.max-work");
    }
  }
}
