package io.miniinference.bench.serving;

import module io.miniinference.kernels;
import module java.base;

import io.miniinference.bench.measure.Findings;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Setting;
import io.miniinference.bench.measure.SizeRange;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.models.Feed;
import io.miniinference.runtime.Signature;

/// The service under texts of mixed lengths, with padding and without, beside texts that are all of
/// the longest length: how many tokens a second it takes.
public final class LengthsSuite {
  private static final int CONNECTIONS = 64;
  private static final int MULTIPLE = 16;
  private static final int REQUESTS = 512;
  private static final long SEED = 20_261_124;

  private LengthsSuite() {}

  public static void measure(Findings findings) {
    Setting setting = findings.setting();
    if (setting.folder().isEmpty() || setting.sizes().size() != 1) {
      findings.say(
          "lengths needs a model with one open size: --models DIR --sizes SYMBOL=FROM..TO");
      return;
    }
    findings.on(setting.device(), ServingSuite.CONNECTIONS);
    for (ModelFile file : setting.models()) {
      findings.attempt(file.name(), () -> measure(file, findings));
    }
  }

  private static void measure(ModelFile file, Findings findings) {
    Setting setting = findings.setting();
    Map.Entry<String, SizeRange> size = setting.sizes().entrySet().iterator().next();
    String symbol = size.getKey();
    long most = size.getValue().to();
    String folder = "--engine.models.repository=" + setting.folder().orElseThrow();
    String name = "--engine.models.names=" + file.name();
    String padding =
        "--engine.models.settings[%s].padding.%s=%d".formatted(file.name(), symbol, MULTIPLE);
    var random = new Random(SEED);
    LongStream lengths = LongStream.generate(() -> size.getValue().random(random));
    long[] mixed = lengths.limit(REQUESTS).toArray();
    DeclaredTypes declared = DeclaredTypes.of(file.read(), Map.of());
    var model = new Signature(file.name(), declared.inputs(), declared.outputs(), 1);
    try (Service padded = Service.engine(setting, folder, name, padding);
        Service plain = Service.engine(setting, folder, name)) {
      List<Load> loads =
          List.of(
              load("mixed lengths, padded", padded, model, symbol, mixed),
              load("mixed lengths, not padded", plain, model, symbol, mixed),
              load("the longest length", padded, model, symbol, most));
      Rounds rates = Load.inTurn(loads, CONNECTIONS, setting.isQuick()).of(Load.Seen::rate);
      Parameters at = Parameters.of(ServingSuite.CONNECTIONS, CONNECTIONS);
      findings.add(file.name(), at, Unit.TOKENS_PER_SECOND, rates);
    }
  }

  /// Requests of one row, each of a length. Each connection takes the next one.
  private static Load load(
      String subject, Service service, Signature signature, String symbol, long... lengths) {
    List<byte[]> requests =
        LongStream.of(lengths)
            .mapToObj(length -> signature.shapes(new RequestShape(1, Map.of(symbol, length))))
            .map(shapes -> Feed.of(signature.inputs(), shapes))
            .map(feed -> Protocol.BINARY.request(signature.model(), feed))
            .toList();
    var next = new AtomicInteger();
    var exchange = new HttpExchange(() -> requests.get(next.getAndIncrement() % requests.size()));
    double tokens = LongStream.of(lengths).average().orElseThrow();
    return new Load(subject, service.http(), tokens, () -> exchange);
  }
}
