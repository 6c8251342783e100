package io.miniinference.conformance;

import io.miniinference.device.Binding;
import io.miniinference.device.Device;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.LaunchSequence;
import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.lower.FailureSlot;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.Network;
import io.miniinference.lower.Target;
import io.miniinference.lower.Weight;
import io.miniinference.lower.steps.Lowering;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Planner;
import io.miniinference.plan.verify.VerifiedPlan;
import io.miniinference.runtime.serve.ArenaSpec;
import io.miniinference.schedule.ScheduledRun;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A device with a writer of kernels: lowers, plans, builds and runs a graph as the runtime does,
/// its steps in one kernel where the writer makes one of them, which a compiler takes less time
/// for. The arena starts out full of NaNs, so that a read of what no kernel wrote shows, and a
/// guard behind it shows writes past its end.
///
/// @param isOneStep whether graphs are to be one step each ([Target#asOneStep])
public record Rig(Device device, Target<?> target, boolean isOneStep) implements AutoCloseable {
  private static final long ALIGNMENT = 256;
  private static final int GUARD_BYTES = 4096;
  private static final byte FILL = (byte) 0xff;
  private static final long POOL_BYTES = Long.getLong("mie.test.pool", 64L << 20);

  /// A device, to be closed with the rig, and what writes its kernels.
  public static Rig of(Device device, Target<?> target) {
    device.openPool(POOL_BYTES);
    return new Rig(device, target, false);
  }

  /// The same with each graph as one step.
  Rig withOneStep() {
    return new Rig(device, target, true);
  }

  /// The graph as the rig runs it.
  public LoweredProgram lower(Graph graph) {
    LoweredProgram lowered = Lowering.lower(graph, target, List.of());
    return isOneStep
        ? target
            .asOneStep(lowered)
            .orElseThrow(() -> new AssertionError(graph.name() + " is no step"))
        : lowered;
  }

  /// The kernels of a graph, and their launches.
  public Generated generate(Graph graph) {
    return target.generate(lower(graph));
  }

  /// What a run left.
  ///
  /// @param slots the run's failure slot, then one per row
  public record Outcome(List<Tensor> outputs, MemorySegment slots, int launches) {}

  /// Runs a graph, with each of several sets of inputs in turn, on one load.
  public List<List<Tensor>> run(Graph graph, List<List<Tensor>> sets) {
    return outcomes(graph, sets).stream().map(Outcome::outputs).toList();
  }

  /// As [#run], with the failures of each.
  public List<Outcome> outcomes(Graph graph, List<List<Tensor>> sets) {
    LoweredProgram lowered = lower(graph);
    VerifiedPlan plan = VerifiedPlan.of(lowered.plan(), PlanOptions.upTo(largest(graph, sets)));
    if (plan.fallback().isPresent()) {
      throw new AssertionError(graph.name() + ": the plan is unsound: " + plan.fallback().get());
    }
    return run(lowered, plan.plan(), graph, sets);
  }

  /// The same where no two values share memory and every copy is made.
  public List<List<Tensor>> runPlain(Graph graph, List<List<Tensor>> sets) {
    LoweredProgram lowered = lower(graph);
    MemoryPlan plan = Planner.plain(lowered.plan(), PlanOptions.upTo(largest(graph, sets)));
    return run(lowered, plan, graph, sets).stream().map(Outcome::outputs).toList();
  }

  private List<Outcome> run(
      LoweredProgram lowered, MemoryPlan plan, Graph graph, List<List<Tensor>> sets) {
    return new Load(lowered.under(plan), plan, largest(graph, sets)).run(sets);
  }

  private static long largest(Graph graph, List<List<Tensor>> sets) {
    return sets.stream()
        .mapToLong(inputs -> Interpreter.batchSize(graph, inputs))
        .reduce(1, Math::max);
  }

  @Override
  public void close() {
    device.close();
  }

  /// One graph in the pool: weights first, then an arena as the runtime lays it out.
  private final class Load {
    private final LoweredProgram program;
    private final List<ArenaSpec.Bucket> buckets;
    private final long arena;
    private final long arenaBytes;
    private final boolean canFail;

    private final Generated generated;

    Load(LoweredProgram program, MemoryPlan plan, long largest) {
      this.program = program;
      generated =
          target
              .generateNetwork(program, Optional.empty())
              .orElseGet(() -> target.generate(program));
      long[] weights = new long[program.plan().blocks().size()];
      long at = 0;
      for (Weight weight : program.weights()) {
        weights[weight.block().id()] = at;
        at += Math.ceilDiv(upload(weight, at), ALIGNMENT) * ALIGNMENT;
      }
      arena = at;
      var spec =
          new ArenaSpec(
              program,
              plan,
              weights,
              generated.numbers(),
              generated.network(),
              0,
              Optional.empty(),
              Optional.empty());
      arenaBytes = spec.bytes(largest);
      buckets = spec.buckets(arena, largest, 0);
      byte[] fill = new byte[Math.toIntExact(arenaBytes + GUARD_BYTES)];
      Arrays.fill(fill, FILL);
      long slots = spec.failureBytes(largest);
      canFail = slots > 0;
      Arrays.fill(fill, 0, Math.toIntExact(slots), (byte) 0);
      device.upload(arena, MemorySegment.ofArray(fill));
      generated.network().map(Network::table).ifPresent(this::putTables);
    }

