package io.miniinference.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.gpu.GpuTarget;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Kernels of the GPU writer in another language than OpenCL C.
final class SecondDialectTest {
  private static final Pattern OPENCL =
      Pattern.compile(
          "\\b(global|local|kernel|get_\\w+_id|barrier|CLK_\\w+|[av]load\\d+|vstore\\w+|vload_half"
              + "|as_u?int|as_float|convert_\\w+_sat|atomic_or|reqd_work_group_size|__typeof__"
              + "|select)\\b|\\(float4\\)\\(|UNROLL");

  private static Stream<String> kernels() {
    return GoldenKernels.names().stream();
  }

  private static List<String> code(String name) {
    return GoldenKernels.text(name, new GpuTarget(new CudaC()))
        .lines()
        .filter(line -> !line.startsWith("//"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void nothingOfOpenClIsLeft(String name) {
    assertThat(code(name))
        .isNotEmpty()
        .noneMatch(line -> OPENCL.matcher(line).find())
        .noneMatch(line -> line.contains("@"));
  }

  @Test
  void aTiledProductIsWrittenInCuda() {
    assertThat(String.join("\n", code("matmul_weight")))
        .contains(
            "extern \"C\" __global__ void __launch_bounds__(64) matmul_0(uchar* pool,",
            "const int t = (int)threadIdx.x;",
            "const int j0 = (long)blockIdx.y * 32;",
            "__shared__ float as[",
            "#pragma unroll 4\n",
            "c[4 * i + 0] = fma(splat4(a.x), b, c[4 * i + 0]);",
            "__syncthreads();");
  }
}
