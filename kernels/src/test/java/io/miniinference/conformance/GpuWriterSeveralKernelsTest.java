package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The GPU writer, whose kernels run on any OpenCL device.
@Tag("opencl")
final class GpuWriterSeveralKernelsTest extends SeveralKernelsContract {
  @Override
  Writer writer() {
    return Writer.GPU;
  }

  @Test
  void longSumsOfFewRowsAreSplit() {
    assertThat(launches(longSums())).isEqualTo(2);
  }

  /// Parts of the depth are those of the shape of one request, and are added in their order.
  @Test
  void aRowHasTheSameBitsInEveryBatch() {
    Graph graph = longSums();
    Tensor batch = random(5, 2304);
    List<List<Tensor>> sets =
        Stream.concat(
                Stream.of(List.of(batch)),
                IntStream.range(0, 5).mapToObj(row -> List.of(row(batch, row))))
            .toList();

    List<List<Tensor>> got = rig().run(graph, sets);

    for (int row = 0; row < 5; row++) {
      assertThat(sameBits(got.get(1 + row).getFirst(), row(got.getFirst().getFirst(), row)))
          .as("row %d", row)
          .isTrue();
    }
  }
}
