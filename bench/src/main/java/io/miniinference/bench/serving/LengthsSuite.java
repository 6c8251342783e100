package io.miniinference.bench.serving;

import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Ratio;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.SizeRange;
import io.miniinference.bench.suite.Suite;
import io.miniinference.device.Device;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.ops.DeclaredTypes;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Signature;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/// The service under texts of mixed lengths, with padding and without, beside texts that are all of
/// the longest length: how many tokens a second it takes.
public final class LengthsSuite implements Suite {
  private static final int CONNECTIONS = 64;
  private static final int MULTIPLE = 16;
  private static final int REQUESTS = 512;
  private static final long SEED = 20_261_124;

  @Override
  public String name() {
    return "lengths";
  }

  @Override
  public String description() {
    return "texts of mixed lengths to the service (--models, --sizes SYMBOL=FROM..TO), padded and not";
  }

  @Override
  public Optional<SuiteResult> run(Setting setting) {
    if (setting.selection().repository() == null || setting.selection().sizes().size() != 1) {
      setting.say("lengths needs a model with one open size: --models DIR --sizes SYMBOL=FROM..TO");
      return Optional.empty();
    }
    Findings findings = new Findings(this, "connections", setting);
    for (ModelFile file : ModelFiles.of(setting)) {
      findings.attempt(file.name(), () -> measure(file, setting, findings));
    }
    try (Device device = setting.openDevice()) {
      return Optional.of(findings.result(MeasuredDevice.of(device.info())));
    }
  }

  /// Requests to a service in turn, and the tokens in them.
  private record Runner(String subject, Service service, List<byte[]> requests, double tokens) {
    static Runner of(String subject, Service service, TextRequests texts, long[] lengths) {
      List<byte[]> requests = Arrays.stream(lengths).mapToObj(texts::request).toList();
      double tokens = Arrays.stream(lengths).average().orElseThrow();
      return new Runner(subject, service, requests, tokens);
    }

    /* Tokens a second. */
    double run(Duration time) {
      AtomicInteger next = new AtomicInteger();
      return tokens
          * Load.run(
                  service.port(Protocol.BINARY),
                  () -> new HttpExchange(() -> requests.get(next.getAndIncrement() % REQUESTS)),
                  CONNECTIONS,
                  time)
              .rate();
    }
  }

  private void measure(ModelFile file, Setting setting, Findings findings) {
    Map.Entry<String, SizeRange> size = setting.selection().sizes().entrySet().iterator().next();
    Path root = Path.of(System.getProperty("mie.root", "."));
    Commands commands = new Commands(root, setting);
    List<String> model =
        List.of(
            "--engine.models.repository=" + setting.selection().repository(),
            "--engine.models.names=" + file.name());
    List<String> padding = new ArrayList<>(model);
    padding.add(
        "--engine.models.settings[%s].padding.%s=%d"
            .formatted(file.name(), size.getKey(), MULTIPLE));
    Random random = new Random(SEED);
    long[] mixed =
        LongStream.generate(() -> size.getValue().random(random)).limit(REQUESTS).toArray();
    long[] longest = new long[REQUESTS];
    Arrays.fill(longest, size.getValue().to());
    var texts = new TextRequests(signature(file), size.getKey());
    try (Service padded = Service.start(commands.serve(padding));
        Service plain = Service.start(commands.serve(model))) {
      measure(
          file.name(),
          List.of(
              Runner.of("mixed lengths, padded", padded, texts, mixed),
              Runner.of("mixed lengths, not padded", plain, texts, mixed),
              Runner.of("the longest length", padded, texts, longest)),
          setting.quick(),
          findings);
    }
  }

  private static Signature signature(ModelFile file) {
    DeclaredTypes declared =
        DeclaredTypes.of(
            OnnxReader.read(file.name(), file.path(), ReadLimits.defaults()), Map.of());
    return new Signature(file.name(), declared.inputs(), declared.outputs(), 1);
  }

  private static void measure(
      String model, List<Runner> runners, boolean quick, Findings findings) {
    int rounds = quick ? 1 : 7;
    Duration slice = Duration.ofMillis(quick ? 200 : 2_000);
    double[][] seen = new double[runners.size()][rounds];
    runners.forEach(runner -> runner.run(slice.multipliedBy(4)));
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < seen.length; i++) {
        seen[i][round] = runners.get(i).run(slice);
      }
    }
    Parameters at = Parameters.of("connections", CONNECTIONS);
    for (int i = 0; i < seen.length; i++) {
      findings.add(model, at, runners.get(i).subject(), Unit.TOKENS_PER_SECOND, Spread.of(seen[i]));
    }
    for (int i = 1; i < seen.length; i++) {
      Ratio ratio = Ratio.of(seen[0], seen[i]);
      findings.add(model, at, runners.getFirst().subject(), runners.get(i).subject(), ratio);
    }
  }
}
