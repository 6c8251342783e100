package io.miniinference.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The pool's figures, and its map as text and as JSON.
class StatisticsAndMapTest {
  private final MemoryPool pool = new MemoryPool(4096);

  @Test
  void figuresFollowTheBlocks() {
    Allocation first = pool.allocate(1000, "a").orThrow();
    pool.allocate(100, "b").orThrow();
    first.close();
    pool.allocate(5000);
    pool.allocate(3900);
    assertThat(pool.statistics())
        .isEqualTo(
            new PoolStatistics(
                4096,
                256,
                0,
                3840,
                100,
                1280,
                2816,
                1,
                0,
                2,
                new PoolStatistics.Events(2, 1, 1, 1, 2, 0, 0, 0, 0)));
    assertThat(pool.statistics().utilization()).isEqualTo(256.0 / 4096);
    assertThat(pool.statistics().fragmentationRatio()).isEqualTo(1 - 2816.0 / 3840);
    assertThat(pool.statistics().paddingBytes()).isEqualTo(156);
  }

  @Test
  void heldBytesAreNeitherUsedNorFree() {
    HeldBlocks held = new HeldBlocks(pool, 4096);
    held.release(held.acquire("t", 1000).orThrow());
    PoolStatistics statistics = pool.statistics();
    assertThat(statistics.usedBytes()).isZero();
    assertThat(statistics.heldBytes()).isEqualTo(1024);
    assertThat(statistics.heldBlocks()).isEqualTo(1);
    assertThat(statistics.freeBytes()).isEqualTo(3072);
  }

  @Test
  void theMapAsTextHasALinePerBlock() {
    fillAMap();
    assertThat(pool.memoryMap().text().lines())
        .containsExactly(
            "       offset          size  state (of 4096 bytes)",
            "            0          1024  used  \"mnist \\\"cnn\\\"\\n/weights\" asked 1000",
            "         1024           512  held  \"t\"",
            "         1536          2560  free");
  }

  @Test
  void theMapAsJsonEscapesLabels() {
    fillAMap();
    assertThat(pool.memoryMap().json())
        .isEqualTo(
            "{\"capacityBytes\":4096,\"blocks\":["
                + "{\"offset\":0,\"size\":1024,\"state\":\"used\",\"requested\":1000,\"generation\":1,"
                + "\"owner\":\"mnist \\\"cnn\\\"\\n/weights\"},"
                + "{\"offset\":1024,\"size\":512,\"state\":\"held\",\"requested\":0,\"generation\":0,"
                + "\"owner\":\"t\"},"
                + "{\"offset\":1536,\"size\":2560,\"state\":\"free\",\"requested\":0,\"generation\":0,"
                + "\"owner\":\"\"}]}");
  }

  private void fillAMap() {
    pool.allocate(1000, "mnist \"cnn\"\n/weights").orThrow();
    HeldBlocks held = new HeldBlocks(pool, 4096);
    held.release(held.acquire("t", 300).orThrow());
  }

  @Test
  void jsonStringsEscapeWhatCouldBreakADocument() {
    assertThat(Json.quote("a\\b\t\r\u0000\u007f\u2028\ud800z"))
        .isEqualTo("\"a\\\\b\\t\\r\\u0000\\u007f\\u2028\\ud800z\"");
    assertThat(Json.quote("größe 🙂")).isEqualTo("\"größe 🙂\"");
  }
}
