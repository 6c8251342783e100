package io.miniinference.runtime.serve;

import io.miniinference.device.ExecutionContext;
import io.miniinference.device.LaunchSequence;
import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.lower.FailureSlot;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LaunchObserver;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.runtime.compile.Compiled;
import io.miniinference.schedule.LoopLimitException;
import io.miniinference.schedule.ScheduledRun;
import io.miniinference.signature.Cuts;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/// The request path on an instance: bind, fill staging, run, look at the failure slots, read.
public final class Serving {
  private final Activity activity;
  private final List<Value> inputs;
  private final List<Value> outputs;
  private final Cuts cuts;
  private final Failures failures;
  private final boolean canFail;
  private final Generated generated;

  /// Whether each launch is made once, in order.
  private final boolean isStraight;

  private final ScheduledRun.Program schedule;

  public Serving(Activity activity, Compiled compiled, long maxIterations) {
    LoweredProgram program = compiled.lowered();
    this.activity = activity;
    inputs = program.graph().inputs();
    outputs = program.graph().outputs();
    cuts = compiled.cuts();
    failures = new Failures(program.failurePoints());
    canFail = !program.failurePoints().isEmpty();
    generated = compiled.generated();
    isStraight = program.isStraight();
    schedule = program.schedule(generated.launchesByStep(), maxIterations);
  }

  public <T> T serve(Instance instance, int n, InferenceRequest request, ResponseReader<T> reader) {
    boolean isObserved = request.observer() != null;
    Instance.Route route =
        isObserved ? instance.observedRoute(n) : instance.route(n, activity::isQuiet);
    ExecutionContext commands = route.commands();
    commands.bind(route.binding(), n);
    for (int i = 0; i < inputs.size(); i++) {
      request.writer().write(i, commands.input(i));
    }
    if (isStraight) {
      run(instance, route, n, observed(LaunchSequence.ALL, route, request));
    } else {
      ScheduledRun scheduled = scheduled(route, n);
      run(instance, route, n, observed(scheduled, route, request));
      scheduled.limit().ifPresent(limit -> refuse(instance, commands, n, limit));
    }
    check(instance, route, n, reader);
    return reader.read(results(commands, n));
  }

  private LaunchSequence observed(
      LaunchSequence all, Instance.Route route, InferenceRequest request) {
    LaunchObserver observer = request.observer();
    IntFunction<String> kernel = route.byRows() ? _ -> generated.rowsKernel() : generated::kernel;
    return observer == null ? all : new ObservedLaunches(all, kernel, observer);
  }

  /* Inputs that conditions and trip counts need are looked at before the run, which may write over
  them. */
  private ScheduledRun scheduled(Instance.Route route, int n) {
    Map<Value, Tensor> known = new HashMap<>();
    for (int i = 0; i < inputs.size(); i++) {
      if (schedule.wants(inputs.get(i))) {
        known.put(inputs.get(i), tensor(inputs.get(i), route.commands().input(i), n));
      }
    }
    return new ScheduledRun(schedule, route.binding().offsets(), n, known);
  }

  private static Tensor tensor(Value value, MemorySegment content, int n) {
    Tensor tensor = Interpreter.allocate(value.type().element(), value.type().shapeAt(n));
    tensor.data().copyFrom(content);
    return tensor;
  }

  private void run(Instance instance, Instance.Route route, int n, LaunchSequence script) {
    boolean alone = activity.enterAlone();
    try {
      route.run(n, alone || instance.parallel(), script);
    } finally {
      activity.leave();
    }
  }

  /* No row is whole. Where one failed before, its garbage may be what kept the loop going. */
  private void refuse(
      Instance instance, ExecutionContext commands, int n, LoopLimitException limit) {
    List<FailureReport> reports = reports(instance, commands, n);
    String before = reports.isEmpty() ? "" : "; before that, " + reports.getFirst().message();
    throw new InvalidRequestException(limit.getMessage() + before);
  }

  private List<ResponseReader.Output> results(ExecutionContext commands, int n) {
    List<Tensor> all = new ArrayList<>(outputs.size());
    for (int i = 0; i < outputs.size(); i++) {
      TensorType type = outputs.get(i).type();
      all.add(new Tensor(type.element(), type.shapeAt(n), commands.output(i)));
    }
    return cuts.cut(all).stream()
        .map(tensor -> new ResponseReader.Output(tensor.shape(), tensor.data()))
        .toList();
  }

  private void check(Instance instance, Instance.Route route, int n, ResponseReader<?> reader) {
    ExecutionContext commands = route.commands();
    if (canFail) {
      MemorySegment slots = commands.output(outputs.size());
      route.rowsAtOnce().ifPresent(rows -> failures.handOn(slots, rows, n));
    }
    List<FailureReport> reports = reports(instance, commands, n);
    if (!reports.isEmpty()) {
      reader.failed(results(commands, n), reports);
      throw new RequestFailedException(reports);
    }
  }

  /* The slots came back with the outputs; they are cleared only where something is in them. */
  private List<FailureReport> reports(Instance instance, ExecutionContext commands, int n) {
    if (!canFail) {
      return List.of();
    }
    MemorySegment slots = commands.output(outputs.size());
    List<FailureReport> reports = failures.read(slots, n);
    if (!reports.isEmpty()) {
      clear(instance, n);
    }
    return reports;
  }

  /// Empties the failure slots of `rows` rows before the instance's next run.
  public void clear(Instance instance, long rows) {
    if (canFail) {
      instance.commands().zero(instance.arena(), FailureSlot.bytes().at(rows));
    }
  }
}
