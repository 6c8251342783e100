package io.miniinference.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.codegen.gpu.GpuTarget;
import io.miniinference.lower.Target;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Kernels of both writers in another language than OpenCL C.
final class SecondDialectTest {
  private static final Pattern OPENCL =
      Pattern.compile(
          "\\b(global|local|kernel|get_\\w+_id|barrier|CLK_\\w+|[av]load\\d+|vstore\\w+|vload_half"
              + "|as_u?int|as_float|convert_\\w+_sat|atomic_or|reqd_work_group_size|__typeof__"
              + "|select)\\b|\\((float|int)\\d+\\)\\(|UNROLL");

  private static Stream<Arguments> kernels() {
    return GoldenKernels.names().stream()
        .flatMap(name -> Stream.of(Arguments.of("cpu", name), Arguments.of("gpu", name)));
  }

  private static List<String> code(String writer, String name) {
    Target<?> target =
        writer.equals("cpu") ? new CpuTarget(new CudaC()) : new GpuTarget(new CudaC());
    return code(GoldenKernels.text(name, target));
  }

  private static List<String> code(String source) {
    return source.lines().filter(line -> !line.startsWith("//")).toList();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void nothingOfOpenClIsLeft(String writer, String name) {
    assertThat(code(writer, name))
        .isNotEmpty()
        .noneMatch(line -> OPENCL.matcher(line).find())
        .noneMatch(line -> line.contains("@"));
  }

  /* Each function and operator of f32 that has a vector form, behind a product. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sign(a0)",
        "sin(a0)",
        "mod(a0, 3.0)",
        "max(a0, 0.0)",
        "select(a0 > 0.0, a0, exp(a0) - 1.0)"
      })
  void functionsOverSixteenLanesAreOfTheDialect(String epilogue) {
    String graph =
        """
        input %%x: f32[N,24]
        const %%w: f32[24,40] = large 0
        %%y: f32[N,40] = matmul(%%x, %%w) epilogue() { %s }
        """
            .formatted(epilogue);

    assertThat(code(GoldenKernels.textOf(graph, new CpuTarget(new CudaC()))))
        .anyMatch(line -> line.contains("__global__"))
        .noneMatch(line -> OPENCL.matcher(line).find())
        .noneMatch(line -> line.contains("@"));
  }

  @Test
  void aTiledProductIsWrittenInCuda() {
    assertThat(String.join("\n", code("gpu", "matmul_weight")))
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
