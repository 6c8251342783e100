package io.miniinference.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
    List<TensorUse> tensors) {

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
    private final Map<Integer, Array> places = new HashMap<>();
    private final Map<String, Integer> homes = new HashMap<>();

    Collector(Certificate certificate) {
      this.certificate = certificate;
      source = certificate.plan().source();
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
        Array there = whole(planned.get(i));
        if (!there.block().isMoving()) {
          places.putIfAbsent(array.block().id(), there);
        }
        homes.putIfAbsent(array.name(), array.block().id());
      }
    }

    private static Array whole(Array array) {
      Array whole = array;
      for (Array.Origin o = whole.origin(); o != null; o = whole.origin()) {
        whole = o.source();
      }
      return whole;
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
