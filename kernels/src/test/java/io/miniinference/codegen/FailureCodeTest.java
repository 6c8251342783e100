package io.miniinference.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.codegen.gpu.GpuTarget;
import io.miniinference.ir.text.GraphText;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.Target;
import io.miniinference.lower.steps.Lowering;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the text of kernels holds of the failure protocol: nothing but where a kernel can fail.
final class FailureCodeTest {
  private static final Pattern KERNEL =
      Pattern.compile("^kernel .*? void (\\w+)\\(.*?^}$", Pattern.MULTILINE | Pattern.DOTALL);

  private static Stream<Target<?>> writers() {
    return Stream.of(new CpuTarget(), new GpuTarget());
  }

  private static LoweredProgram lowered(Target<?> writer, String nodes) {
    String text =
        """
        graph "g" {
          input %x: f32[N,6]
          input %d: i64[N,4]
          input %i: i64[N,4]
          const %table: f32[3,6] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]
          const %fits: i64[2] = [-3, 2]
          const %seven: i64[4] = [7, -7, 1, 2]
        """;
    return Lowering.lower(GraphText.parse(text + nodes + "}"), writer, List.of());
  }

  private static String source(Target<?> writer, LoweredProgram program) {
    return writer.generate(program).code().source();
  }

  /// The kernels by what they do: names start with the operator's.
  private static List<MatchResult> kernels(String source) {
    return KERNEL.matcher(source).results().toList();
  }

  @ParameterizedTest
  @MethodSource("writers")
  void onlyKernelsThatCanFailHoldCodeForIt(Target<?> writer) {
    String source =
        source(
            writer,
            lowered(
                writer,
                """
                  %e: f32[N,6] = elementwise(%x) { a0 * 2.0 }
                  %g: f32[N,4,6] = gather(%table, %i) {axis=0}
                  %s: f32[N,4,6] = softmax(%g) {axis=2}
                  %r: f32[N,6] = reduce_sum(%s) {axes=[1]}
                  %t: f32[N,6] = elementwise(%r, %e) { a0 + a1 }
                  output %t
                """));
    List<MatchResult> kernels = kernels(source);
    assertThat(kernels).hasSizeGreaterThanOrEqualTo(3);
    assertThat(kernels.stream().filter(k -> k.group().contains("failure")).map(k -> k.group(1)))
        .singleElement()
        .asString()
        .startsWith("softmax");
  }

  @ParameterizedTest
  @MethodSource("writers")
  void aProgramThatCannotFailHoldsNoTraceOfTheProtocol(Target<?> writer) {
    String source =
        source(
            writer,
            lowered(
                writer,
                """
                  %g: f32[2,6] = gather(%table, %fits) {axis=0}
                  %q: i64[N,4] = elementwise(%d, %seven) { a0 / a1 }
                  %t: f32[N,2] = matmul(%x, %g) {transposeB=true}
                  output %t
                  output %q
                """));
    assertThat(source).doesNotContain("failure").doesNotContain(" ok");
  }

  @ParameterizedTest
  @MethodSource("writers")
  void withoutChecksAKernelLooksAtNothing(Target<?> writer) {
    LoweredProgram program =
        lowered(
            writer,
            """
              %g: f32[N,4] = gather_elements(%x, %i) {axis=1}
              %s: f32[N,6] = scatter_elements(%x, %i, %g) {axis=1}
              %q: i64[N,4] = elementwise(%d, %i) { a0 / a1 }
              output %s
              output %q
            """);
    assertThat(source(writer, program)).contains("claim_failure");
    assertThat(program.failurePoints()).hasSize(3);
    LoweredProgram unchecked = program.withoutFailureChecks();
    assertThat(source(writer, unchecked)).doesNotContain("failure").doesNotContain(" ok");
    assertThat(unchecked.failurePoints()).isEmpty();
  }

  /// Who finds a bad index goes on to the barrier; behind it the group reports together, or leaves
  /// it.
  @Test
  void aGroupDecidesBehindABarrierOverWhatOneOfItFound() {
    Target<?> writer = new GpuTarget();
    String source =
        source(
            writer,
            lowered(
                writer,
                """
                  input %w: f32[9,60]
                  %g: f32[N,4,60] = gather(%w, %i) {axis=0}
                  %r: f32[N] = reduce_sum(%g) {axes=[1,2]}
                  output %r
                """));
    String kernel = kernels(source).getFirst().group();
    int mark = kernel.indexOf("atomic_or(&group_failed, 1)");
    int barrier = kernel.indexOf("barrier", mark);
    int decision = kernel.indexOf("if (t == 0 && group_failed)");
    assertThat(mark).isPositive().isLessThan(barrier);
    assertThat(barrier).isLessThan(decision);
  }

