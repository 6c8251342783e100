package io.miniinference.runtime.serve;

import io.miniinference.device.DeviceProgram;
import io.miniinference.ir.Graph;
import io.miniinference.lower.Generated;
import io.miniinference.runtime.Closing;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LaunchTime;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.OwnRequestException;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.runtime.Signature;
import io.miniinference.runtime.compile.Compiled;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// A model whose arenas were planned and reserved at load: nothing is allocated for its requests.
public final class PlannedModel implements Model {
  private final Compiled compiled;
  private final DeviceProgram program;
  private final Instances instances;
  private final HeldMemory memory;
  private final Serving serving;
  private final IntFunction<PlanReport> plans;
  private final Signature signature;
  private final boolean hasBatch;
  private final boolean isBatchable;

  /// Told at once, while [#close] waits for requests.
  private volatile boolean closed;

  /// @param memory weights and arenas, given back on close
  /// @param plans the certificate at a batch size
  public PlannedModel(
      Compiled compiled,
      Serving serving,
      DeviceProgram program,
      List<Instance> instances,
      HeldMemory memory,
      IntFunction<PlanReport> plans) {
    this.compiled = compiled;
    this.program = program;
    this.instances = new Instances(compiled.name(), instances);
    this.memory = memory;
    this.plans = plans;
    this.serving = serving;
    Graph graph = compiled.lowered().graph();
    hasBatch = graph.hasBatch();
    isBatchable = graph.isBatchable();
    int maxBatch = hasBatch ? (int) instances.getLast().maxBatch() : 1;
    signature = Signature.of(compiled.name(), graph, compiled.cuts(), compiled.codes(), maxBatch);
  }

  @Override
  public String name() {
    return compiled.name();
  }

  @Override
  public Signature signature() {
    return signature;
  }

  @Override
  public boolean hasBatch() {
    return hasBatch;
  }

  @Override
  public boolean isBatchable() {
    return isBatchable;
  }

  @Override
  public int instances() {
    return instances.all().size();
  }

  @Override
  public List<Integer> instanceBatches() {
    return instances.all().stream().map(instance -> (int) instance.maxBatch()).toList();
  }

  @Override
  public long reservedBytes() {
    return memory.bytes();
  }

  @Override
  public PlanReport plan(int batch) {
    return plans.apply(batch);
  }

  @Override
  public <T> T infer(InferenceRequest request, ResponseReader<T> reader) {
    long n = signature.check(request.shapes()).batch();
    Instance instance = instances.take(n, request.patienceNanos());
    try {
      return serving.serve(instance, (int) n, request, reader);
    } finally {
      instances.giveBack(instance);
    }
  }

  @Override
  public List<LaunchTime> profile(InferenceRequest request) {
    long[] nanos = new long[compiled.generated().launches().size()];
    List<LaunchTime> ofRows = new ArrayList<>();
    infer(
        request.observedBy((launch, kernel, from, to) -> {
          nanos[launch] += to - from;
          if (kernel.equals(compiled.generated().rowsKernel())) {
            ofRows.add(new LaunchTime(launch, 0, kernel, to - from));
          }
        }),
        _ -> true);
    return ofRows.isEmpty() ? times(nanos) : ofRows;
  }

  private List<LaunchTime> times(long[] nanos) {
    Generated generated = compiled.generated();
    return IntStream.range(0, nanos.length)
        .mapToObj(i -> new LaunchTime(i, generated.steps().get(i), generated.kernel(i), nanos[i]))
        .toList();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public boolean isServingThisThread() {
    return instances.isHeldHere();
  }

  /* Asked before the monitor, which another thread has that waits for this one's request. */
  @Override
  public void close() {
    if (isServingThisThread()) {
      throw OwnRequestException.closing("model '" + name() + "'");
    }
    closeOnce();
  }

  private synchronized void closeOnce() {
    if (!closed) {
      closed = true;
      instances.close();
      List<AutoCloseable> parts = new ArrayList<>(instances.all());
      parts.add(program);
      parts.add(memory);
      Closing.all(parts);
    }
  }
}
