package io.miniinference.plan.coalesce;

import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Step;
import io.miniinference.plan.live.Dataflow;
import io.miniinference.plan.live.Region;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The arrays of a program where merged blocks put them: whole arrays get the index function of
/// their place in the host, views follow their source.
public final class Moved {
  private final AliasState sharing;
  private final int guest;
  private final int host;
  private final Region at;
  private final Map<Dataflow.Name, Base> pointers;
  private final Map<Array, Optional<Array>> arrays = new IdentityHashMap<>();

  /// As things stand.
  public Moved(AliasState sharing) {
    this(sharing, Map.of());
  }

  /// A block that moves, with what lies in another block from there on.
  ///
  /// @param offset of its first element in that block
  public record Base(Block block, Affine offset) {}

  /// As things stand, with some names in blocks that move.
  public Moved(AliasState sharing, Map<Dataflow.Name, Base> pointers) {
    this(sharing, -1, -1, Region.whole(List.of()), pointers);
  }

  /// As they would be if all of `guest` were at a place of `host`.
  public Moved(AliasState sharing, int guest, int host, Region at) {
    this(sharing, guest, host, at, Map.of());
  }

  private Moved(
      AliasState sharing, int guest, int host, Region at, Map<Dataflow.Name, Base> pointers) {
    this.pointers = pointers;
    this.sharing = sharing;
    this.guest = guest;
    this.host = host;
    this.at = at;
  }

  private int hostOf(int block) {
    int before = sharing.host(block);
    return before == guest ? host : before;
  }

  private Region placeOf(int block) {
    Region before = sharing.place(block);
    return sharing.host(block) == guest ? before.in(at) : before;
  }

  /// Where the array lies in its host.
  Region place(Array array) {
    Region before = sharing.place(array);
    return sharing.host(array) == guest ? before.in(at) : before;
  }

  /// Whether each element of the one is that of the other at the same index.
  boolean samePlace(Array a, Array b) {
    Region place = place(a);
    if (!place.spread() && place.equals(place(b))) {
      return isInOneBlock(a, b);
    }
    Optional<Array> there = array(a);
    Optional<Array> other = array(b);
    return isInOneBlock(a, b)
        && there.isPresent()
        && other.isPresent()
        && there.get().index().equivalent(other.get().index());
  }

  private boolean isInOneBlock(Array a, Array b) {
    return hostOf(a.block().id()) == hostOf(b.block().id());
  }

  /// Where the whole of the array's block lies in its host.
  Region wholePlace(Array array) {
    return placeOf(array.block().id());
  }

  /// The array in its host, or nothing where it has no index function there.
  public Optional<Array> array(Array array) {
    int block = array.block().id();
    if (!array.block().isPlanned() || (hostOf(block) == block && !isPointer(array))) {
      return Optional.of(array);
    }
    Optional<Array> known = arrays.get(array);
    if (known == null) {
      known = found(array);
      arrays.put(array, known);
    }
    return known;
  }

  private boolean isPointer(Array array) {
    return !pointers.isEmpty() && pointers.containsKey(Dataflow.name(array.whole()));
  }

  private Optional<Array> found(Array array) {
    Array.Origin origin = array.origin();
    if (origin != null) {
      return array(origin.source()).flatMap(s -> s.view(array.name(), origin.movement()));
    }
    Optional<Array> there = whole(array);
    Base base = pointers.get(Dataflow.name(array));
    return base == null ? there : there.map(a -> from(base, a));
  }

  private static Array from(Base base, Array array) {
    IndexFunction index = array.index().shifted(Affine.ZERO.minus(base.offset));
    return new Array(array.name(), base.block, index, array.elementBytes());
  }

  private Optional<Array> whole(Array array) {
    int block = array.block().id();
    if (hostOf(block) == block) {
      return Optional.of(array);
    }
    Block into = sharing.program().blocks().get(hostOf(block));
    Optional<IndexFunction> index = sharing.index(hostOf(block), placeOf(block));
    return index.map(i -> new Array(array.name(), into, i, array.elementBytes()));
  }

  /// The step with its arrays moved, or nothing where one of them cannot be.
  public Optional<Step> step(Step step) {
    Optional<List<Array>> reads = arrays(step.reads());
    Optional<List<Array>> writes = arrays(step.writes());
    return reads.flatMap(r -> writes.map(w -> step.with(r, w)));
  }

  public Optional<List<Array>> arrays(List<Array> all) {
    Array[] moved = new Array[all.size()];
    for (int i = 0; i < moved.length; i++) {
      Optional<Array> found = array(all.get(i));
      if (found.isEmpty()) {
        return Optional.empty();
      }
      moved[i] = found.get();
    }
    return Optional.of(List.of(moved));
  }
}
