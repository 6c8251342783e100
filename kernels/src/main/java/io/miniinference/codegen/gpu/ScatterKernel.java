package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.IndexTupleText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
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
/// elements and takes its updates in their order, so that nothing depends on who comes first. A bad
/// tuple has a number, too, so that its owner alone asks whether it is bad.
final class ScatterKernel {
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
    KernelText text = s.text();
    long owners = owners();
    Decoding decoding = decoding(owners);
    Elements.openItem(text, decoding);
    tuple.openLoops(taken);
    for (int axis : taken) {
      String i = "i" + axis;
      String extent = IndexText.affine(moved.get(axis));
      text.open("for (long " + i + " = 0; " + i + " < " + extent + "; " + i + "++)");
    }
    List<Coordinate> at = axes().mapToObj(a -> Coordinate.of("i" + a)).toList();
    tuple.read(at);
    if (owners > 1) {
      text.open("if (" + tuple.number() + " % " + owners + "u == (uint)owner)");
    }
    tuple.judgeInLoop(taken, at);
    tuple.update(op.kind(), at);
    if (owners > 1) {
      text.close();
    }
    taken.forEach(_ -> text.close());
    tuple.closeLoops(taken, at);
    return new KernelText.Written(text, Elements.items(decoding.count()));
  }

  private Decoding decoding(long owners) {
    List<Decoding.Coordinate> coordinates = new ArrayList<>();
    if (owners > 1) {
      coordinates.add(new Decoding.Coordinate("owner", Affine.of(owners)));
    }
    own.forEach(axis -> coordinates.add(new Decoding.Coordinate("i" + axis, moved.get(axis))));
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
