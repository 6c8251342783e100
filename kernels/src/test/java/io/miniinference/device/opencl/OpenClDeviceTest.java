package io.miniinference.device.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.Device;
import io.miniinference.device.DeviceContract;
import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.Launch;
import io.miniinference.device.Launch.Extent;
import io.miniinference.device.Launch.Groups;
import io.miniinference.device.Launch.Items;
import io.miniinference.device.ProgramCode;
import io.miniinference.device.ProgramCode.OpenClKernel;
import io.miniinference.device.TestCache;
import io.miniinference.device.TestKernels;
import io.miniinference.device.choice.Devices;
import io.miniinference.layout.Affine;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("opencl")
final class OpenClDeviceTest extends DeviceContract {
  private static final String QUOTIENTS_AND_ROOTS =
      """
      __attribute__((reqd_work_group_size(1, 1, 1)))
      kernel void f(global uchar* pool, int n, int first, ulong o0, ulong o1) {
        if (n < 0) return;
        size_t i = first + get_global_id(0);
        global const float* x = (global const float*) (pool + o0) + 2 * i;
        global float* y = (global float*) (pool + o1) + 2 * i;
        y[0] = x[0] / x[1];
        y[1] = sqrt(x[0]);
      }
      """;

  @Override
  protected Device open() {
    return new Devices(TestCache.FOLDER).open(Devices.Choice.OPENCL);
  }

  @Override
  protected ProgramCode code() {
    return TestKernels.openCl();
  }

  private DeviceProgram build(String source, OpenClKernel... kernels) {
    return device.build(new ProgramCode("made up", source, "", List.of(kernels)));
  }

  @Test
  void textThatDoesNotCompileIsRefusedWithTheBuildLog() {
    assertThatThrownBy(() -> build("kernel void f(int n) { whatever; }"))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("clBuildProgram failed with CL_BUILD_PROGRAM_FAILURE (-11)")
        .hasMessageContaining("program 'made up'")
        .hasMessageContaining("whatever");
    assertThat(device.healthy()).isTrue();
  }

  /* NVIDIA's compiler leaves quotients a unit off unless it is told not to. */
  @Test
  void quotientsAndRootsOfFloatsAreRoundedAsInJava() {
    int count = 4096;
    float[] numbers = positiveFloats(2 * count);
    program = build(QUOTIENTS_AND_ROOTS, new OpenClKernel("f", 2));
    device.upload(256, MemorySegment.ofArray(numbers));
    ExecutionContext commands = prepare(new Launch("f", List.of(0, 1), new Items(Affine.N, 1)));
    commands.bind(at(256, 65_536), count);
    commands.run(false);
    int[] results = cells(65_536, 2 * count);
    for (int i = 0; i < count; i++) {
      float x = numbers[2 * i];
      float y = numbers[2 * i + 1];
      assertThat(Float.intBitsToFloat(results[2 * i])).as("%s / %s", x, y).isEqualTo(x / y);
      float root = (float) Math.sqrt(x);
      assertThat(Float.intBitsToFloat(results[2 * i + 1])).as("sqrt %s", x).isEqualTo(root);
    }
  }

