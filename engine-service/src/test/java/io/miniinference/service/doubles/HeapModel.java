package io.miniinference.service.doubles;

import io.miniinference.ir.Value;
import io.miniinference.pool.Allocation;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.runtime.Signature;
import io.miniinference.signature.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// A model whose outputs a lambda computes.
final class HeapModel implements Model {
  /// Computes the outputs of one request.
  interface Body {
    List<ResponseReader.Output> run(List<long[]> shapes, List<MemorySegment> inputs);
  }

  private final String name;
  private volatile boolean closed;
  private final Signature signature;
  private final Body body;
  private final Allocation memory;

  HeapModel(
      String name,
      List<Value> inputs,
      List<Value> outputs,
      int maxBatch,
      Body body,
      Allocation memory) {
    this(new Signature(name, specs(inputs), specs(outputs), maxBatch), body, memory);
  }

  HeapModel(Signature signature, Body body, Allocation memory) {
    this.name = signature.model();
    this.signature = signature;
    this.body = body;
    this.memory = memory;
  }

  private static List<TensorSpec> specs(List<Value> values) {
    return values.stream().map(TensorSpec::of).toList();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Signature signature() {
    return signature;
  }

  @Override
  public boolean hasBatch() {
    return signature.hasBatch();
  }

  @Override
  public boolean isBatchable() {
    return true;
  }

  @Override
  public int instances() {
    return 1;
  }

  @Override
  public long reservedBytes() {
    return memory.size();
  }

  @Override
  public PlanReport plan(int batch) {
    return new PlanReport(
        "plan of " + name + " at batch " + batch,
        "{\"model\":\"" + name + "\",\"batch\":" + batch + "}",
        "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        List.of());
  }

  @Override
  public <T> T infer(InferenceRequest request, ResponseReader<T> reader) {
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> staging = new ArrayList<>();
      for (int i = 0; i < inputs().size(); i++) {
        staging.add(arena.allocate(bytes(i, request.shapes().get(i)), 64));
        request.writer().write(i, staging.get(i));
      }
      return run(request, reader, staging);
    }
  }

  private <T> T run(
      InferenceRequest request, ResponseReader<T> reader, List<MemorySegment> staging) {
    List<ResponseReader.Output> outputs;
    try {
      outputs = body.run(request.shapes(), staging);
    } catch (RequestFailedException e) {
      var whatever = new ResponseReader.Output(request.shapes().getFirst(), staging.getFirst());
      reader.failed(outputs().stream().map(_ -> whatever).toList(), e.failures());
      throw e;
    }
    return reader.read(outputs);
  }

  private long bytes(int input, long[] shape) {
    long bytes = inputs().get(input).element().bytes();
    for (long dim : shape) {
      bytes *= dim;
    }
    return bytes;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    memory.close();
  }
}
