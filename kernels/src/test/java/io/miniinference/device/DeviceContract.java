package io.miniinference.device;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.Binding.Region;
import io.miniinference.device.Device.StagingSize;
import io.miniinference.device.Launch.Items;
import io.miniinference.layout.Affine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What every device keeps to.
public abstract class DeviceContract {
  public static final long POOL_BYTES = 8L << 20;
  private static final StagingSize STAGING = new StagingSize(4096, 4096);
  private static final Items PER_ROW = new Items(Affine.N, 1);
  private static final Launch COUNT = new Launch("count", List.of(0), PER_ROW);
  private static final Affine FOUR_PER_ROW = Affine.batch(4);

  public Device device;
  public DeviceProgram program;

  protected abstract Device open();

  protected abstract ProgramCode code();

  @BeforeEach
  protected void openDevice() {
    device = open();
    device.openPool(POOL_BYTES);
    program = device.build(code());
  }

  @AfterEach
  protected void closeDevice() {
    device.close();
  }

  protected ExecutionContext prepare(Launch... launches) {
    return device.prepare(program, List.of(launches), STAGING);
  }

  public static Binding at(long... offsets) {
    return new Binding(offsets, List.of(), List.of());
  }

  protected int cell(long offsetBytes) {
    return cells(offsetBytes, 1)[0];
  }

