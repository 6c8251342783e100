package io.miniinference.bench.measure;

/// What a figure counts. Results of earlier runs have nanoseconds and images a second.
public enum Unit {
  NANOSECONDS("ns"),
  MICROSECONDS("µs"),
  MILLISECONDS("ms"),
  ARENA_BYTES("bytes of arena"),
  LIVE_BUFFERS("live buffers"),
  GIGAFLOPS("GFLOP/s"),
  GIGABYTES_PER_SECOND("GB/s"),
  IMAGES_PER_SECOND("images/s"),
  REQUESTS_PER_SECOND("requests/s"),
  TOKENS_PER_SECOND("tokens/s");

  private final String symbol;

  Unit(String symbol) {
    this.symbol = symbol;
  }

  public String symbol() {
    return symbol;
  }
}
