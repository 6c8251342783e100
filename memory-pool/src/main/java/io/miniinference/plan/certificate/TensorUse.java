package io.miniinference.plan.certificate;

import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.Step;
import io.miniinference.plan.live.Lifetimes;
import io.miniinference.plan.live.LiveRange;
import io.miniinference.plan.live.TimedStep;
import io.miniinference.plan.planner.MemoryPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A named tensor of the arena and the ticks of its use.
///
/// @param array the tensor
/// @param bytes its bytes, padding included
/// @param offsetBytes its first element in the arena
/// @param use from its first to its last use under this name
/// @param aliasOf the tensor whose memory it is, null if the memory is its own
record TensorUse(
    Array array, long bytes, long offsetBytes, LiveRange use, @Nullable String aliasOf) {

  static List<TensorUse> of(Certificate certificate) {
    return new Collector(certificate).collect();
  }

  private static final class Collector {
    private final Certificate certificate;
    private final Map<String, Array> arrays = new LinkedHashMap<>();
    private final Map<String, LiveRange> uses = new HashMap<>();
    private final Map<String, String> aliases = new HashMap<>();
    private final Map<Integer, String> owners = new HashMap<>();

    private final Snapshot snapshot;

    Collector(Certificate certificate) {
      this.certificate = certificate;
      snapshot = new Snapshot(certificate.plan());
    }

    List<TensorUse> collect() {
      MemoryPlan plan = certificate.plan();
      Body body = plan.program().body();
      write(body.parameters(), -1);
      plan.lifetimes().steps().forEach(this::add);
      use(body.results(), plan.lifetimes().ticks());
      List<TensorUse> result = new ArrayList<>();
      arrays.values().forEach(this::alias);
      plan.merges().forEach(m -> aliases.put(m.destination().name(), m.source().name()));
      arrays.forEach((name, array) -> result.add(tensor(name, array)));
      result.sort(Comparator.comparingInt(t -> t.use.first()));
      return result;
    }

    /* A block belongs to the value it was made for, or else to the first one written into it. */
    private void alias(Array array) {
      Block block = array.block();
      String owner =
          arrays.containsKey(block.name())
              ? block.name()
              : owners.getOrDefault(block.id(), array.name());
      if (owner.equals(array.name())) {
        aliases.remove(array.name());
      } else {
        aliases.putIfAbsent(array.name(), owner);
      }
    }

    private TensorUse tensor(String name, Array array) {
      long batch = certificate.batch();
      long inside = array.offsetBytes().at(batch);
      return new TensorUse(
          array,
          array.denseBytes(batch),
          certificate.placement().offsetBytes(array.block()) + inside,
          uses.getOrDefault(name, new LiveRange(0, 0)),
          aliases.get(name));
    }

    private void add(TimedStep timed) {
      Step step = timed.step();
      if (Lifetimes.isView(step)) {
        step.writes().forEach(view -> view(step, view, timed.exit()));
        return;
      }
      use(step.reads(), timed.enter());
      for (Body body : step.bodies()) {
        write(body.parameters(), timed.enter());
        use(body.parameters(), timed.exit());
      }
      write(step.writes(), timed.exit());
      step.bodies().forEach(body -> use(body.results(), timed.exit()));
    }

    private void view(Step step, Array view, int tick) {
      step.reads().stream()
          .filter(r -> r.block().id() == view.block().id())
          .findFirst()
          .ifPresent(r -> aliases.putIfAbsent(view.name(), r.name()));
      use(List.of(view), tick);
    }

    private void write(List<Array> written, int tick) {
      written.stream()
          .filter(w -> !w.block().isMoving())
          .forEach(w -> owners.putIfAbsent(w.block().id(), w.name()));
      use(written, tick);
    }

    private void use(List<Array> used, int tick) {
      for (Array array : used) {
        snapshot
            .of(array)
            .filter(there -> certificate.placement().isPlaced(there.block()))
            .ifPresent(there -> {
              arrays.putIfAbsent(there.name(), there);
              uses.merge(there.name(), new LiveRange(tick, tick), LiveRange::union);
            });
      }
    }
  }
}
