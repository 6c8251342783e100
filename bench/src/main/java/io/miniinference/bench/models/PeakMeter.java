package io.miniinference.bench.models;

import module io.miniinference.kernels;
import module java.base;

import io.miniinference.bench.measure.Setting;

/// Measures what an OpenCL CPU reaches at most: multiply-adds in registers, and reads of memory
/// that no cache holds. Each kernel's best run counts.
final class PeakMeter {
  /// Steps of the loop of one work item, each of twelve vectors of sixteen.
  private static final long STEPS = 40_000;

  private static final long OPERATIONS = 2 * 12 * 16 * STEPS;
  private static final int ITEMS = 64;
  private static final long ITEM_BYTES = 4 << 20;
  private static final int RUNS = 12;

  private static final String TEXT =
      """
      __attribute__((reqd_work_group_size(1, 1, 1)))
      kernel void peak_arithmetic(global uchar* pool, int n, int first, ulong o0) {
        if (n < 0) return;
        global float* out = (global float*)(pool + o0) + (first + get_global_id(0)) * 16;
        const float16 x = (float16)(1.0f - n * 1e-7f);
        float16 a = x, b = x, c = x, d = x, e = x, f = x, g = x, h = x, i = x, j = x, k = x, l = x;
        for (int s = 0; s < STEPS; s++) {
          a = fma(a, x, x); b = fma(b, x, x); c = fma(c, x, x); d = fma(d, x, x);
          e = fma(e, x, x); f = fma(f, x, x); g = fma(g, x, x); h = fma(h, x, x);
          i = fma(i, x, x); j = fma(j, x, x); k = fma(k, x, x); l = fma(l, x, x);
        }
        vstore16(a + b + c + d + e + f + g + h + i + j + k + l, 0, out);
      }
      __attribute__((reqd_work_group_size(1, 1, 1)))
      kernel void peak_memory(global uchar* pool, int n, int first, ulong o0, ulong o1) {
        if (n < 0) return;
        const long item = first + (long)get_global_id(0);
        global const float* in = (global const float*)(pool + o1) + item * (BYTES / 4);
        float16 a = 0, b = 0, c = 0, d = 0;
        for (long s = 0; s < BYTES / 256; s++, in += 64) {
          a += vload16(0, in); b += vload16(1, in); c += vload16(2, in); d += vload16(3, in);
        }
        vstore16(a + b + c + d, 0, (global float*)(pool + o0) + item * 16);
      }
      """;

  private static final String OPTIONS =
      "-cl-std=CL1.2 -DSTEPS=%d -DBYTES=%d".formatted(STEPS, ITEM_BYTES);

  private PeakMeter() {}

  /// The peaks of the device that the engine options name; empty for another kind of device.
  static Optional<Peaks> measure(Setting setting) {
    try (Device device = setting.openDevice()) {
      return device.info().kind() == DeviceInfo.Kind.OPENCL_CPU
          ? Optional.of(measure(device))
          : Optional.empty();
    }
  }

  private static Peaks measure(Device device) {
    device.openPool(ITEMS * (ITEM_BYTES + 64));
    double arithmetic = best(device, "peak_arithmetic", List.of(0));
    double memory = best(device, "peak_memory", List.of(0, 1));
    return new Peaks(ITEMS * OPERATIONS / arithmetic, ITEMS * ITEM_BYTES / memory);
  }

  /* Nanoseconds of the fastest run of a kernel. */
  private static double best(Device device, String kernel, List<Integer> offsets) {
    List<ProgramCode.KernelCode> kernels =
        List.of(
            new ProgramCode.OpenClKernel("peak_arithmetic", 1),
            new ProgramCode.OpenClKernel("peak_memory", 2));
    var launch = new Launch(kernel, offsets, new Launch.Items(Affine.of(ITEMS), 1));
    double best = Double.MAX_VALUE;
    try (DeviceProgram program = device.build(new ProgramCode("peaks", TEXT, OPTIONS, kernels));
        ExecutionContext commands =
            device.prepare(program, List.of(launch), new Device.StagingSize(0, 0))) {
      commands.bind(new Binding(new long[] {0, ITEMS * 64}, List.of(), List.of()), 1);
      for (int i = 0; i < RUNS; i++) {
        long start = System.nanoTime();
        commands.run(true);
        best = Math.min(best, System.nanoTime() - start);
      }
    }
    return best;
  }
}
