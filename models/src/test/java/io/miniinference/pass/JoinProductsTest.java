package io.miniinference.pass;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Queries, keys and values of one operand are one product, and branches that begin with one window
/// one convolution.
final class JoinProductsTest {
  private static final FusionTarget WANTS =
      new FusionTarget() {
        @Override
        public boolean fuses(Node merged, Graph graph) {
          return true;
        }

        @Override
        public boolean joins(Node product) {
          return true;
        }
      };

  private static final String OPERANDS =
      """
        input %x: f32[N,3,2]
        const %wq: f32[2,2] = [1.0, 2.0, 3.0, 4.0]
        const %wk: f32[2,2] = [5.0, 6.0, 7.0, 8.0]
        const %wv: f32[2,1] = [9.0, 10.0]
        const %bq: f32[2] = [0.5, 0.25]
        const %bk: f32[2] = [1.5, 1.25]
        const %bv: f32[1] = [2.5]
      """;

  private static final String ATTENTION =
      """
        %y: f32[N,3,1] = attention(%q, %k, %v) {scale=1.0, rowsOfKeys=true}
        output %y
      """;

  private static String joined(String body) {
    return Passes.apply(new JoinProducts(Passes::evaluate, WANTS), OPERANDS + body);
  }

  private static String same(String body) {
    return Passes.apply(new DeadCode(), OPERANDS + body);
  }

  @Test
  void weightsAndNumbersOfTheEpilogueStandSideBySide() {
    String after =
        joined(
            """
              %q: f32[N,3,2] = matmul(%x, %wq) epilogue(%bq) { a0 + a1 }
              %k: f32[N,3,2] = matmul(%x, %wk) epilogue(%bk) { a0 + a1 }
              %v: f32[N,3,1] = matmul(%x, %wv) epilogue(%bv) { a0 + a1 }
            """
                + ATTENTION);
    assertThat(after)
        .contains(
            "const %\"wq and others\": f32[2,5] = [1.0, 2.0, 5.0, 6.0, 9.0, 3.0, 4.0, 7.0, 8.0, 10.0]",
            "const %\"bq and others\": f32[5] = [0.5, 0.25, 1.5, 1.25, 2.5]",
            "%\"q and others\": f32[N,3,5] = matmul(%x, %\"wq and others\") epilogue(%\"bq and others\") { a0 + a1 } from \"q\" \"matmul\"",
            "%q: f32[N,3,2] = slice(%\"q and others\") from \"q\" \"matmul\"",
            "%k: f32[N,3,2] = slice(%\"q and others\") {starts=[0,0,2]} from \"k\" \"matmul\"",
            "%v: f32[N,3,1] = slice(%\"q and others\") {starts=[0,0,4]} from \"v\" \"matmul\"")
        .doesNotContain("const %wq:", "const %bv:");
  }

  @Test
  void weightsThatAreTransposedStandOnTopOfEachOther() {
    assertThat(
            joined(
                """
                  const %tk: f32[3,2] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
                  const %tq: f32[3,2] = [7.0, 8.0, 9.0, 10.0, 11.0, 12.0]
                  %q: f32[N,3,3] = matmul(%x, %tq) {transposeB=true}
                  %k: f32[N,3,3] = matmul(%x, %tk) {transposeB=true}
                  %v: f32[N,3,1] = matmul(%x, %wv)
                """
                    + ATTENTION))
        .contains(
            "const %\"tq and others\": f32[6,2] = [7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]",
            "%v: f32[N,3,1] = matmul(%x, %wv)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // something else than attention reads them
        "%q: f32[N,3,2] = matmul(%x, %wq)\n%k: f32[N,3,2] = matmul(%x, %wk)\n%z: f32[N,3,2] = elementwise(%q, %k) { a0 + a1 }\noutput %z",
        // other epilogues
        "%q: f32[N,3,2] = matmul(%x, %wq) epilogue { a0 * 2.0 }\n%k: f32[N,3,2] = matmul(%x, %wk)",
        // an epilogue that reads more than a number for each column
        "%q: f32[N,3,2] = matmul(%x, %wq) epilogue(%x) { a0 + a1 }\n%k: f32[N,3,2] = matmul(%x, %wk) epilogue(%x) { a0 + a1 }",
        // of two operands
        "input %x2: f32[N,3,2]\n%q: f32[N,3,2] = matmul(%x, %wq)\n%k: f32[N,3,2] = matmul(%x2, %wk)"
      })
  void others(String products) {
    String body =
        products + "\n%v: f32[N,3,1] = matmul(%x, %wv) epilogue { a0 + 3.0 }\n" + ATTENTION;
    assertThat(joined(body)).isEqualTo(same(body));
  }

