package io.miniinference.runtime;

import io.miniinference.device.Commands;
import io.miniinference.device.Device;
import io.miniinference.device.DeviceProgram;
import io.miniinference.ir.Value;
import io.miniinference.lower.FailureSlot;
import io.miniinference.pool.OwnedBlocks;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/// A model whose arenas were planned and reserved at load: nothing is allocated for its requests.
final class PlannedModel implements Model {
  private final Compiled compiled;
  private final Device device;
  private final DeviceProgram program;
  private final Instances instances;
  private final OwnedBlocks memory;
  private final Failures failures;
  private final boolean canFail;
  private final IntFunction<PlanReport> plans;
  private boolean closed;

  /// @param memory weights and arenas, given back on close
  /// @param plans the certificate at a batch size
  PlannedModel(
      Compiled compiled,
      Device device,
      DeviceProgram program,
      List<Instance> instances,
      OwnedBlocks memory,
      IntFunction<PlanReport> plans) {
    this.compiled = compiled;
    this.device = device;
    this.program = program;
    this.instances = new Instances(instances);
    this.memory = memory;
    this.plans = plans;
    failures = new Failures(compiled.lowered().failurePoints());
    canFail = !compiled.lowered().failurePoints().isEmpty();
  }

  @Override
  public String name() {
    return compiled.name();
  }

  @Override
  public List<Value> inputs() {
    return compiled.lowered().graph().inputs();
  }

  @Override
  public List<Value> outputs() {
    return compiled.lowered().graph().outputs();
  }

  @Override
  public int maxBatch() {
    return hasBatch() ? (int) instances.all().getLast().maxBatch() : 1;
  }

  @Override
  public boolean hasBatch() {
    return compiled.lowered().graph().hasBatch();
  }

  @Override
  public int instances() {
    return instances.all().size();
  }

  @Override
  public long reservedBytes() {
    return memory.sizeBytes();
  }

  @Override
  public PlanReport plan(int batch) {
    return plans.apply(batch);
  }

  @Override
  public <T> T infer(InferenceRequest request, ResponseReader<T> reader) {
    long n = RequestShapes.batch(name(), inputs(), request.shapes(), maxBatch());
    Instance instance = instances.take(n);
    try {
      return serve(instance, (int) n, request, reader);
    } finally {
      instances.giveBack(instance);
    }
  }

  private <T> T serve(
      Instance instance, int n, InferenceRequest request, ResponseReader<T> reader) {
    Commands commands = instance.commands();
    commands.bind(instance.binding(n), n);
    for (int i = 0; i < inputs().size(); i++) {
      request.writer().write(i, commands.input(i));
    }
    commands.run(instance.parallel());
    check(instance, n);
    return reader.read(results(commands, n));
  }

  private List<ResponseReader.Output> results(Commands commands, int n) {
    List<ResponseReader.Output> results = new ArrayList<>(outputs().size());
    for (int i = 0; i < outputs().size(); i++) {
      long[] shape = outputs().get(i).type().shapeAt(n);
      results.add(new ResponseReader.Output(shape, commands.output(i)));
    }
    return results;
  }

  /* The slots came back with the outputs; they are cleared only where something is in them. */
  private void check(Instance instance, int n) {
    if (!canFail) {
      return;
    }
    MemorySegment slots = instance.commands().output(outputs().size());
    List<FailureReport> reports = failures.read(slots, n);
    if (!reports.isEmpty()) {
      device.upload(
          instance.arena(), MemorySegment.ofArray(new byte[(int) FailureSlot.bytes().at(n)]));
      throw new RequestFailedException(reports);
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      instances.close();
      instances.all().forEach(instance -> instance.commands().close());
      program.close();
      memory.close();
    }
  }
}
