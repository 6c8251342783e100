package io.miniinference.plan.certificate;

import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.Merge;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import io.miniinference.plan.live.Lifetimes;
import io.miniinference.plan.live.LiveRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A block of the source program as it is drawn: a bar in time at its address, wherever merges have
/// put it.
///
/// @param offsetBytes its first byte in the arena
/// @param sizeBytes its bytes, padding included
/// @param spanBytes from its first byte to its last; more than its size where it is a part with
///   gaps
/// @param over name of the tensor that it is written over, empty if none
/// @param into name of the tensor in whose place it is built, empty if none
/// @param rows the rows of a loop's result, of which it is another one in each iteration (the bar
///   is the first); null for what stays where it is
/// @param tensors the uses of everything in it
record Bar(
    Block block,
    Role role,
    LiveRange range,
    long offsetBytes,
    long sizeBytes,
    long spanBytes,
    String over,
    String into,
    @Nullable Rows rows,
    List<TensorUse> tensors) {

  /// All rows of a loop's result.
  ///
  /// @param offsetBytes the first byte of the first row, in the arena
  /// @param sizeBytes of all rows
  record Rows(String name, long offsetBytes, long sizeBytes) {}

  enum Role {
    INPUT,
    BETWEEN,
    SCRATCH,
    OUTPUT
  }

  String name() {
    boolean known = tensors.stream().anyMatch(t -> t.array().name().equals(block.name()));
    return known || tensors.isEmpty() ? block.name() : tensors.getFirst().array().name();
  }

  boolean hasGaps() {
    return spanBytes > sizeBytes;
  }

  /// Whether something is read in it under another name, other than what it is written over.
  boolean hasViews() {
    return tensors.stream().anyMatch(this::isView);
  }

  boolean isView(TensorUse tensor) {
    return tensor.aliasOf() != null
        && !tensor.aliasOf().equals(over)
        && !tensor.array().name().equals(name());
  }

  boolean isLiveAt(int tick) {
    return range.first() <= tick && tick <= range.last();
  }

  /// The bars of all blocks that are used, by first use, then address.
  static List<Bar> of(Certificate certificate) {
    return new Collector(certificate).collect();
  }

  private static final class Collector {
    private final Certificate certificate;
    private final Program source;
    private final Map<Integer, String> over = new HashMap<>();
    private final Map<Integer, String> into = new HashMap<>();
    private final Snapshot snapshot;
    private final Map<Integer, Array> places = new HashMap<>();
    private final Map<Integer, Rows> rows = new HashMap<>();
    private final Map<String, Integer> homes = new HashMap<>();

    Collector(Certificate certificate) {
      this.certificate = certificate;
      source = certificate.plan().source();
      snapshot = new Snapshot(certificate.plan());
      collect(source.body(), certificate.plan().program().body());
      certificate.plan().merges().forEach(this::note);
    }

    private void note(Merge merge) {
      if (merge.isCopy()) {
        into.put(merge.source().block().id(), merge.destination().block().name());
      } else {
        over.put(merge.destination().block().id(), merge.source().name());
      }
    }

    private void collect(Body body, Body planned) {
      collect(body.parameters(), planned.parameters());
      for (int i = 0; i < body.steps().size(); i++) {
        Step step = body.steps().get(i);
        Step there = planned.steps().get(i);
        collect(step.reads(), there.reads());
        collect(step.writes(), there.writes());
        for (int b = 0; b < step.bodies().size(); b++) {
          collect(step.bodies().get(b), there.bodies().get(b));
        }
      }
      collect(body.results(), planned.results());
    }

    private void collect(List<Array> arrays, List<Array> planned) {
      for (int i = 0; i < arrays.size(); i++) {
        Array array = arrays.get(i);
        place(array.block(), planned.get(i).whole());
        homes.putIfAbsent(array.name(), array.block().id());
      }
    }

    /* A parameter that moves is drawn as what it is after the first iteration, by its own name. */
    private void place(Block block, Array there) {
      Optional<Array> all = snapshot.rows(there.block());
      if (!block.isMoving() && (all.isPresent() || !there.block().isMoving())) {
        snapshot.of(there).ifPresent(array -> places.putIfAbsent(block.id(), array));
        all.ifPresent(array -> rows.putIfAbsent(block.id(), rows(array)));
      }
    }

    private Rows rows(Array all) {
      long batch = certificate.batch();
      return new Rows(
          all.name(),
          certificate.placement().offsetBytes(all.block()) + all.offsetBytes().at(batch),
          all.denseBytes(batch));
    }

    List<Bar> collect() {
      Map<Integer, List<TensorUse>> inside =
          certificate.tensors().stream()
              .filter(t -> homes.containsKey(t.array().name()))
              .collect(Collectors.groupingBy(t -> homes.get(t.array().name())));
      Set<Integer> inputs = blocks(source.body().parameters());
      Set<Integer> outputs = blocks(source.body().results());
      Lifetimes lifetimes = Lifetimes.of(source);
      List<Bar> bars = new ArrayList<>();
      for (Block block : source.blocks()) {
        LiveRange range = lifetimes.range(block.id());
        boolean holds = inside.containsKey(block.id());
        if (range != null && block.isPlanned()) {
          Role role = role(block, inputs, outputs, holds);
          Bar bar = bar(block, role, range, inside.getOrDefault(block.id(), List.of()));
          if (bar != null) {
            bars.add(bar);
          }
        }
      }
      bars.sort(
          Comparator.<Bar>comparingInt(bar -> bar.range.first())
              .thenComparingLong(Bar::offsetBytes));
      return bars;
    }

    private @Nullable Bar bar(Block block, Role role, LiveRange range, List<TensorUse> tensors) {
      Array place = places.get(block.id());
      Block host = place == null ? block : place.block();
      if (!certificate.placement().isPlaced(host)) {
        return null;
      }
      long batch = certificate.batch();
      long size = block.sizeBytes().at(batch);
      long first = 0;
      long span = size;
      if (place != null && host.id() != block.id()) {
        first = place.offsetBytes().at(batch);
        span = place.index().spanElements(batch) * place.elementBytes() - first;
      }
      return new Bar(
          block,
          role,
          range,
          certificate.placement().offsetBytes(host) + first,
          size,
          span,
          over.getOrDefault(block.id(), ""),
          into.getOrDefault(block.id(), ""),
          rows.get(block.id()),
          tensors);
    }

    private static Set<Integer> blocks(List<Array> arrays) {
      return new HashSet<>(arrays.stream().map(a -> a.block().id()).toList());
    }

    private static Role role(
        Block block, Set<Integer> inputs, Set<Integer> outputs, boolean holdsTensors) {
      if (outputs.contains(block.id())) {
        return Role.OUTPUT;
      }
      if (inputs.contains(block.id())) {
        return Role.INPUT;
      }
      return holdsTensors ? Role.BETWEEN : Role.SCRATCH;
    }
  }
}
