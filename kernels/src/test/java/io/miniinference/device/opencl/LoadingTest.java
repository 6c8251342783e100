package io.miniinference.device.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.Binding;
import io.miniinference.device.Child;
import io.miniinference.device.Device;
import io.miniinference.device.DeviceContract;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.Launch;
import io.miniinference.device.Launch.Items;
import io.miniinference.device.ProgramCode;
import io.miniinference.device.TestCache;
import io.miniinference.device.TestKernels;
import io.miniinference.device.choice.Devices;
import io.miniinference.layout.Affine;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Programs are loaded while others run, and beside other processes.
@Tag("opencl")
final class LoadingTest {
  private static final long POOL_BYTES = 8L << 20;
  private static final Device.StagingSize STAGING = new Device.StagingSize(4096, 4096);
  private static final Launch COUNT = new Launch("count", List.of(0), new Items(Affine.N, 1));

  /* PoCL used to wait for ever within a few of these. */
  @Test
  @Timeout(300)
  void requestsAreServedWhileProgramsAreLoaded() throws Exception {
    try (Device device = open(TestCache.FOLDER)) {
      serveWhileLoading(device, 2, 15);
    }
  }

  @Test
  @Timeout(300)
  void theyAreServedOnTheOnlyDeviceToo() throws Exception {
    Process process =
        Child.start(ServeOnOne.class, Map.of("POCL_DEVICES", "basic"), TestCache.FOLDER.toString());
    assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  static final class ServeOnOne {
    private ServeOnOne() {}

    public static void main(String[] args) throws Exception {
      try (Device device = open(Path.of(args[0]))) {
        assertThat(device.info().workers()).isEqualTo(1);
        serveWhileLoading(device, 2, 5);
      }
    }
  }

  private static Device open(Path cache) {
    Device device = new Devices(cache).open(Devices.Choice.OPENCL);
    device.openPool(POOL_BYTES);
    return device;
  }

  private static void serveWhileLoading(Device device, int callers, int loads) throws Exception {
    AtomicBoolean loading = new AtomicBoolean(true);
    try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
      List<Future<Integer>> served = new ArrayList<>();
      for (int caller = 0; caller < callers; caller++) {
        served.add(threads.submit(serve(device, caller * 65_536L, loading)));
      }
      try {
        for (int load = 0; load < loads; load++) {
          device.prepare(device.build(fresh()), List.of(COUNT), STAGING).close();
        }
      } finally {
        loading.set(false);
      }
      for (Future<Integer> runs : served) {
        assertThat(runs.get()).isPositive();
      }
    }
  }

  private static ProgramCode fresh() {
    return TestKernels.openCl(UUID.randomUUID().toString());
  }

  /// Counts up the cells of its own part of the pool, looking at all of them after each run.
  private static Callable<Integer> serve(Device device, long offset, AtomicBoolean loading) {
    ExecutionContext commands = device.prepare(device.build(fresh()), List.of(COUNT), STAGING);
    return () -> {
      int runs = 0;
      Binding binding = DeviceContract.at(offset);
      while (loading.get()) {
        int n = 1 + runs % 5_000;
        device.upload(offset, MemorySegment.ofArray(new int[n]));
        commands.bind(binding, n);
        commands.run(runs % 2 == 0);
        int[] cells = new int[n];
        device.download(offset, MemorySegment.ofArray(cells));
        assertThat(cells).containsOnly(1);
        runs++;
      }
      return runs;
    };
  }

  /* With 128 kernels more PoCL used to drop those that were loaded first, though their program was
  still open, and to abort the process once they ran in shares. */
  @Test
  @Timeout(300)
  void kernelsOfOpenProgramsStayLoaded() {
    try (Device device = open(TestCache.FOLDER)) {
      Launch uneven = new Launch("count", List.of(0), new Items(new Affine(1, 2), 1));
      ExecutionContext commands = device.prepare(device.build(fresh()), List.of(uneven), STAGING);
      loadAndClose(device, 130);
      Binding binding = DeviceContract.at(0);
      for (int n = 1; n <= 20_000; n++) {
        commands.bind(binding, n);
        commands.run(true);
      }
      int[] cells = new int[2];
      device.download(0, MemorySegment.ofArray(cells));
      assertThat(cells).containsOnly(20_000);
      assertThat(device.driverCalls().variants()).isEqualTo(3); // each kernel of the program, once
    }
  }

  /* All kernels of a program are loaded when it is prepared. */
  private static void loadAndClose(Device device, int kernels) {
    int loaded = 0;
    while (loaded < kernels) {
      DeviceProgram program = device.build(TestKernels.openCl("number " + loaded));
      device.prepare(program, List.of(COUNT), STAGING).close();
      loaded += program.kernels();
      program.close();
    }
  }

  /* PoCL aborts when it reads what another process has half written. */
  @Test
  @Timeout(120)
  void nothingIsCompiledWhileAnotherProcessCompiles() throws Exception {
    try (Device device = open(TestCache.FOLDER);
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Process other = Child.start(HoldLock.class, Map.of(), OpenClTargets.poclCache().toString());
      assertThat(other.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("held");
      Future<DeviceProgram> built = thread.submit(() -> device.build(fresh()));
      while (!isAnyoneIn(CacheLock.class)) {
        assertThat(built).isNotDone();
      }
      other.getOutputStream().close();
      assertThat(built.get().kernels()).isEqualTo(3);
      assertThat(other.waitFor()).isZero();
    }
  }

  private static boolean isAnyoneIn(Class<?> type) {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(frame -> frame.getClassName().equals(type.getName()));
  }

  /// Holds the lock on a cache until its input ends.
  static final class HoldLock {
    private HoldLock() {}

    public static void main(String[] args) throws IOException {
      try (CacheLock lock = CacheLock.take(Path.of(args[0]))) {
        System.out.println(lock.channel() == null ? "no lock" : "held");
        System.in.readAllBytes();
      }
    }
  }
}
