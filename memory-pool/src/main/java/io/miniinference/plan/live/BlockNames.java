package io.miniinference.plan.live;

import io.miniinference.plan.Array;
import io.miniinference.plan.Body;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What the arrays of each block are called, less views, which go wherever their source goes.
public final class BlockNames {
  private final Map<Integer, Set<Dataflow.Name>> byBlock = new HashMap<>();

  private BlockNames() {}

  public static BlockNames of(Program program) {
    BlockNames names = new BlockNames();
    names.add(program.body());
    return names;
  }

  public Set<Dataflow.Name> of(int block) {
    return byBlock.getOrDefault(block, Set.of());
  }

  public Set<Dataflow.Name> ofAll(Collection<Integer> blocks) {
    Set<Dataflow.Name> all = new HashSet<>();
    blocks.forEach(block -> all.addAll(of(block)));
    return all;
  }

  private void add(Body body) {
    add(body.parameters());
    for (Step step : body.steps()) {
      add(step.reads());
      add(step.writes());
      step.bodies().forEach(this::add);
    }
    add(body.results());
  }

  private void add(List<Array> arrays) {
    for (Array array : arrays) {
      byBlock
          .computeIfAbsent(array.block().id(), _ -> new HashSet<>())
          .add(Dataflow.name(array.whole()));
    }
  }
}
