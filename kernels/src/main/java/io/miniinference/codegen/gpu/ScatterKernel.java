package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.IndexTupleText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.TuplesAhead;
import io.miniinference.codegen.gpu.tile.Decoding;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Op;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Scatter, into the copy of the data that lies where the result does. Each element of the result
/// has one work item as its owner: that of its places on the axes that are not indexed and, where
/// those are few, of the number of its tuple. An owner looks at all tuples that may name its
/// elements and takes its updates in their order, so that nothing depends on which comes first.
/// Whether a tuple is bad is asked of the owner's own, and behind the updates of a share of all.
/// Many tuples that replace are better off as a [ClaimedScatter].
final class ScatterKernel {
  private static final String HEAD =
      """
      A work item owns the elements of the result at its places on the axes that are not indexed and, where those are
      few, of its share of the tuples' numbers: it looks at all tuples and takes its own updates in their order, so
      that no two work items write one element. The data is there already, copied.
      """;

  /// Work items that there should be, as far as the places that can be named allow.
  private static final long ENOUGH = 1024;

  /// Fewest updates that are worth several owners.
  private static final long MANY = 16;

  /// Batch size for which a number of owners is chosen.
  private static final long TYPICAL_BATCH = 16;

  private final StepText s;
  private final Op.Scatter op;
  private final IndexTupleText tuple;
  private final List<Affine> moved;
  private final List<Integer> own;
  private final List<Integer> taken;

  private ScatterKernel(LoweredStep step, Op.Scatter op, int failures) {
    this.s = new StepText(step, Elements.LOCAL);
    s.text().head(HEAD);
    this.op = op;
    this.tuple = new IndexTupleText(s, op.selection(), IndexBounds.EITHER_END, failures);
    this.moved = step.node().inputs().get(2).type().shape();
    this.own = axes().filter(tuple.addressing()::isKept).boxed().toList();
    this.taken = axes().filter(a -> !tuple.addressing().isKept(a)).boxed().toList();
  }

  private IntStream axes() {
    return IntStream.range(0, moved.size());
  }

  /// @param failures block id of the failure slots
  static KernelText.Written write(LoweredStep step, Op.Scatter op, int failures) {
    return new ScatterKernel(step, op, failures).write();
  }

  private KernelText.Written write() {
    long owners = owners();
    Decoding decoding = decoding(owners);
    String updates = owners > 1 ? takeOwn(owners) : takeAll();
    s.text()
        .line(
            Statements.of(
                Elements.item(decoding),
                tuple.openLoops(taken),
                updates,
                tuple.closeLoops(taken, at())));
    return new KernelText.Written(s.text(), Elements.items(decoding.count()));
  }

  private List<Coordinate> at() {
    return axes().mapToObj(a -> Coordinate.of("i" + a)).toList();
  }

  private String takeAll() {
    return over(
        taken,
        Statements.of(
            tuple.read(at()), tuple.judgeInLoop(taken, at()), tuple.update(op.kind(), at())));
  }

  private static final Template LOOP =
      Template.of(
          "loop over updates",
          """
          for (long i$axis = $first; i$axis < $extent; i$axis += $step) {
            $body
          }
          """);

  private String over(List<Integer> axes, String body) {
    String text = body;
    for (int axis : axes.reversed()) {
      text = over(axis, "0", 1, text);
    }
    return text;
  }

  private String over(int axis, String first, long step, String body) {
    return LOOP.with("axis", axis)
        .with("first", first)
        .with("extent", IndexText.affine(moved.get(axis)))
        .with("step", step)
        .with("body", body)
        .text();
  }

  private static final Template IF_OWN =
      Template.of(
          "update of an owner",
          """
          if ($isOwn) {
            $update
          }
          """);

  private String takeOwn(long owners) {
    List<Integer> outer = taken.subList(0, taken.size() - 1);
    int last = taken.getLast();
    var ahead = new TuplesAhead(tuple, last, moved.get(last));
    String updates = over(outer, ahead.over(at(), ifOwn(ahead, owners)));
    return tuple.isMarked(taken) ? Statements.of(updates, testShare(outer, last, owners)) : updates;
  }

  private String ifOwn(TuplesAhead ahead, long owners) {
    boolean isMarked = tuple.isMarked(taken);
    String own = ahead.isThereAnd(tuple.number() + " % " + owners + "u == (uint)owner");
    String update =
        isMarked
            ? tuple.inBounds(true).update(op.kind(), at())
            : Statements.of(tuple.judgeInLoop(taken, at()), tuple.update(op.kind(), at()));
    return IF_OWN
        .with("isOwn", own + (isMarked ? " && " + tuple.isInBounds() : ""))
        .with("update", update)
        .text();
  }

  /* Each owner tests every so many tuples, those of others among them. */
  private String testShare(List<Integer> outer, int last, long owners) {
    return over(outer, over(last, "owner", owners, tuple.noteOnly(at())));
  }

  /* Neighbours are owners of the same line, who read the same tuples at the same time; where a tuple
  names several elements, they are neighbours in those. */
  private Decoding decoding(long owners) {
    List<Decoding.Coordinate> coordinates = new ArrayList<>();
    own.forEach(axis -> coordinates.add(new Decoding.Coordinate("i" + axis, moved.get(axis))));
    if (owners > 1) {
      int before = (int) own.stream().filter(axis -> axis < taken.getFirst()).count();
      coordinates.add(before, new Decoding.Coordinate("owner", Affine.of(owners)));
    }
    return new Decoding(coordinates);
  }

  /* How many work items share the elements at the same places on axes that are not indexed. */
  private long owners() {
    long lines = size(own);
    long most = Math.min(tuple.places().at(TYPICAL_BATCH), size(taken));
    long wanted = lines == 0 ? 1 : Math.min(ENOUGH / lines, most);
    return size(taken) < MANY || wanted < 2 ? 1 : Long.highestOneBit(wanted);
  }

  private long size(List<Integer> axes) {
    return axes.stream().map(moved::get).reduce(Affine.ONE, Affine::times).at(TYPICAL_BATCH);
  }
}
