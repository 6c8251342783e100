package io.miniinference.plan.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.layout.Movement;
import io.miniinference.plan.Array;
import io.miniinference.plan.Body;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.ProgramBuilder;
import io.miniinference.plan.RandomPrograms;
import io.miniinference.plan.Step;
import io.miniinference.plan.planner.Planner;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

final class CertificateTest {
  private static final PlanHeader FACTS = new PlanHeader("m \"1\" <&>", "jvm", 7, 9, 3, 0, 1.25);

  private final ProgramBuilder p = new ProgramBuilder();

  private static Certificate certificate(Program program) {
    return Certificate.of(Planner.planAt(program, 2, PlanOptions.upTo(2)), 2, FACTS);
  }

  private Program chain() {
    Array x = p.input("x", Affine.N, 512);
    Array a = p.compute(p.floats("a", Affine.N, 512), x, p.weights("w", 512, 512));
    Array r = p.elementwise(p.floats("r", Affine.N, 512), a);
    Array flat = p.view("flat", r, new Movement.Reshape(ProgramBuilder.shape(Affine.batch(512))));
    return p.build(p.compute(p.floats("y", Affine.N, 10), flat));
  }

  @Test
  void jsonHasTheFieldsOthersRelyOn() {
    assertThat(certificate(chain()).json())
        .isEqualTo(
            """
            {"model":"m \\"1\\" <&>","device":"jvm","batch":2,"naiveBytes":12288,\
            "plannedBytes":8192,"lowerBoundBytes":8192,"placementBoundBytes":8192,\
            "failureBytes":0,"weightBytes":7,"reservedBytes":9,"copies":0,"conversions":0,\
            "launches":3,"hostSyncs":0,"planningMillis":1.250,"steps":[\
            {"step":0,"name":"a","op":"MatMul","kind":"compute","reads":["x","w"],"writes":["a"],"bytes":4096},\
            {"step":1,"name":"r","op":"Add","kind":"compute","reads":["a"],"writes":["r"],"bytes":4096},\
            {"step":2,"name":"flat","op":"View","kind":"view","reads":["r"],"writes":["flat"],"bytes":0},\
            {"step":3,"name":"y","op":"MatMul","kind":"compute","reads":["flat"],"writes":["y"],"bytes":80}],\
            "tensors":[\
            {"name":"x","bytes":4096,"offset":4096,"firstUse":0,"lastUse":0,"aliasOf":null},\
            {"name":"a","bytes":4096,"offset":0,"firstUse":0,"lastUse":1,"aliasOf":null},\
            {"name":"r","bytes":4096,"offset":0,"firstUse":1,"lastUse":1,"aliasOf":"a"},\
            {"name":"flat","bytes":4096,"offset":0,"firstUse":2,"lastUse":3,"aliasOf":"r"},\
            {"name":"y","bytes":80,"offset":4096,"firstUse":3,"lastUse":3,"aliasOf":null}],\
            "refused":[]}\
            """);
  }

  @Test
  void refusedMergesCarryTheirCondition() {
    Array x = p.input("x", 512);
    Array a = p.elementwise(p.floats("a", 512), x);
    assertThat(certificate(p.build(a, x)).json())
        .endsWith("\"refused\":[{\"merge\":\"x -> a\",\"condition\":\"SC1\"}]}");
  }

  @Test
  void smallCopiesAreNotCountedAndConversionsAre() {
    Array x = p.input("x", 512);
    Array tiny = p.input("tiny", 4);
    Array a = p.floats("a", 512);
    Array b = p.floats("b", 4);
    Array c = p.floats("c", 512);
    p.step("Transpose", Step.Kind.COPY, List.of(x), List.of(a), List.of(), List.of());
    p.step("Transpose", Step.Kind.COPY, List.of(tiny), List.of(b), List.of(), List.of());
    p.step("Reorder", Step.Kind.CONVERT, List.of(a), List.of(c), List.of(), List.of());
    PlanOptions options = PlanOptions.upTo(2).withoutCoalescing();
    Certificate certificate = Certificate.of(Planner.planAt(p.build(b, c), 2, options), 2, FACTS);
    assertThat(certificate.copies()).isEqualTo(1);
    assertThat(certificate.conversions()).isEqualTo(1);
  }

  @Test
  void textShowsFiguresBarsAndThePeak() {
    assertThat(certificate(chain()).text())
        .contains("planned                    8,192 B   the arena of one request, 1.5 times less")
        .contains(
            """
            step  0           offset        bytes
            x     █░░░         4,096        4,096
            a     ██░░             0        4,096
            r     ░███             0        4,096  over a
            y     ░░░█         4,096           80
            """)
        .contains("live at the peak, step 0:\n         4,096 B  x\n         4,096 B  a\n");
  }

