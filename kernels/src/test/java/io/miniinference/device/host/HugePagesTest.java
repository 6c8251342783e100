package io.miniinference.device.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HugePagesTest {
  private static final long BYTES = 9L << 20;

  @Test
  void smallPoolsHaveNone() {
    try (Arena arena = Arena.ofConfined()) {
      assertThat(HugePages.allocate(arena, HugePages.PAGE_BYTES)).isEmpty();
    }
  }

  @Test
  void aPoolIsAlignedAndZero() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pool = HostMemory.allocate(arena, BYTES, HostMemory.jvmInfo(1));
      assertThat(pool.byteSize()).isEqualTo(BYTES);
      assertThat(pool.address() % HostMemory.PAGE_BYTES).isZero();
      assertThat(pool.mismatch(arena.allocate(BYTES))).isEqualTo(-1);
    }
  }

  @Test
  void whereThereAreHugePagesThePoolAsksForThemAndIsUnmappedInTheEnd() throws IOException {
    boolean there = Files.exists(Path.of("/sys/kernel/mm/transparent_hugepage"));
    long address;
    try (Arena arena = Arena.ofConfined()) {
      address = HostMemory.allocate(arena, BYTES, HostMemory.jvmInfo(1)).address();
      assertThat(isAdvised(address)).isEqualTo(there);
    }
    assertThat(isAdvised(address)).isFalse();
  }

  /* Whether the mapping at the address has the flag "hg", as proc(5) describes smaps. */
  private static boolean isAdvised(long address) throws IOException {
    Path maps = Path.of("/proc/self/smaps");
    boolean inside = false;
    for (String line : Files.exists(maps) ? Files.readAllLines(maps) : List.<String>of()) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        String[] range = line.split("[- ]", 3);
        inside =
            Long.parseUnsignedLong(range[0], 16) <= address
                && address < Long.parseUnsignedLong(range[1], 16);
      } else if (inside && line.startsWith("VmFlags:")) {
        return line.contains(" hg");
      }
    }
    return false;
  }
}