  @Test
  void targetsThatGainNothingKeepThem() {
    String body =
        """
          %q: f32[N,3,2] = matmul(%x, %wq)
          %k: f32[N,3,2] = matmul(%x, %wk)
          %v: f32[N,3,1] = matmul(%x, %wv)
        """
            + ATTENTION;
    assertThat(Passes.apply(new JoinProducts(Passes::evaluate, (_, _) -> true), OPERANDS + body))
        .isEqualTo(Passes.apply(graph -> graph, OPERANDS + body));
  }

  /// A node of several results is no product, wherever it stands.
  @Test
  void besideNodesOfSeveralResults() {
    String after =
        joined(
            """
              const %four: f32[4] = [1.0, 2.0, 3.0, 4.0]
              const %trips: i64[] = [1]
              const %go: bool[] = [true]
              %q: f32[N,3,2] = matmul(%x, %wq)
              %k: f32[N,3,2] = matmul(%x, %wk)
              %v: f32[N,3,1] = matmul(%x, %wv)
              %l: f32[4], %r: f32[1,4] = loop(%trips, %go, %four) {carried=1, iterations=1} graph "body" {
                input %i: i64[]
                input %a: f32[4]
                const %again: bool[] = [true]
                output %again
                output %a
                output %a
              }
              output %l
              output %r
            """
                + ATTENTION);
    assertThat(after).contains("%\"q and others\": f32[N,3,5] = matmul").contains("= loop(");
  }

  private static final String BRANCHES =
      """
        input %x: f32[N,1,3,3]
        const %w1: f32[2,1,1,1] = [1.0, 2.0]
        const %w2: f32[1,1,1,1] = [3.0]
        const %w3: f32[1,2,1,1] = [4.0, 5.0]
        const %w4: f32[1,1,3,3] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]
        const %b1: f32[2,1,1] = [0.5, 0.25]
        const %b2: f32[1,1,1] = [1.5]
      """;

  private static final String BEHIND =
      """
        %y: f32[N,1,3,3] = conv(%p, %w3) {kernel=[1,1]}
        %z: f32[N,1,1,1] = conv(%q, %w4) {kernel=[3,3]}
        output %y
        output %z
      """;

  private static String branches(String body) {
    return Passes.apply(new JoinProducts(Passes::evaluate, WANTS), BRANCHES + body);
  }

  @Test
  void filtersOfOneWindowStandOnTopOfEachOther() {
    String after =
        branches(
            """
              %p: f32[N,2,3,3] = conv(%x, %w1) {kernel=[1,1]} epilogue(%b1) { max(a0 + a1, 0.0) }
              %q: f32[N,1,3,3] = conv(%x, %w2) {kernel=[1,1]} epilogue(%b2) { max(a0 + a1, 0.0) }
            """
                + BEHIND);
    assertThat(after)
        .contains(
            "const %\"w1 and others\": f32[3,1,1,1] = [1.0, 2.0, 3.0]",
            "const %\"b1 and others\": f32[3,1,1] = [0.5, 0.25, 1.5]",
            "%\"p and others\": f32[N,3,3,3] = conv(%x, %\"w1 and others\") {kernel=[1,1]} epilogue(%\"b1 and others\")",
            "%p: f32[N,2,3,3] = slice(%\"p and others\")",
            "%q: f32[N,1,3,3] = slice(%\"p and others\") {starts=[0,2,0,0]}")
        .doesNotContain("const %w1:", "const %b2:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // something else than a convolution reads one of them, too
        "%p: f32[N,2,3,3] = conv(%x, %w1) {kernel=[1,1]}\n%q: f32[N,1,3,3] = conv(%x, %w2) {kernel=[1,1]}\noutput %q",
        // other epilogues
        "%p: f32[N,2,3,3] = conv(%x, %w1) {kernel=[1,1]}\n%q: f32[N,1,3,3] = conv(%x, %w2) {kernel=[1,1]} epilogue { max(a0, 0.0) }",
        // another window
        "%p: f32[N,2,3,3] = conv(%x, %w1) {kernel=[1,1]}\n%q: f32[N,1,3,3] = conv(%x, %w4) {kernel=[3,3], padsBegin=[1,1], padsEnd=[1,1]}",
        // an epilogue that reads more than a number for each channel
        "%p: f32[N,2,3,3] = conv(%x, %w1) {kernel=[1,1]} epilogue(%x) { a0 + a1 }\n%q: f32[N,1,3,3] = conv(%x, %w2) {kernel=[1,1]} epilogue(%x) { a0 + a1 }"
      })
  void otherConvolutions(String branches) {
    String body = branches + "\n" + BEHIND;
    assertThat(branches(body)).isEqualTo(Passes.apply(new DeadCode(), BRANCHES + body));
  }
}
