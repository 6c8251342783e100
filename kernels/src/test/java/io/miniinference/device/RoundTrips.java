package io.miniinference.device;

import io.miniinference.device.Device.StagingSize;
import io.miniinference.device.Launch.Items;
import io.miniinference.device.ProgramCode.JavaKernel;
import io.miniinference.device.ProgramCode.OpenClKernel;
import io.miniinference.device.choice.Devices;
import io.miniinference.layout.Affine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// Prints what a run of small launches costs on each device, in microseconds. Run by hand.
final class RoundTrips {
  private static final ProgramCode OPEN_CL =
      new ProgramCode(
          "empty",
          """
          __attribute__((reqd_work_group_size(1, 1, 1)))
          kernel void touch(global uchar* pool, int n, int first, ulong o0) {
            if (n < 0) return;
            pool[o0 + first + get_global_id(0)] = 1;
          }
          """,
          "",
          List.of(new OpenClKernel("touch", 1)));

  private static final ProgramCode JAVA =
      new ProgramCode(
          "empty",
          "",
          "",
          List.of(
              new JavaKernel(
                  "touch",
                  (pool, _, first, count, offsets) -> {
                    for (long i = first; i < first + count; i++) {
                      pool.set(java.lang.foreign.ValueLayout.JAVA_BYTE, offsets[0] + i, (byte) 1);
                    }
                  })));

  private RoundTrips() {}

  public static void main(String[] args) throws Exception {
    Path cache = Files.createTempDirectory("mie-round-trips");
    Devices devices = new Devices(cache);
    devices.list().forEach(System.out::println);
    devices.withoutOpenCl().ifPresent(System.out::println);
    try (Device device = devices.open(Devices.Choice.AUTO)) {
      measure(device, device.info().isOpenCl() ? OPEN_CL : JAVA);
    }
    try (Device device = devices.open(Devices.Choice.JVM)) {
      measure(device, JAVA);
    }
  }

  private static void measure(Device device, ProgramCode code) {
    device.openPool(1 << 20);
    for (int launches : new int[] {1, 3, 10}) {
      List<Launch> list =
          Collections.nCopies(launches, new Launch("touch", List.of(0), new Items(Affine.N, 1)));
      try (DeviceProgram program = device.build(code);
          ExecutionContext commands = device.prepare(program, list, new StagingSize(4096, 4096))) {
        Binding binding =
            new Binding(
                new long[] {4096},
                List.of(new Binding.Region(0, Affine.of(3136))),
                List.of(new Binding.Region(4096, Affine.of(40))));
        measure(device.info().kind() + " x" + launches, commands, binding, false, 2, 2);
        measure(
            device.info().kind() + " x" + launches + " batches", commands, binding, false, 1, 2);
        measure(
            device.info().kind() + " x" + launches + " parallel", commands, binding, true, 2, 2);
      }
    }
    System.out.println(device.driverCalls());
  }

  private static void measure(
      String name, ExecutionContext commands, Binding binding, boolean parallel, int n, int other) {
    double[] micros = new double[20_000];
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < micros.length; i++) {
        long start = System.nanoTime();
        commands.bind(binding, (i & 1) == 0 ? n : other);
        commands.input(0);
        commands.run(parallel);
        commands.output(0);
        micros[i] = (System.nanoTime() - start) / 1e3;
      }
    }
    Arrays.sort(micros);
    System.out.printf(
        "%-34s median %.2f min %.2f p99 %.2f us%n",
        name, micros[micros.length / 2], micros[0], micros[micros.length * 99 / 100]);
  }
}