  /* Normal floats whose quotients are normal too. */
  private static float[] positiveFloats(int count) {
    Random random = new Random(5);
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = (float) Math.scalb(1 + random.nextDouble(), random.nextInt(-40, 40));
    }
    return numbers;
  }

  /* The first device compiles it, the second finds it in the cache. */
  @Test
  void kernelsThatWereCompiledAreToldFromThoseOfTheCache() {
    String source = QUOTIENTS_AND_ROOTS.replace("n < 0", "n < 0 || n == " + neverUsed());
    assertThat(compiledFor(device, source)).isOne();
    assertThat(compiledFor(device, source)).isZero();
    try (Device later = open()) {
      later.openPool(1 << 20);
      assertThat(compiledFor(later, source)).isZero();
    }
  }

  /* Makes a program that no cache has: PoCL looks at what the preprocessor leaves of a text. */
  private static int neverUsed() {
    return new Random().nextInt(1 << 30, Integer.MAX_VALUE);
  }

  /* As of a model that passes its input on: its kernels have no work, and are compiled all the same. */
  @Test
  void whatIsCompiledForNoLaunchIsListedToo() throws IOException {
    String kernel = "f" + neverUsed();
    program =
        build(
            QUOTIENTS_AND_ROOTS.replace("kernel void f(", "kernel void " + kernel + "("),
            new OpenClKernel(kernel, 2));

    prepare();

    Path list = OpenClTargets.poclCache().resolve("inventory.txt");
    boolean isPocl = device.info().platform().equals("Portable Computing Language");
    assertThat(Files.exists(list) && Files.readString(list).contains("/" + kernel + "/"))
        .isEqualTo(isPocl);
  }

  private static long compiledFor(Device on, String source) {
    long before = on.driverCalls().compiled();
    var code = new ProgramCode("made up", source, "", List.of(new OpenClKernel("f", 2)));
    try (DeviceProgram built = on.build(code);
        ExecutionContext commands =
            on.prepare(
                built,
                List.of(new Launch("f", List.of(0, 1), new Items(Affine.N, 1))),
                new Device.StagingSize(0, 0))) {
      assertThat(commands).isNotNull();
      return on.driverCalls().compiled() - before;
    }
  }

  @Test
  void aKernelWithOtherArgumentsIsRefused() {
    program =
        build("kernel void f(global uchar* pool, int n, int first) {}", new OpenClKernel("f", 1));
    assertThatThrownBy(() -> prepare(new Launch("f", List.of(0), new Items(Affine.N, 1))))
        .hasMessageContaining("kernel 'f' takes 3 arguments, and its launch gives 4");
  }

  @Test
  void aKernelForOtherWorkGroupsIsRefused() {
    program =
        build("kernel void f(global uchar* pool, int n, int first) {}", new OpenClKernel("f", 0));
    assertThatThrownBy(() -> prepare(new Launch("f", List.of(), new Items(Affine.N, 1))))
        .hasMessageContaining("kernel 'f' is launched in groups of [1, 1, 1]")
        .hasMessageContaining("requires [0, 0, 0]");
  }

  @Test
  void workGroupsShareLocalMemoryInPiecesOfTheGrid() {
    program =
        build(
            """
            __attribute__((reqd_work_group_size(8, 2, 1)))
            kernel void sums(global uchar* pool, int n, int first, ulong o0) {
              if (n < 0) return;
              local int parts[16];
              int x = get_local_id(0), y = get_local_id(1);
              parts[y * 8 + x] = 1 << y;
              barrier(CLK_LOCAL_MEM_FENCE);
              if (x == 0 && y == 0) {
                int sum = 0;
                for (int i = 0; i < 16; i++) sum += parts[i];
                int group = first + get_group_id(0);
                ((global int*) (pool + o0))[get_group_id(1) * n + group] += sum + group;
              }
            }
            """,
            new OpenClKernel("sums", 1));
    Groups groups =
        new Groups(List.of(new Extent(Affine.batch(5), 5, 8), new Extent(Affine.of(3), 2, 2)));
    ExecutionContext commands = prepare(new Launch("sums", List.of(0), groups));
    int n = 20_000;
    store(0, new int[2 * n]);
    commands.bind(at(0), n);
    commands.run(true);
    int[] sums = cells(0, 2 * n);
    for (int i = 0; i < 2 * n; i++) {
      assertThat(sums[i]).isEqualTo(24 + i % n);
    }
  }

  @Test
  void workGroupsInTurnSeeWhatThoseBeforeThemWrote() {
    program =
        build(
            """
            __attribute__((reqd_work_group_size(8, 1, 1)))
            kernel void add(global uchar* pool, int n, int first, ulong o0) {
              if (n < 0) return;
              global int* cells = (global int*) (pool + o0);
              int turn = first + get_group_id(0);
              int group = get_group_id(1);
              if (get_local_id(0) == 0) {
                cells[(turn + 1) * n + group] = cells[turn * n + (group + 1) % n] + turn;
              }
            }
            """,
            new OpenClKernel("add", 1));
    int turns = 20;
    List<Extent> extents = List.of(new Extent(Affine.of(turns), 1, 8), new Extent(Affine.N, 1, 1));
    Groups groups = new Groups(extents, Launch.Batches.ALL, true);
    ExecutionContext commands = prepare(new Launch("add", List.of(0), groups));
    int n = 7;
    int[] cells = new int[(turns + 1) * n];
    for (int i = 0; i < n; i++) {
      cells[i] = 1000 * i;
    }
    store(0, cells);
    commands.bind(at(0), n);
    commands.run(true);
    int[] found = cells(0, cells.length);
    for (int i = 0; i < n; i++) {
      assertThat(found[turns * n + i]).isEqualTo(1000 * ((i + turns) % n) + 190);
    }
  }

  @Test
  void kernelsInJavaAreRefused() {
    assertThatThrownBy(() -> device.build(TestKernels.java()))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("'count' is Java");
  }

  @Test
  void variantsAreCountedOnceAndGivenBack() {
    long before = device.driverCalls().variants();
    prepare(
        new Launch("count", List.of(0), new Items(Affine.N, 1)),
        new Launch("count", List.of(0), new Items(Affine.ONE, 1)));
    // the program's other two are launched for nothing once, too: a further shape finds them ready
    assertThat(device.driverCalls().variants() - before).isEqualTo(3);
    program.close();
    assertThat(device.driverCalls().variants()).isEqualTo(before);
  }
}
