package io.miniinference.bench.models;

import module io.miniinference.kernels;
import module java.base;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Entrant;
import io.miniinference.bench.measure.Findings;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Setting;
import io.miniinference.bench.measure.Slice;
import io.miniinference.bench.measure.Unit;

/// What a device gains by having several requests of a model in flight, each in an arena of its
/// own: the time of a slice over the requests that ended in it, beside that of one after the other.
public final class InFlightSuite {
  private static final int MOST = 8;
  private static final List<Integer> REQUESTS = List.of(MOST, 4, 2, 1);
  private static final int CHECKED_RUNS = 5;

  private InFlightSuite() {}

  public static void measure(Findings findings) {
    Setting setting = findings.setting();
    try (var engine = new RoomyEngine("engine", setting.engine())) {
      findings.on(engine.engine().device(), ModelBench.BATCH);
      for (ModelFile file : setting.models()) {
        for (int batch : setting.batches(1, 8)) {
          findings.attempt(
              "%s at batch %d".formatted(file.name(), batch),
              () -> measure(engine, file, batch, findings));
        }
      }
    }
  }

  private static void measure(RoomyEngine roomy, ModelFile file, int batch, Findings findings) {
    OnnxModel onnx = file.read();
    LoadOptions options = findings.setting().loadOptions(onnx, batch).withInstances(MOST);
    roomy.makeRoom(onnx, options);
    try (Model model = roomy.engine().load(onnx, options)) {
      EngineRuns runs = EngineRuns.of("in flight", model, batch);
      check(runs);
      List<Entrant> entrants = REQUESTS.stream().map(it -> entrant(runs, it)).toList();
      Rounds rounds = Rounds.run(entrants, Timings.of(roomy.engine(), findings).alone());
      findings.add(file.name(), Parameters.of(ModelBench.BATCH, batch), Unit.MICROSECONDS, rounds);
    }
  }

  /* What each computes beside others is what it computes alone. */
  private static void check(EngineRuns runs) {
    List<Tensor> alone = runs.outputs();
    Callable<List<Tensor>> beside = runs::outputs;
    for (List<Tensor> outputs : atOnce(Collections.nCopies(CHECKED_RUNS * MOST, beside))) {
      Agreement.check(alone, outputs, Precision.F32, "a request beside others");
    }
  }

  private static Entrant entrant(EngineRuns runs, int requests) {
    return new Entrant(
        requests == 1 ? "one after the other" : requests + " in flight",
        slice -> new double[] {perRequest(runs, requests, slice)});
  }

  /* Microseconds for each request. */
  private static double perRequest(EngineRuns runs, int requests, Slice slice) {
    long begin = System.nanoTime();
    long end = begin + TimeUnit.MILLISECONDS.toNanos(slice.settleMillis() + slice.lengthMillis());
    List<Integer> ended = atOnce(Collections.nCopies(requests, () -> inTurn(runs, end)));
    return (System.nanoTime() - begin) / 1e3 / ended.stream().mapToInt(it -> it).sum();
  }

  private static int inTurn(EngineRuns runs, long end) {
    InferenceRequest request = runs.request(Memory.ORDINARY);
    int ended = 0;
    do {
      runs.model().infer(request, _ -> true);
      ended++;
    } while (System.nanoTime() < end);
    return ended;
  }

  private static <T> List<T> atOnce(List<Callable<T>> calls) {
    try (var threads = Executors.newFixedThreadPool(MOST)) {
      List<T> results = new ArrayList<>();
      for (Future<T> each : threads.invokeAll(calls)) {
        results.add(each.get());
      }
      return results;
    } catch (InterruptedException | ExecutionException e) {
      throw new BenchException("a request beside others failed: " + e.getMessage(), e);
    }
  }
}
