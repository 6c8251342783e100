package io.miniinference.bench.models;

import io.miniinference.bench.measure.Findings;
import io.miniinference.bench.measure.Slice;
import io.miniinference.bench.measure.Timing;
import io.miniinference.runtime.Engine;

/// How models take turns on a kind of device.
///
/// Threads of one runner on a CPU spin on for a while and would take cores from the next, so that
/// turns there have pauses between them; on the JVM, kernels must be compiled before they count.
///
/// @param alone where a model is loaded once
/// @param ofOneLoad where it is loaded several times. Turns are short, since others on the machine
///   come and go in tenths of a second; gaps on a GPU are some times as long as short requests take
/// @param loads how many those are; a GPU's are quick, and differ more from each other
record Timings(Timing alone, Timing ofOneLoad, int loads) {
  private static final Timing TINY = new Timing(3, 5, 0, new Slice(2, 5, 1));
  private static final Slice ON_CPU = new Slice(40, 100, 3);
  private static final Slice SHORT = new Slice(2, 8, 3);
  private static final Slice SHORT_WITH_GAPS = new Slice(2, 8, 3, 100);

  static Timings of(Engine engine, Findings findings) {
    return findings.setting().isQuick()
        ? new Timings(TINY, TINY, 1)
        : switch (engine.device().kind()) {
          case OPENCL_GPU ->
              new Timings(
                  new Timing(15, 150, 0, new Slice(15, 40, 3)),
                  new Timing(2, 10, 0, SHORT_WITH_GAPS),
                  80);
          case OPENCL_CPU ->
              new Timings(new Timing(15, 600, 60, ON_CPU), new Timing(10, 100, 2, SHORT), 15);
          case JVM ->
              new Timings(new Timing(15, 3000, 60, ON_CPU), new Timing(10, 1000, 2, SHORT), 15);
        };
  }
}
