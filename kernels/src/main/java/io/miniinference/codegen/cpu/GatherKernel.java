package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.FailureText;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.lower.FailurePoint;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Gather: a work item is one index (with everything after the gathered axis); it checks the index
/// once, and where it is bad reports it and stores zeros, so that nothing out of bounds is touched.
final class GatherKernel {
  private final LoweredStep step;
  private final Op.Gather op;
  private final StepText s;
  private final TensorType data;
  private final TensorType indices;

  private GatherKernel(LoweredStep step, Op.Gather op) {
    this.step = step;
    this.op = op;
    this.s = new StepText(step, 1);
    this.data = step.node().inputs().get(0).type();
    this.indices = step.node().inputs().get(1).type();
  }

  /// @param failures block id of the failure slots
  static KernelText.Written write(LoweredStep step, Op.Gather op, int failures) {
    return new GatherKernel(step, op).write(failures);
  }

  private KernelText.Written write(int failures) {
    s.text().bytes("failures", failures);
    Rows rows = new Rows(step.node().output().type().shape(), after());
    rows.openItem(s.text());
    List<Coordinate> at = rows.coordinates();
    String size = IndexText.affine(data.dim(op.axis()));
    s.text()
        .line(
            "long index = (long)"
                + s.read(1, at.subList(op.axis(), op.axis() + indices.rank()))
                + ";");
    s.text().line("const int ok = index >= -" + size + " && index < " + size + ";");
    s.text().open("if (!ok)");
    s.text().line("const long position = " + position(at) + ";");
    FailurePoint point = Objects.requireNonNull(step.failure());
    s.text()
        .line(
            FailureText.report(
                point, "position", IndexText.affine(indices.elements()), scanned(), size));
    s.text().close();
    rows.openRow(s.text());
    String read = s.read(0, dataCoordinates(at));
    s.text().line("const " + s.type(0).computed() + " result = ok ? " + read + " : 0;");
    s.store(s.epilogue("result", data.element(), at), at);
    rows.closeRow(s.text());
    return new KernelText.Written(s.text(), rows.work());
  }

  /* Output axes that come from data axes after the gathered one. */
  private List<Integer> after() {
    List<Integer> axes = new ArrayList<>();
    int first = op.axis() + indices.rank();
    for (int i = first; i < step.node().output().type().rank(); i++) {
      axes.add(i);
    }
    return axes;
  }

  private List<Coordinate> dataCoordinates(List<Coordinate> at) {
    List<Coordinate> result = new ArrayList<>(at.subList(0, op.axis()));
    String size = IndexText.affine(data.dim(op.axis()));
    result.add(Coordinate.of("(index < 0 ? index + " + size + " : index)"));
    result.addAll(at.subList(op.axis() + indices.rank(), at.size()));
    return result;
  }

  private String position(List<Coordinate> at) {
    String text = "0";
    for (int i = 0; i < indices.rank(); i++) {
      String extent = IndexText.affine(indices.dim(i));
      text = "(" + text + " * " + extent + " + " + at.get(op.axis() + i).whole() + ")";
    }
    return text;
  }

  /* The index at linear position `scan`. */
  private String scanned() {
    List<Coordinate> result = new ArrayList<>();
    Affine below = Affine.ONE;
    for (int i = indices.rank() - 1; i >= 0; i--) {
      String coordinate = "scan / " + IndexText.affine(below);
      result.addFirst(
          Coordinate.of(
              i == 0 ? coordinate : "(" + coordinate + ") % " + IndexText.affine(indices.dim(i))));
      below = below.times(indices.dim(i));
    }
    return "(long)" + s.read(1, result);
  }
}