  @Test
  void theBlockOfAConcatenationBelongsToItsResult() {
    Array x = p.input("x", 2, 512);
    Array whole = p.floats("whole", 2, 1024);
    Array left = p.compute(p.part("left", whole, 1, 0, 512), x);
    Array right = p.compute(p.part("right", whole, 1, 512, 512), x);
    p.assemble(whole, left, right);
    assertThat(certificate(p.build(whole)).json())
        .contains(
            "\"name\":\"left\",\"bytes\":4096,\"offset\":0,\"firstUse\":0,\"lastUse\":0,\"aliasOf\":\"whole\"")
        .contains(
            "\"name\":\"right\",\"bytes\":4096,\"offset\":2048,\"firstUse\":1,\"lastUse\":1,\"aliasOf\":\"whole\"")
        .contains(
            "\"name\":\"whole\",\"bytes\":8192,\"offset\":0,\"firstUse\":2,\"lastUse\":2,\"aliasOf\":null");
  }

  @Test
  void theLowerBoundCountsElementsNotBlocks() {
    Array x = p.input("x", 1024);
    Array half =
        p.view("half", x, x.index().slice(0, Affine.ZERO, 1, Affine.of(512)).orElseThrow());
    Array a = p.compute(p.floats("a", 64), x);
    Array b = p.compute(p.floats("b", 1024), a);
    Certificate certificate = certificate(p.build(p.compute(p.floats("c", 64), half, b)));
    assertThat(certificate.lowerBoundBytes()).isEqualTo(2048 + 4096 + 256);
    assertThat(certificate.placementBoundBytes()).isEqualTo(4096 + 4096 + 256);
  }

  @Test
  void theLowerBoundDoesNotAddUpBranches() {
    Array x = p.input("x", 16);
    Array large = p.compute(p.floats("large", 1024), x);
    int at = p.nextNumber();
    p.openBody();
    Array a = p.compute(p.floats("if.t/a", 1024), x);
    Body then = p.closeBody("if.t/", Body.Kind.BRANCH, List.of(), List.of(a));
    p.openBody();
    Array b = p.compute(p.floats("if.e/b", 1024), large);
    Body otherwise = p.closeBody("if.e/", Body.Kind.BRANCH, List.of(), List.of(b));
    Array z = p.floats("z", 1024);
    p.branch(at, x, z, then, otherwise);
    Certificate certificate = certificate(p.build(z));
    assertThat(certificate.lowerBoundBytes()).isEqualTo(2 * 4096);
  }

  @Test
  void theLowerBoundIsNeverAboveAnyPlan() {
    for (long seed = 0; seed < 300; seed++) {
      Certificate certificate = certificate(RandomPrograms.of(seed, 4 + (int) (seed % 24)));
      assertThat(certificate.lowerBoundBytes())
          .as("seed %d", seed)
          .isLessThanOrEqualTo(certificate.plannedBytes());
      assertThat(certificate.placementBoundBytes())
          .as("seed %d", seed)
          .isLessThanOrEqualTo(certificate.plannedBytes());
    }
  }

  @Test
  void thePictureIsWellFormedAndNamesEveryBlock() throws Exception {
    for (long seed = 0; seed < 20; seed++) {
      String svg = certificate(RandomPrograms.of(seed, 20)).svg();
      var document =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new InputSource(new StringReader(svg)));
      assertThat(document.getElementsByTagName("title").getLength())
          .as("seed %d", seed)
          .isGreaterThan(2);
    }
    assertThat(certificate(chain()).svg())
        .contains("m &quot;1&quot; &lt;&amp;&gt;")
        .contains("<title>r: 4,096 B at 0, steps 1 to 3\nwritten over a\nread as flat</title>")
        .contains("r is written over a");
  }

  @Test
  void blockedLayoutsCountTheirPadding() {
    IndexFunction blocked = IndexFunction.blocked(ProgramBuilder.shape(Affine.N, 3, 8, 8), 1, 16);
    Array x = p.input(p.fresh("x", blocked, 4));
    Certificate certificate = certificate(p.build(p.compute(p.floats("y", 1), x)));
    assertThat(certificate.plannedBytes()).isEqualTo(2 * 16 * 64 * 4 + 256);
    assertThat(certificate.naiveBytes()).isEqualTo(2 * 3 * 64 * 4);
  }

  @Test
  void naiveBytesCountWholeBlocksAndNothingSmaller() {
    Array x = p.input("x", 65);
    Array tiny = p.compute(p.floats("tiny", 63), x);
    Array y = p.compute(p.floats("y", 64), x, tiny);
    assertThat(certificate(p.build(y)).naiveBytes()).isEqualTo(512 + 0 + 256);
  }
}
