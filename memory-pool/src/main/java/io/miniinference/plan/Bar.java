package io.miniinference.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// A block as it is drawn: a bar in time at its address.
///
/// @param over name of the tensor that it is written over, empty if none
/// @param tensors the uses of everything in it
record Bar(
    Block block,
    Role role,
    LiveRange range,
    long offsetBytes,
    long sizeBytes,
    String over,
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

  /// The bars of all blocks that are used, by first use, then address.
  static List<Bar> of(Certificate certificate) {
    MemoryPlan plan = certificate.plan();
    Map<Integer, List<TensorUse>> inside =
        certificate.tensors().stream().collect(Collectors.groupingBy(t -> t.array().block().id()));
    Map<Integer, String> over = new HashMap<>();
    plan.merges().forEach(m -> over.put(m.destination().block().id(), m.source().name()));
    Set<Integer> inputs = blocks(plan.program().body().parameters());
    Set<Integer> outputs = blocks(plan.program().body().results());
    List<Bar> bars = new ArrayList<>();
    for (Block block : plan.program().blocks()) {
      LiveRange range = plan.lifetimes().range(block.id());
      if (range == null || !certificate.placement().isPlaced(block)) {
        continue;
      }
      bars.add(
          new Bar(
              block,
              role(block, inputs, outputs, inside.containsKey(block.id())),
              range,
              certificate.placement().offsetBytes(block),
              block.sizeBytes().at(certificate.batch()),
              over.getOrDefault(block.id(), ""),
              inside.getOrDefault(block.id(), List.of())));
    }
    bars.sort(
        Comparator.<Bar>comparingInt(bar -> bar.range.first()).thenComparingLong(Bar::offsetBytes));
    return bars;
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
