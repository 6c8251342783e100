package io.miniinference.service.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LoadLinesTest {

  @Test
  void aLoadSaysWhereItsKernelsCameFrom() {
    assertThat(origin(12, 12)).isEqualTo(" (compiled)");
    assertThat(origin(12, 0)).isEqualTo(" (from the cache)");
    assertThat(origin(12, 3)).isEqualTo(" (3 compiled, 9 from the cache)");
  }

  /* The JVM device builds none, and those of open sizes may come with a request. */
  @Test
  void aLoadWithoutKernelsSaysNothingOfThem() {
    assertThat(origin(0, 0)).isEmpty();
  }

  private static String origin(long kernels, long compiled) {
    return LoadLines.origin(new LoadFigures(1, kernels, compiled, 0, 0));
  }
}
