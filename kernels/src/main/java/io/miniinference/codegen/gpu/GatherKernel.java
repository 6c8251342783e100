package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.FailureText;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Gather: each work item checks the index of its element. Only one that finds it bad looks for the
/// first bad index of its row and reports that, so that all who fail there write the same; it
/// stores zero and touches nothing out of bounds.
final class GatherKernel {
  private final LoweredStep step;
  private final Op.Gather op;
  private final StepText s;
  private final TensorType data;
  private final TensorType indices;
  private final Elements elements;

  private GatherKernel(LoweredStep step, Op.Gather op) {
    this.step = step;
    this.op = op;
    this.s = new StepText(step, Elements.LOCAL);
    this.data = step.node().inputs().get(0).type();
    this.indices = step.node().inputs().get(1).type();
    this.elements = new Elements(step.output().index());
  }

  /// @param failures block id of the failure slots
  static KernelText.Written write(LoweredStep step, Op.Gather op, int failures) {
    return new GatherKernel(step, op).write(failures);
  }

  private KernelText.Written write(int failures) {
    List<Coordinate> at = elements.coordinates();
    List<Coordinate> ofIndex = at.subList(op.axis(), op.axis() + indices.rank());
    String size = IndexText.affine(data.dim(op.axis()));
    KernelText text = s.text();
    text.bytes("failures", failures);
    elements.open(text);
    text.line("const long index = (long)" + s.read(1, ofIndex) + ";");
    text.line("const int ok = index >= -" + size + " && index < " + size + ";");
    text.open("if (!ok)");
    text.line("const long position = " + position(ofIndex) + ";");
    text.line(
        FailureText.report(
            Objects.requireNonNull(step.failure()),
            "position",
            IndexText.affine(indices.elements()),
            scanned(),
            size));
    text.close();
    String read = s.read(0, dataCoordinates(at));
    text.line("const " + s.type(0).computed() + " result = ok ? " + read + " : 0;");
    s.store(s.epilogue("result", data.element(), at), at);
    return new KernelText.Written(text, elements.work());
  }

  private List<Coordinate> dataCoordinates(List<Coordinate> at) {
    List<Coordinate> result = new ArrayList<>(at.subList(0, op.axis()));
    String size = IndexText.affine(data.dim(op.axis()));
    result.add(Coordinate.of("(index < 0 ? index + " + size + " : index)"));
    result.addAll(at.subList(op.axis() + indices.rank(), at.size()));
    return result;
  }

  private String position(List<Coordinate> ofIndex) {
    String text = "0L";
    for (int i = 0; i < indices.rank(); i++) {
      String extent = IndexText.affine(indices.dim(i));
      text = "(" + text + " * " + extent + " + " + ofIndex.get(i).whole() + ")";
    }
    return text;
  }

  /* The index at linear position `scan`. */
  private String scanned() {
    List<Coordinate> result = new ArrayList<>();
    Affine below = Affine.ONE;
    for (int i = indices.rank() - 1; i >= 0; i--) {
      String divided = "scan / " + IndexText.affine(below);
      result.addFirst(
          Coordinate.of(
              i == 0 ? divided : "(" + divided + ") % " + IndexText.affine(indices.dim(i))));
      below = below.times(indices.dim(i));
    }
    return "(long)" + s.read(1, result);
  }
}
