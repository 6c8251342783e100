package io.miniinference.codegen;

import io.miniinference.ir.Expr;
import io.miniinference.ir.TensorType;
import io.miniinference.lower.FailurePoint;
import io.miniinference.lower.FailureSlot;
import java.util.List;

/// OpenCL C text of the check of an elementwise step that divides integers. The quotients
/// themselves are safe whatever the divisor is ([io.miniinference.codegen.program.Prelude]); a work
/// item that divides by zero looks for the first such place of its row and reports that.
public final class DivisionText {
  private static final Template CHECK =
      Template.of(
          "check of a divisor",
          """
          if ($isZero) {
            const long position = $position;
            $report
          }
          """);

  private DivisionText() {}

  /// Statements for the element at `at`; none if the step cannot fail.
  ///
  /// @param failures block id of the failure slots
  public static String check(StepText s, List<Coordinate> at, int failures) {
    FailurePoint point = s.step().failure();
    Expr byZero = point == null ? null : point.divisionByZero();
    if (point == null || byZero == null) {
      return "";
    }
    TensorType output = s.step().node().output().type();
    s.text().bytes("failures", failures);
    String scanned = s.expression(byZero, IndexText.coordinates(output.shape(), "scan"));
    String elements = IndexText.affine(output.elements());
    return CHECK
        .with("isZero", s.expression(byZero, at))
        .with("position", IndexText.position(output.shape(), at))
        .with("report", FailureText.report(point, elements, probe(scanned)))
        .text();
  }

  private static FailureText.Probe probe(String isZero) {
    return new FailureText.Probe(
        "", "", isZero, new FailureText.Claim(FailureSlot.KIND_DIVISION, "0", "0, 0, 0"));
  }
}