  protected int[] cells(long offsetBytes, int count) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(4L * count);
      device.download(offsetBytes, target);
      return target.toArray(JAVA_INT_UNALIGNED);
    }
  }

  protected void store(long offsetBytes, int... values) {
    device.upload(offsetBytes, MemorySegment.ofArray(values));
  }

  @ParameterizedTest
  @CsvSource({
    "0", "1", "2", "3", "7", "1000", "65533", "65534", "65535", "65536", "131069", "200001",
    "262144"
  })
  void everyItemRunsExactlyOnce(int n) {
    ExecutionContext commands = prepare(COUNT);
    commands.bind(at(256), n);
    for (boolean parallel : new boolean[] {false, true}) {
      store(256, new int[n + 1]);
      commands.run(parallel);
      assertThat(cells(256, n + 1)).isEqualTo(Arrays.copyOf(ones(n), n + 1));
    }
  }

  /* Odd counts, so that the workers' shares differ in width, and each run wider than all before:
  PoCL used to abort the process within a few hundred of these. */
  @Test
  void growingBatchesMayBeSharedUnevenly() {
    int runs = 20_000;
    Launch uneven = new Launch("count", List.of(0), new Items(new Affine(1, 2), 1));
    ExecutionContext commands = prepare(uneven);
    store(256, new int[2 * runs + 1]);
    Binding binding = at(256);
    for (int n = 1; n <= runs; n++) {
      commands.bind(binding, n);
      commands.run(true);
    }
    assertThat(cell(256)).isEqualTo(runs);
    assertThat(cell(256 + 4 * (2 * runs))).isEqualTo(1);
  }

  private static int[] ones(int n) {
    int[] ones = new int[n];
    Arrays.fill(ones, 1);
    return ones;
  }

  @Test
  void itemsAreTilesTimesOthers() {
    Items items = new Items(Affine.batch(10), 4, 3, 2);
    ExecutionContext commands = prepare(new Launch("count", List.of(0), items));
    store(0, new int[40]);
    commands.bind(at(0), 3);
    commands.run(true);
    assertThat(cells(0, 40)).isEqualTo(Arrays.copyOf(ones(24), 40));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void launchesSeeWhatThoseBeforeThemWrote(boolean parallel) {
    int n = 5_001;
    ExecutionContext commands =
        prepare(
            new Launch("count", List.of(0), PER_ROW),
            new Launch("mirror", List.of(0, 1), PER_ROW),
            new Launch("mirror", List.of(1, 2), PER_ROW),
            new Launch("mirror", List.of(2, 0), PER_ROW));
    commands.bind(at(0, 65_536, 131_072), n);
    store(0, new int[n]);
    for (int run = 1; run <= 50; run++) {
      commands.run(parallel);
    }
    assertThat(cells(0, n)).isEqualTo(mirroredThrice(n, 50));
  }

  private static int[] mirroredThrice(int n, int runs) {
    int[] cells = new int[n];
    for (int run = 0; run < runs; run++) {
      for (int i = 0; i < n; i++) {
        cells[i]++;
      }
      for (int k = 0; k < 3; k++) {
        cells = mirrored(cells);
      }
    }
    return cells;
  }

  private static int[] mirrored(int[] from) {
    int[] to = new int[from.length];
    for (int i = 0; i < to.length; i++) {
      to[i] = from[to.length - 1 - i] + i;
    }
    return to;
  }

  @Test
  void offsetsAndBatchesMayChangeBetweenRuns() {
    ExecutionContext commands =
        prepare(new Launch("batch", List.of(1), new Items(Affine.ONE, 1)), COUNT);
    store(0, new int[1024]);
    Binding low = at(0, 1024);
    Binding high = at(2048, 3072);
    for (int n : new int[] {1, 3, 3, 2}) {
      commands.bind(low, n);
      commands.run(false);
      commands.bind(high, n + 10);
      commands.run(true);
      assertThat(cell(1024)).isEqualTo(n);
      assertThat(cell(3072)).isEqualTo(n + 10);
    }
    assertThat(cells(0, 4)).containsExactly(4, 3, 2, 0);
    assertThat(cells(2048, 14)).containsExactly(4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3, 2, 0);
  }

  @Test
  void constantWorkRunsAtBatchZero() {
    store(0, -1, -1);
    ExecutionContext commands =
        prepare(
            new Launch("batch", List.of(0), new Items(Affine.ONE, 1)),
            new Launch("count", List.of(1), PER_ROW));
    commands.bind(at(0, 4), 0);
    commands.run(false);
    assertThat(cells(0, 2)).containsExactly(0, -1);
  }

  @Test
  void preparingWritesNothing() {
    int[] before = new int[(int) (POOL_BYTES / 4)];
    Arrays.fill(before, 0x5a5a5a5a);
    store(0, before);
    prepare(COUNT, new Launch("mirror", List.of(0, 0), PER_ROW), COUNT);
    assertThat(cells(0, before.length)).isEqualTo(before);
  }

  @Test
  void inputsGoInAndOutputsComeBack() {
    ExecutionContext commands =
        device.prepare(
            program,
            List.of(new Launch("mirror", List.of(0, 1), PER_ROW)),
            new StagingSize(4096, 4096));
    Binding binding =
        new Binding(
            new long[] {512, 8192},
            List.of(new Region(512, FOUR_PER_ROW)),
            List.of(new Region(8192, FOUR_PER_ROW), new Region(512, FOUR_PER_ROW)));
    for (int n : new int[] {3, 1, 100, 0, 2}) {
      commands.bind(binding, n);
      int[] values = IntStream.range(0, n).map(i -> i * i + n).toArray();
      commands.input(0).copyFrom(MemorySegment.ofArray(values));
      commands.run(n > 50);
      assertThat(commands.input(0).byteSize()).isEqualTo(4L * n);
      assertThat(commands.output(0).toArray(JAVA_INT_UNALIGNED)).isEqualTo(mirrored(values));
      assertThat(commands.output(1).toArray(JAVA_INT_UNALIGNED)).isEqualTo(values);
    }
  }

  /// However large they are and wherever in the pool, and when they come again.
  @ParameterizedTest
  @ValueSource(longs = {0, 4, 12})
  void transfersMoveTheirBytesAndNoOthers(long behindAligned) {
    List<Region> regions = new ArrayList<>();
    for (int bytes : new int[] {1, 3, 15, 16, 17, 100, 4099, 65_536, 70_000, 500_000}) {
      regions.add(new Region(regions.size() * 600_064L + behindAligned, Affine.of(bytes)));
    }
    ExecutionContext commands =
        device.prepare(program, List.of(COUNT), new StagingSize(1 << 20, 1 << 20));
    Binding binding = new Binding(new long[] {POOL_BYTES - 64}, regions, regions);
    for (byte run = 1; run <= 3; run++) {
      commands.bind(binding, 1);
      for (int i = 0; i < regions.size(); i++) {
        commands.input(i).fill((byte) (run * 16 + i));
      }
      commands.run(false);
      for (int i = 0; i < regions.size(); i++) {
        byte[] expected = new byte[(int) commands.input(i).byteSize()];
        Arrays.fill(expected, (byte) (run * 16 + i));
        assertThat(commands.output(i).toArray(JAVA_BYTE)).isEqualTo(expected);
        assertThat(isZeroAround(regions.get(i))).isTrue();
      }
    }
  }

  private boolean isZeroAround(Region region) {
    long end = region.offsetBytes() + region.sizeBytes().at(1);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment behind = arena.allocate(64);
      device.download(end, behind);
      MemorySegment before = arena.allocate(Math.min(64, region.offsetBytes()));
      device.download(region.offsetBytes() - before.byteSize(), before);
      return behind.mismatch(arena.allocate(64)) < 0
          && before.mismatch(arena.allocate(before.byteSize())) < 0;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void instancesServeManyThreadsAtOnce(boolean virtual) throws Exception {
    List<Future<?>> all = new ArrayList<>();
    try (ExecutorService threads =
        virtual ? Executors.newVirtualThreadPerTaskExecutor() : Executors.newFixedThreadPool(8)) {
      for (int instance = 0; instance < 8; instance++) {
        long base = instance * 65_536L;
        ExecutionContext commands =
            prepare(COUNT, new Launch("mirror", List.of(0, 1), PER_ROW), COUNT);
        all.add(threads.submit(() -> serve(commands, base)));
      }
    }
    for (Future<?> one : all) {
      one.get();
    }
    assertThat(all).hasSize(8);
  }

  private void serve(ExecutionContext commands, long base) {
    Binding binding =
        new Binding(
            new long[] {base, base + 32_768},
            List.of(new Region(base, FOUR_PER_ROW)),
            List.of(new Region(base + 32_768, FOUR_PER_ROW)));
    for (int run = 0; run < 300; run++) {
      int n = 1 + run % 97;
      commands.bind(binding, n);
      commands.input(0).fill((byte) 0);
      commands.run(run % 3 == 0);
      int[] expected = new int[n];
      Arrays.setAll(expected, i -> i + 1);
      assertThat(commands.output(0).toArray(JAVA_INT_UNALIGNED)).isEqualTo(expected);
    }
  }

  @Test
  void aRunMakesItsLaunchesAndOneWaitAndNothingElse() {
    ExecutionContext commands = prepare(COUNT, COUNT, COUNT);
    Binding binding = at(0);
    commands.bind(binding, 4);
    commands.run(false);
    DriverCalls before = device.driverCalls();
    for (int run = 0; run < 10; run++) {
      commands.bind(binding, 1 + run % 4);
      commands.run(false);
    }
    DriverCalls after = device.driverCalls();
    assertThat(after.launches() - before.launches()).isEqualTo(30);
    assertThat(after.waits() - before.waits()).isEqualTo(10);
    assertThat(after.allocations()).isEqualTo(before.allocations());
    assertThat(after.builds()).isEqualTo(before.builds());
    assertThat(after.transfers()).isEqualTo(before.transfers());
    assertThat(after.variants()).isEqualTo(before.variants());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aScriptLaunchesWhereItWantsAndReadsOnTheWay(boolean parallel) {
    ExecutionContext commands =
        device.prepare(program, List.of(COUNT, COUNT), new StagingSize(4096, 4096, 64));
    store(0, new int[1024]);
    commands.bind(at(0), 3);
    DriverCalls before = device.driverCalls();
    int[] seen = new int[4];
    commands.run(
        parallel,
        launcher -> {
          assertThat(launcher.launches()).isEqualTo(2);
          for (int k = 0; k < 4; k++) {
            launcher.offset(0, 256L * (k / 2));
            launcher.launch(k % 2);
            launcher.launch(0);
            int[] last = new int[1];
            int[] beyond = new int[1];
            launcher.read(
                new Launcher.Read(256L * (k / 2) + 8, MemorySegment.ofArray(last)),
                new Launcher.Read(256L * (k / 2) + 12, MemorySegment.ofArray(beyond)));
            seen[k] = 10 * last[0] + beyond[0];
          }
        });
    assertThat(seen).containsExactly(20, 40, 20, 40);
    assertThat(cells(256, 4)).containsExactly(4, 4, 4, 0);
    assertThat(device.driverCalls().waits() - before.waits()).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatAScriptThrowsEndsTheRunAndNoOther(boolean parallel) {
    ExecutionContext commands = prepare(COUNT);
    store(0, new int[64]);
    commands.bind(at(0), 5);
    assertThatThrownBy(() ->
            commands.run(
                parallel,
                launcher -> {
                  launcher.launch(0);
                  throw new IllegalArgumentException("enough");
                }))
        .hasMessage("enough");
    assertThat(cell(0)).isEqualTo(1);
    assertThat(device.healthy()).isTrue();
    commands.run(parallel);
    assertThat(cells(0, 6)).containsExactly(2, 2, 2, 2, 2, 0);
  }

  @Test
  void runsAfterTheDeviceIsClosedAreRefused() {
    ExecutionContext commands = prepare(COUNT);
    commands.bind(at(0), 1);
    commands.run(false);
    device.close();
    assertThatThrownBy(() -> commands.run(false)).hasMessageContaining("the device is closed");
    assertThatThrownBy(() -> commands.run(true)).hasMessageContaining("the device is closed");
  }

  @Test
  void anUnknownKernelIsNamed() {
    assertThatThrownBy(() -> prepare(new Launch("nonsense", List.of(), PER_ROW)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'test kernels'")
        .hasMessageContaining("'nonsense'");
  }

  @Test
  void aBatchThatIsTooLargeIsRefusedAndTheNextIsFine() {
    Items many = new Items(Affine.batch(1L << 20), 1);
    ExecutionContext commands = prepare(new Launch("batch", List.of(0), many));
    assertThatThrownBy(() -> commands.bind(at(0), 4096))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4294967296 work items at batch size 4096");
    assertThatThrownBy(() -> commands.bind(at(0), -1)).hasMessageContaining("-1 is negative");
    commands.bind(at(0), 0);
    commands.run(false);
    assertThat(device.healthy()).isTrue();
  }

  @Test
  void aPoolTooLargeIsRefusedWithTheFigures() {
    try (Device other = open()) {
      long tooMuch = other.info().maxPoolBytes() + 1;
      assertThatThrownBy(() -> other.openPool(tooMuch))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("a pool of %,d bytes".formatted(tooMuch))
          .hasMessageContaining("engine.pool.capacity");
    }
  }

  @Test
  void transfersOutsideThePoolAreRefused() {
    MemorySegment eight = MemorySegment.ofArray(new byte[8]);
    assertThatThrownBy(() -> device.upload(POOL_BYTES - 4, eight))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> device.download(-1, eight))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aPoolIsZeroAtFirst() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = arena.allocate(POOL_BYTES);
      all.fill((byte) 1);
      device.download(0, all);
      assertThat(all.mismatch(arena.allocate(POOL_BYTES))).isEqualTo(-1);
      assertThat(all.get(JAVA_BYTE, POOL_BYTES - 1)).isZero();
    }
  }

  @Test
  void closingTwiceIsClosingOnceAndLeavesNoThread() throws ExecutionException {
    ExecutionContext commands = prepare(COUNT);
    commands.bind(at(0), 5_000);
    commands.run(true);
    commands.close();
    commands.close();
    program.close();
    program.close();
    device.close();
    device.close();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("mie-"));
    assertThatThrownBy(() -> device.upload(0, MemorySegment.ofArray(new byte[1])))
        .hasMessageContaining("closed");
  }
}
