package io.miniinference.conformance;

import io.miniinference.device.Binding;
import io.miniinference.device.Device;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.ExecutionContext;
import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.layout.Affine;
import io.miniinference.lower.FailureSlot;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.Target;
import io.miniinference.lower.Weight;
import io.miniinference.lower.steps.Lowering;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Placement;
import io.miniinference.plan.planner.Planner;
import io.miniinference.plan.verify.PlanVerifier;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Runs core-IR graphs, each lowered, planned, generated and built for the purpose, on a device.
///
/// All of the pool that a run touches is filled with bytes that make NaNs first, so that a kernel
/// that reads what nobody wrote shows, and so does one that writes outside the arena.
public final class GraphRunner implements AutoCloseable {
  private static final int GUARD_BYTES = 4096;
  private static final byte FILL = (byte) 0xff;

  private final Device device;
  private final Target<?> generator;

  /// @param device to be closed with the runner
  /// @param capacityBytes of the pool that it opens
  public GraphRunner(Device device, Target<?> generator, long capacityBytes) {
    this.device = device;
    this.generator = generator;
    device.openPool(capacityBytes);
  }

  /// What a run left.
  ///
  /// @param failures the failure slots: the run's, then one per row
  public record Result(List<Tensor> outputs, MemorySegment failures, int launches) {}

  /// Lowers a graph and writes its kernels.
  public Generated generate(Graph graph) {
    return generator.generate(Lowering.lower(graph, generator, List.of()));
  }

  /// Runs a graph at the batch size of its inputs.
  public Result run(Graph graph, List<Tensor> inputs) {
    long n = Interpreter.batchSize(graph, inputs);
    LoweredProgram source = Lowering.lower(graph, generator, List.of());
    PlanOptions options = PlanOptions.upTo(n).withFailureBytes(FailureSlot.bytes());
    MemoryPlan plan = Planner.planAt(source.plan(), n, options);
    PlanVerifier.verify(plan);
    LoweredProgram lowered = source.under(plan);
    Generated generated = generator.generate(lowered);
    Placement placement = plan.placements().getFirst();
    Places places = Places.of(lowered, placement);
    fill(places.endBytes());
    places.upload(lowered, device);
    Binding binding = places.binding(lowered);
    try (DeviceProgram program = device.build(generated.code());
        ExecutionContext commands =
            device.prepare(program, generated.launches(), staging(binding, n))) {
      commands.bind(binding, Math.toIntExact(n));
      for (int i = 0; i < inputs.size(); i++) {
        commands.input(i).copyFrom(inputs.get(i).data());
      }
      commands.run(true);
      Result result = result(graph, commands, n, generated.launches().size());
      checkGuards(places);
      return result;
    }
  }

  private static Device.StagingSize staging(Binding binding, long n) {
    return new Device.StagingSize(sum(binding.inputs(), n), sum(binding.outputs(), n));
  }

  private static long sum(List<Binding.Region> regions, long n) {
    return regions.stream().mapToLong(r -> up(r.sizeBytes().at(n))).sum();
  }

  private static long up(long bytes) {
    return Math.ceilDiv(bytes, 256L) * 256;
  }

  private void fill(long bytes) {
    byte[] filled = new byte[Math.toIntExact(bytes)];
    Arrays.fill(filled, FILL);
    device.upload(0, MemorySegment.ofArray(filled));
  }

  private static Result result(Graph graph, ExecutionContext commands, long n, int launches) {
    List<Tensor> outputs = new ArrayList<>();
    for (int i = 0; i < graph.outputs().size(); i++) {
      var type = graph.outputs().get(i).type();
      Tensor tensor = Interpreter.allocate(type.element(), type.shapeAt(n));
      tensor.data().copyFrom(commands.output(i));
      outputs.add(tensor);
    }
    byte[] slots = new byte[Math.toIntExact(FailureSlot.bytes().at(n))];
    MemorySegment failures = MemorySegment.ofArray(slots);
    failures.copyFrom(commands.output(graph.outputs().size()));
    return new Result(outputs, failures, launches);
  }

  private void checkGuards(Places places) {
    for (long at : new long[] {0, places.endBytes() - GUARD_BYTES}) {
      byte[] guard = new byte[GUARD_BYTES];
      device.download(at, MemorySegment.ofArray(guard));
      for (int i = 0; i < guard.length; i++) {
        if (guard[i] != FILL) {
          throw new AssertionError("byte " + (at + i) + " of the pool, outside all, was written");
        }
      }
    }
  }

  @Override
  public void close() {
    device.close();
  }

  /* Guard, failure slots, planned values, weights, guard. */
  private record Places(long[] offsets, long slotBytes, long endBytes) {

    static Places of(LoweredProgram program, Placement placement) {
      List<Block> blocks = program.plan().blocks();
      long[] offsets = new long[program.offsets()];
      long values = GUARD_BYTES + placement.failureBytes();
      for (Block block : blocks) {
        if (block.isPlanned() && placement.isPlaced(block)) {
          offsets[block.id()] = values + placement.offsetBytes(block);
        }
      }
      offsets[program.failureSlotsId()] = GUARD_BYTES;
      long at = GUARD_BYTES + up(placement.arenaBytes());
      for (Weight weight : program.weights()) {
        offsets[weight.block().id()] = at;
        at += up(weight.packing().bytes(weight.tensor()));
      }
      return new Places(offsets, placement.failureBytes(), at + GUARD_BYTES);
    }

    void upload(LoweredProgram program, Device device) {
      for (Weight weight : program.weights()) {
        byte[] packed = new byte[Math.toIntExact(weight.packing().bytes(weight.tensor()))];
        weight.packing().pack(weight.tensor(), MemorySegment.ofArray(packed));
        device.upload(offsets[weight.block().id()], MemorySegment.ofArray(packed));
      }
      byte[] cleared = new byte[Math.toIntExact(slotBytes)];
      device.upload(offsets[program.failureSlotsId()], MemorySegment.ofArray(cleared));
    }

    Binding binding(LoweredProgram program) {
      List<Binding.Region> outputs = regions(program.outputs());
      outputs.add(new Binding.Region(offsets[program.failureSlotsId()], FailureSlot.bytes()));
      return new Binding(offsets, regions(program.inputs()), outputs);
    }

    private List<Binding.Region> regions(List<Array> arrays) {
      List<Binding.Region> regions = new ArrayList<>();
      for (Array array : arrays) {
        long first = array.index().offset().asConstant() * array.elementBytes();
        Affine bytes = array.index().elements().times(array.elementBytes());
        regions.add(new Binding.Region(offsets[array.block().id()] + first, bytes));
      }
      return regions;
    }
  }
}
