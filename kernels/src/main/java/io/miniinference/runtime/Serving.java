package io.miniinference.runtime;

import io.miniinference.device.Commands;
import io.miniinference.device.Device;
import io.miniinference.ir.Value;
import io.miniinference.lower.FailureSlot;
import io.miniinference.lower.LoweredProgram;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// The request path on an instance: bind, fill staging, run, look at the failure slots, read.
final class Serving {
  private final Device device;
  private final Activity activity;
  private final List<Value> inputs;
  private final List<Value> outputs;
  private final Failures failures;
  private final boolean canFail;

  Serving(Device device, Activity activity, LoweredProgram program) {
    this.device = device;
    this.activity = activity;
    inputs = program.graph().inputs();
    outputs = program.graph().outputs();
    failures = new Failures(program.failurePoints());
    canFail = !program.failurePoints().isEmpty();
  }

  <T> T serve(Instance instance, int n, InferenceRequest request, ResponseReader<T> reader) {
    Commands commands = instance.commands();
    commands.bind(instance.binding(n), n);
    for (int i = 0; i < inputs.size(); i++) {
      request.writer().write(i, commands.input(i));
    }
    run(instance);
    check(instance, n, reader);
    return reader.read(results(commands, n));
  }

  private void run(Instance instance) {
    boolean alone = activity.enterAlone();
    try {
      instance.commands().run(alone || instance.parallel());
    } finally {
      activity.leave();
    }
  }

  private List<ResponseReader.Output> results(Commands commands, int n) {
    List<ResponseReader.Output> results = new ArrayList<>(outputs.size());
    for (int i = 0; i < outputs.size(); i++) {
      long[] shape = outputs.get(i).type().shapeAt(n);
      results.add(new ResponseReader.Output(shape, commands.output(i)));
    }
    return results;
  }

  /* The slots came back with the outputs; they are cleared only where something is in them. */
  private void check(Instance instance, int n, ResponseReader<?> reader) {
    if (!canFail) {
      return;
    }
    MemorySegment slots = instance.commands().output(outputs.size());
    List<FailureReport> reports = failures.read(slots, n);
    if (!reports.isEmpty()) {
      clear(instance.arena(), n);
      reader.failed(results(instance.commands(), n), reports);
      throw new RequestFailedException(reports);
    }
  }

  /// Empties the failure slots of `rows` rows in the arena at `arena`.
  void clear(long arena, long rows) {
    if (canFail) {
      int bytes = Math.toIntExact(FailureSlot.bytes().at(rows));
      device.upload(arena, MemorySegment.ofArray(new byte[bytes]));
    }
  }
}
