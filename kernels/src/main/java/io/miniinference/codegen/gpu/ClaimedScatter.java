package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.IndexTupleText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.Decoding;
import io.miniinference.ir.Addressing;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.LoweredStep;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// A Scatter of many tuples that replaces, into the copy of the data that lies where the result
/// does. The last tuple that names a place is to stay there: each tuple claims its place with its
/// number, of which the highest stays, and then those that have their place store their updates. So
/// no two work items write one element, and nothing depends on which comes first.
///
/// ```
/// tuples   3 0 3 5
/// claims   . . . .     a word for each place, of which tuples set theirs to 0
///          2 . 3 4     the highest number of a tuple there, counted from 1
/// result   updates 1, 2 and 3; update 0 has lost its place
/// ```
record ClaimedScatter() implements GpuStrategy.Several {
  /// Fewest tuples for which two more launches are worth it: otherwise each owner of elements looks
  /// at all of them ([ScatterKernel]).
  private static final long MANY = 192;

  /// Most tuples, and most of a row: their numbers fit a word.
  private static final long MOST = Integer.MAX_VALUE;

  private static final long MOST_OF_ROW = 1 << 16;

  private static final Template FREE =
      Template.of(
          "place that may be claimed",
          """
          $check
          if ($ok) @atomicSet(&claims[$place], 0u);
          """);

  private static final Template CLAIM =
      Template.of(
          "claim of a place",
          """
          $look
          if ($ok) @atomicMax(&claims[$place], (uint)($number) + 1u);
          """);

  private static final Template STORE =
      Template.of(
          "update of a tuple that has its place",
          """
          $look
          if ($ok && claims[$place] == (uint)($number) + 1u) {
            $update
          }
          """);

  /// The axes and sizes of a step's operands.
  ///
  /// @param moved the shape of the updates
  /// @param data the shape of what they go into
  private record Sizes(Addressing addressing, List<Affine> moved, List<Affine> data) {
    static Sizes of(Node node, Op.Scatter op) {
      List<Value> operands = node.inputs();
      return new Sizes(
          Addressing.of(op.selection(), operands.get(0).type(), operands.get(1).type()),
          operands.get(2).type().shape(),
          operands.get(0).type().shape());
    }

    private List<Integer> axes(IntPredicate which) {
      return IntStream.range(0, moved.size()).filter(which).boxed().toList();
    }

    List<Integer> all() {
      return axes(_ -> true);
    }

    /* Axes of the moved array whose indices tell tuples apart. */
    List<Integer> ofTuples() {
      return axes(axis -> !addressing.sharesTuple(axis));
    }

    /* Those of tuples that may name the same place. */
    List<Integer> ofRivals() {
      return axes(axis -> !addressing.isKept(axis));
    }

    /* Axes of the data along which places differ for different tuples. */
    List<Integer> ofPlaces() {
      return IntStream.range(0, data.size())
          .filter(axis -> {
            int moved = addressing.movedAxis(axis);
            return moved < 0 || !addressing.sharesTuple(moved);
          })
          .boxed()
          .toList();
    }

    Affine rivals() {
      return product(ofRivals(), moved);
    }

    Affine places() {
      return product(ofPlaces(), data);
    }

    private static Affine product(List<Integer> axes, List<Affine> shape) {
      return axes.stream().map(shape::get).reduce(Affine.ONE, Affine::times);
    }
  }

  /// Whether it is worth it, and possible.
  static boolean suits(Node node, Op.Scatter op) {
    Sizes sizes = Sizes.of(node, op);
    Affine rivals = sizes.rivals();
    Affine places = sizes.places();
    return op.kind() == Op.ScatterKind.REPLACE
        && places.constant() + places.perBatch() > 0
        && rivals.typical() + rivals.perBatch() >= MANY
        && rivals.constant() <= MOST
        && rivals.perBatch() <= MOST_OF_ROW;
  }

  /// @param plain how operands and result lie
  static KernelChoice<GpuStrategy> choice(
      Node node, Op.Scatter op, KernelChoice<GpuStrategy> plain) {
    Affine bytes = Sizes.of(node, op).places().times(Integer.BYTES);
    return new KernelChoice<>(
        new ClaimedScatter(),
        plain.inputs(),
        plain.packings(),
        plain.output(),
        plain.epilogueInPlace(),
        List.of(new KernelChoice.Scratch("claims", bytes)));
  }

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return Algorithm.of("tuples claim their places");
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    return List.of(
        new Kernel(step, failures, "A work item frees the place that its tuple names.").free(),
        new Kernel(step, failures, "A work item claims the place that its tuple names.").claim(),
        new Kernel(step, failures, "A work item stores an update if its tuple has its place.")
            .store());
  }

  /// One of the kernels.
  private static final class Kernel {
    private final Op.Scatter op;
    private final Sizes sizes;
    private final StepText s;
    private final IndexTupleText tuple;
    private final List<Coordinate> at;

    Kernel(LoweredStep step, int failures, String head) {
      op = (Op.Scatter) step.node().op();
      sizes = Sizes.of(step.node(), op);
      s = new StepText(step, Elements.LOCAL);
      s.text().head(head);
      s.text().entries("claims", "uint", step.scratch().getFirst().id());
      tuple = new IndexTupleText(s, op.selection(), IndexBounds.EITHER_END, failures);
      at = sizes.all().stream().map(axis -> Coordinate.of("i" + axis)).toList();
    }

    KernelText.Written free() {
      return write(
          sizes.ofTuples(),
          FREE.with("check", tuple.check(at)).with("ok", ok()).with("place", place()));
    }

    KernelText.Written claim() {
      return write(
          sizes.ofTuples(),
          CLAIM
              .with("look", tuple.look(at))
              .with("ok", ok())
              .with("place", place())
              .with("number", number()));
    }

    KernelText.Written store() {
      return write(
          sizes.all(),
          STORE
              .with("look", tuple.look(at))
              .with("ok", ok())
              .with("place", place())
              .with("number", number())
              .with("update", tuple.update(op.kind(), at)));
    }

    private KernelText.Written write(List<Integer> axes, Template.Filling body) {
      Decoding decoding = Decoding.of(sizes.moved, axes);
      s.text().line(Elements.item(decoding));
      s.text().add(body);
      return new KernelText.Written(s.text(), Elements.items(decoding.count()));
    }

    private String ok() {
      return tuple.mayNameNone() ? "ok" : "1";
    }

    private String place() {
      List<Coordinate> place = tuple.place(at);
      List<Integer> axes = sizes.ofPlaces();
      return IndexText.position(
          axes.stream().map(sizes.data::get).toList(), axes.stream().map(place::get).toList());
    }

    private String number() {
      List<Integer> axes = sizes.ofRivals();
      return IndexText.position(
          axes.stream().map(sizes.moved::get).toList(), axes.stream().map(at::get).toList());
    }
  }
}
