package io.miniinference.plan.packing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The instances of google/minimalloc, each of which can be packed into 1,048,576 bytes.
@Tag("data")
final class MinimallocTest {
  private static final long CAPACITY_BYTES = 1 << 20;
  private static final SearchLimits LIMITS = new SearchLimits(200_000, Duration.ofMinutes(5));

  /* Lines `id,lower,upper,size`, below one that says so. */
  private static List<Rectangle> read(String name) throws IOException {
    Path folder = Path.of(System.getProperty("mie.data"), "minimalloc");
    return Files.readAllLines(folder.resolve(name + ".1048576.csv")).stream()
        .skip(1)
        .map(line -> line.split(","))
        .map(cells -> new Rectangle(number(cells[1]), number(cells[2]), number(cells[3])))
        .toList();
  }

  private static long number(String cell) {
    return Long.parseLong(cell.strip());
  }

  /* The bound in thousandths of the capacity. */
  @ParameterizedTest
  @CsvSource({"A, 1000", "B, 1000", "C, 991", "E, 1000", "F, 1000", "H, 1000"})
  void theSearchReachesTheBound(String name, int bound) throws IOException {
    List<Rectangle> rectangles = read(name);
    Packing packing = RectanglePacker.pack(PackingProblem.of(rectangles).searching(LIMITS));
    PackingCheck.assertSound(rectangles, 1, packing);
    assertThat(packing.peakBytes()).isEqualTo(packing.boundBytes());
    assertThat(thousandths(packing.boundBytes())).isEqualTo(bound);
  }

  private static long thousandths(long bytes) {
    return Math.round(1000.0 * bytes / CAPACITY_BYTES);
  }
}