  /// A check ends no work item: in a kernel with barriers, the others would wait for it.
  @ParameterizedTest
  @MethodSource("writers")
  void aCheckLeavesNoKernelEarly(Target<?> writer) {
    String source =
        source(
            writer,
            lowered(
                writer,
                """
                  %g: f32[N,4] = gather_elements(%x, %i) {axis=1}
                  %s: f32[N,6] = scatter_elements(%x, %i, %g) {axis=1}
                  %q: i64[N,4] = elementwise(%d, %i) { a0 / a1 }
                  output %s
                  output %q
                """));
    List<String> checks =
        failing(source).stream().map(k -> k.substring(k.indexOf("const long position"))).toList();
    assertThat(checks).hasSize(3).noneMatch(check -> check.contains("return"));
  }

  /// A work item of a CPU looks at all indices of its row ahead, in a loop without a branch; what
  /// follows where they all fit asks nothing, be it that some count from the end, and adds nothing
  /// to them where none does.
  @Test
  void aCpuAsksNothingOnceItHasSeenThatARowFits() {
    Target<?> writer = new CpuTarget();
    String source =
        source(
            writer,
            lowered(
                writer,
                """
                  %g: f32[N,4] = gather_elements(%x, %i) {axis=1}
                  %s: f32[N,6] = scatter_elements(%x, %i, %g) {axis=1}
                  %e: f32[N,4,6] = gather(%table, %i) {axis=0}
                  %r: f32[N,6] = reduce_sum(%e) {axes=[1]}
                  output %s
                  output %r
                """));
    assertThat(failing(source)).hasSize(3).allSatisfy(FailureCodeTest::testsAhead);
  }

  /// The kernels that can fail.
  private static List<String> failing(String source) {
    return kernels(source).stream()
        .map(MatchResult::group)
        .filter(kernel -> kernel.contains("claim_failure"))
        .toList();
  }

  private static void testsAhead(String kernel) {
    int test = kernel.indexOf("highest0 = max(");
    int plain = kernel.indexOf("if (lowest0 >= 0 && highest0 < ", test);
    int fromEnd = kernel.indexOf("else if (lowest0 >= -", plain);
    int asking = kernel.indexOf("else {", fromEnd);
    assertThat(test).isPositive();
    assertThat(kernel.substring(test, plain)).doesNotContain("if ", "?");
    assertThat(kernel.substring(plain, fromEnd))
        .contains("v0")
        .doesNotContain("ok", "?", "failure");
    assertThat(kernel.substring(fromEnd, asking))
        .contains("v0 < 0 ? v0 + ")
        .doesNotContain("ok", "failure");
    assertThat(kernel.substring(asking)).contains("claim_failure");
  }

  /// A class that is to be ignored is no reason to ask for each, nor are classes that cannot count
  /// from the end walked over a third time.
  @Test
  void whatIsIgnoredFits() {
    Target<?> writer = new CpuTarget();
    String source =
        source(
            writer,
            lowered(
                writer,
                """
                  %g: f32[N,4] = gather_elements(%x, %i) {axis=1, fromEnd=false, ignored=-100}
                  output %g
                """));
    assertThat(failing(source))
        .singleElement()
        .asString()
        .contains("== -100L ? 0 : ")
        .containsOnlyOnce("else {")
        .doesNotContain("else if");
  }

  /// The owners of a Scatter's elements on a GPU ask of what they take, and go through a share of
  /// all indices for one that nobody takes.
  @Test
  void ownersTestAShareOfTheIndicesEach() {
    Target<?> writer = new GpuTarget();
    String source =
        source(
            writer,
            lowered(
                writer,
                """
                  input %many: i64[N,64]
                  input %u: f32[N,64]
                  input %y: f32[N,256]
                  %s: f32[N,256] = scatter_elements(%y, %many, %u) {axis=1}
                  output %s
                """));
    String kernel = failing(source).getFirst();
    int own = kernel.indexOf("% 64u == (uint)owner && ");
    int share = kernel.indexOf("for (long i1 = owner; i1 < 64; i1 += 64)");
    assertThat(own).isPositive().isLessThan(share);
    assertThat(kernel.substring(own, share)).doesNotContain("failed");
    assertThat(kernel.indexOf("failed |=", share)).isPositive();
  }
}
