package io.miniinference.plan.live;

import io.miniinference.layout.IndexFunction;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The array that fills each block of a program, and where the others lie in it.
///
/// A block is *traced* if one index function, that of an array that is no view, fills it exactly
/// (thesis safety condition 4: a newly created array). It can be moved if all other arrays in it
/// are views of that one; of the others it is only known that they are somewhere in it.
public final class BaseArrays {
  private final @Nullable IndexFunction[] indices;
  private final BitSet loose = new BitSet();

  private BaseArrays(int blocks) {
    indices = new IndexFunction[blocks];
  }

  public static BaseArrays of(Program program) {
    BaseArrays wholes = new BaseArrays(program.blocks().size());
    List<Array> all = new ArrayList<>();
    collect(program.body(), all);
    List<Array> origins = all.stream().map(BaseArrays::origin).toList();
    origins.forEach(wholes::fill);
    origins.forEach(wholes::check);
    return wholes;
  }

  private static void collect(Body body, List<Array> all) {
    all.addAll(body.parameters());
    for (Step step : body.steps()) {
      all.addAll(step.reads());
      all.addAll(step.writes());
      step.bodies().forEach(nested -> collect(nested, all));
    }
    all.addAll(body.results());
  }

  private static Array origin(Array array) {
    Array at = array;
    for (Array.Origin o = at.origin(); o != null; o = at.origin()) {
      at = o.source();
    }
    return at;
  }

  private void fill(Array array) {
    int id = array.block().id();
    if (indices[id] == null && fills(array)) {
      indices[id] = array.index();
    }
  }

  private void check(Array array) {
    int id = array.block().id();
    if (!array.index().equals(indices[id])) {
      loose.set(id);
    }
  }

  private static boolean fills(Array array) {
    IndexFunction index = array.index();
    return index.offset().isZero()
        && index.denseElements().times(array.elementBytes()).equals(array.block().sizeBytes());
  }

  public boolean isTraced(Block block) {
    return indices[block.id()] != null;
  }

  /// Whether all arrays of the block are found again when it is moved.
  public boolean isMovable(Block block) {
    return isTraced(block) && !loose.get(block.id());
  }

  /// The index function of the array that fills the block.
  public IndexFunction index(int block) {
    IndexFunction index = indices[block];
    if (index == null) {
      throw new IllegalStateException("nothing is known to fill block " + block);
    }
    return index;
  }

  /// Where an array lies in its own block.
  public Region place(Array array) {
    int block = array.block().id();
    IndexFunction whole = indices[block];
    if (whole == null) {
      return new Region(Region.whole(List.of()).boxes(), true);
    }
    Array.Origin origin = array.origin();
    if (origin != null) {
      return place(origin.source()).then(origin.movement());
    }
    return new Region(Region.whole(whole.shape()).boxes(), !array.index().equals(whole));
  }
}
