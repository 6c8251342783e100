package io.miniinference.codegen;

import io.miniinference.ir.Expr;
import io.miniinference.layout.Affine;
import io.miniinference.lower.FailurePoint;
import io.miniinference.lower.FailureSlot;
import java.util.List;

/// OpenCL C text of the check of an elementwise step that divides integers. The quotients
/// themselves are safe whatever the divisor is ([Prelude]); a work item that divides by zero looks
/// for the first such place of its row and reports that.
public final class DivisionText {
  private DivisionText() {}

  /// Statements for the element at `at`; none if the step cannot fail.
  ///
  /// @param failures block id of the failure slots
  public static void check(StepText s, List<Coordinate> at, int failures) {
    FailurePoint point = s.step().failure();
    Expr byZero = point == null ? null : point.divisionByZero();
    if (point == null || byZero == null) {
      return;
    }
    List<Affine> shape = s.step().node().output().type().shape();
    KernelText text = s.text();
    text.bytes("failures", failures);
    text.open("if (" + s.expression(byZero, at) + ")");
    text.line("const long position = " + IndexText.position(shape, at) + ";");
    FailureText.Probe probe =
        new FailureText.Probe(
            "",
            "",
            s.expression(byZero, IndexText.coordinates(shape, "scan")),
            new FailureText.Claim(FailureSlot.KIND_DIVISION, "0", "0, 0, 0"));
    Affine elements = s.step().node().output().type().elements();
    text.line(FailureText.report(point, IndexText.affine(elements), probe));
    text.close();
  }
}