    private void putTables(Network.Table table) {
      for (ArenaSpec.Bucket bucket : buckets) {
        long[] offsets = bucket.binding().offsets();
        device.upload(offsets[table.place()], MemorySegment.ofArray(table.of(offsets)));
      }
    }

    private void checkGuard() {
      byte[] guard = new byte[GUARD_BYTES];
      device.download(arena + arenaBytes, MemorySegment.ofArray(guard));
      for (int i = 0; i < guard.length; i++) {
        if (guard[i] != FILL) {
          throw new AssertionError("byte %d behind the arena was written".formatted(i));
        }
      }
    }

    private long upload(Weight weight, long at) {
      try (Arena arena = Arena.ofConfined()) {
        long bytes = weight.packing().bytes(weight.tensor());
        MemorySegment packed = arena.allocate(Math.max(1, bytes), 64).asSlice(0, bytes);
        weight.packing().pack(weight.tensor(), packed);
        device.upload(at, packed);
        return bytes;
      }
    }

    List<Outcome> run(List<List<Tensor>> sets) {
      try (DeviceProgram built = builtOnce(generated);
          ExecutionContext commands = device.prepare(built, generated.launches(), staging())) {
        List<Outcome> outcomes =
            sets.stream().map(inputs -> run(generated, commands, inputs)).toList();
        checkGuard();
        return outcomes;
      }
    }

    /* A second time is for functions that the device's own declarations lack. */
    private DeviceProgram builtOnce(Generated generated) {
      long before = device.driverCalls().builds();
      DeviceProgram built = device.build(generated.code());
      if (device.driverCalls().builds() > before + 1) {
        built.close();
        throw new AssertionError("uses a function that functions.h does not declare");
      }
      return built;
    }

    private Device.StagingSize staging() {
      ArenaSpec.Bucket largest = buckets.getLast();
      return new Device.StagingSize(
          sum(largest.binding().inputs(), largest.batch()),
          sum(largest.binding().outputs(), largest.batch()),
          ScheduledRun.READ_BYTES);
    }

    private Outcome run(Generated generated, ExecutionContext commands, List<Tensor> inputs) {
      long n = Interpreter.batchSize(program.graph(), inputs);
      commands.bind(binding(n), (int) n);
      for (int i = 0; i < inputs.size(); i++) {
        commands.input(i).copyFrom(inputs.get(i).data());
      }
      commands.run(n != 1, script(generated, n, inputs));
      List<Tensor> outputs = new ArrayList<>();
      for (int i = 0; i < program.outputs().size(); i++) {
        Value value = program.graph().outputs().get(i);
        Tensor output = Interpreter.allocate(value.type().element(), value.type().shapeAt(n));
        output.data().copyFrom(commands.output(i));
        outputs.add(output);
      }
      return new Outcome(outputs, takeSlots(n), generated.launches().size());
    }

    /* All zeros where nothing can fail, and the arena has no slots. */
    private MemorySegment takeSlots(long n) {
      byte[] bytes = new byte[Math.toIntExact(FailureSlot.bytes().at(n))];
      if (canFail) {
        device.download(arena, MemorySegment.ofArray(bytes));
        device.upload(arena, MemorySegment.ofArray(new byte[bytes.length]));
      }
      return MemorySegment.ofArray(bytes);
    }

    private LaunchSequence script(Generated generated, long n, List<Tensor> inputs) {
      if (program.isStraight()) {
        return LaunchSequence.ALL;
      }
      Map<Value, Tensor> values = new HashMap<>();
      for (int i = 0; i < inputs.size(); i++) {
        values.put(program.graph().inputs().get(i), inputs.get(i));
      }
      long[] offsets = binding(n).offsets();
      return new ScheduledRun(
          program.schedule(generated.launchesByStep(), 1000), offsets, n, values);
    }

    private Binding binding(long n) {
      return buckets.stream()
          .filter(bucket -> bucket.batch() >= n)
          .findFirst()
          .orElseThrow()
          .binding();
    }

    private static long sum(List<Binding.Region> regions, long n) {
      return regions.stream()
          .mapToLong(region -> Math.ceilDiv(region.sizeBytes().at(n), ALIGNMENT) * ALIGNMENT)
          .sum();
    }
  }
}
