package io.miniinference.device.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.Child;
import io.miniinference.device.Device;
import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.TestCache;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jocl.LibUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DevicesTest {
  /* Enough for huge pages. */
  private static final long POOL_BYTES = 8 << 20;

  /* JOCL's own name for the file. */
  private static final String UNPACKED =
      LibUtils.createLibraryFileName(LibUtils.createPlatformLibraryName("JOCL_2_0_6"));

  private final Devices devices = new Devices(TestCache.FOLDER);

  @Test
  void theJvmIsAlwaysThereAndLast() {
    assertThat(devices.list().getLast().kind()).isEqualTo(DeviceInfo.Kind.JVM);
    assertThat(devices.list()).isSortedAccordingTo((a, b) -> a.kind().compareTo(b.kind()));
    try (Device jvm = devices.open(Devices.Choice.JVM)) {
      assertThat(jvm.info()).isEqualTo(devices.list().getLast());
    }
  }

  @Test
  @Tag("opencl")
  void anOpenClDeviceIsPreferred() {
    assertThat(devices.withoutOpenCl()).isEmpty();
    try (Device best = devices.open(Devices.Choice.AUTO)) {
      assertThat(best.info()).isEqualTo(devices.list().getFirst());
      assertThat(best.info().isOpenCl()).isTrue();
    }
  }

  @Test
  @Tag("opencl")
  void devicesAreChosenByIndexOrByPartOfTheirName() {
    DeviceInfo first = devices.list().getFirst();
    String part = first.name().substring(0, 5).toUpperCase(java.util.Locale.ROOT);
    for (String selector : List.of("0", part, " ")) {
      try (Device device =
          devices.open(new Devices.Choice(Devices.Kind.OPENCL, first.platform(), selector))) {
        assertThat(device.info()).isEqualTo(first);
      }
    }
  }

  @Test
  void aDeviceThatIsNotThereIsNotReplacedByAnother() {
    assertThatThrownBy(
            () -> devices.open(new Devices.Choice(Devices.Kind.AUTO, null, "Voodoo 5 6000")))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("OpenCL");
  }

  /* Here there is a GPU or a CPU, and with neither the reason why. */
  @Test
  void whoAsksForAGpuGetsNoOtherDevice() {
    if (devices.list().getFirst().kind() == DeviceInfo.Kind.OPENCL_GPU) {
      try (Device gpu = devices.open(Devices.Choice.GPU)) {
        assertThat(gpu.info()).isEqualTo(devices.list().getFirst());
      }
    } else {
      assertThatThrownBy(() -> devices.open(Devices.Choice.GPU))
          .isInstanceOf(DeviceException.class)
          .hasMessageMatching(
              "there is no GPU, and engine.device=gpu takes no other device: (there are: |no OpenCL).*");
    }
  }

  @Test
  void kindsAreReadByName() {
    assertThat(Devices.Kind.of("opencl")).isEqualTo(Devices.Kind.OPENCL);
    assertThatThrownBy(() -> Devices.Kind.of("cuda"))
        .hasMessage("engine.device 'cuda' is none of auto, gpu, opencl and jvm");
  }

  @Test
  void withoutDriversTheJvmServesAndTheReasonIsOneLine() throws Exception {
    List<String> lines = listWith("OCL_ICD_VENDORS", TestCache.FOLDER.resolve("none").toString());
    assertThat(lines)
        .hasSize(2)
        .first()
        .asString()
        .contains("no OpenCL found")
        .contains("apt-get install pocl-opencl-icd ocl-icd-libopencl1");
    assertThat(lines.getLast()).isEqualTo("JVM");
  }

  /* JOCL takes the system's name, too, and finds no library of that one here. */
  @Test
  void onOtherSystemsTheRemedyIsNoneOfDebian() throws Exception {
    for (String system : List.of("Windows 11", "Mac OS X", "FreeBSD")) {
      List<String> lines = listWith("JDK_JAVA_OPTIONS", "\"-Dos.name=" + system + "\"");
      assertThat(lines.getFirst()).contains("no OpenCL found").doesNotContain("apt-get");
      assertThat(lines.getLast()).isEqualTo("JVM");
    }
  }

  @Test
  @Tag("opencl")
  void aDriverWithoutDevicesIsNoDevice() throws Exception {
    List<String> lines = listWith("POCL_DEVICES", "none");
    assertThat(lines).hasSize(2).first().asString().contains("its drivers show no device");
    assertThat(lines.getLast()).isEqualTo("JVM");
  }

  @Test
  void whereJoclCannotUnpackItsLibraryThatIsToldInPlaceOfPackagesToInstall() throws Exception {
    Path noFolder = Files.createTempFile("no-folder", null);
    List<String> lines =
        list(
            PrintChosenDevice.class,
            List.of("--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=" + noFolder));
    assertThat(lines)
        .hasSize(2)
        .first()
        .asString()
        .startsWith("no OpenCL found (java.io.")
        .contains("JOCL unpacks its library into " + noFolder, "-Djava.io.tmpdir=FOLDER")
        .doesNotContain("apt-get");
    assertThat(lines.getLast()).isEqualTo("JVM");
  }

  /* Another user of the system may have put it there, or a process that was killed half of it. */
  @Test
  @Tag("opencl")
  void whatLiesWhereJoclWouldUnpackIsNotLoadedAndNothingElseIsLeft(@TempDir Path folder)
      throws Exception {
    Path planted = Files.writeString(folder.resolve(UNPACKED), "no library");
    List<String> lines =
        list(
            PrintChosenDevice.class,
            List.of("--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=" + folder));
    assertThat(lines).singleElement().isNotEqualTo("JVM");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(planted);
    }
  }

  /* As applications look, whose frameworks call them through many methods. */
  @Test
  void whoLooksAgainFromDeepCallsIsToldTheSame() throws Exception {
    Path noFolder = Files.createTempFile("no-folder", null);
    List<String> lines =
        list(
            PrintTwiceFromDeepCalls.class,
            List.of("--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=" + noFolder));
    assertThat(lines)
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("-Djava.io.tmpdir=FOLDER"));
  }

  @Test
  void whereNativeAccessIsDeniedTheJvmServesAndTheOptionIsTold() throws Exception {
    List<String> lines = list(PrintChosenDevice.class, List.of("--illegal-native-access=deny"));
    assertThat(lines)
        .hasSize(2)
        .first()
        .asString()
        .contains("--enable-native-access=ALL-UNNAMED")
        .doesNotContain("apt-get");
    assertThat(lines.getLast()).isEqualTo("JVM");
  }

  /* As an application that a server deploys again, beside others of it. */
  @Test
  @Tag("opencl")
  void eachClassLoaderOfAProcessHasOpenCl() throws Exception {
    List<String> lines =
        list(PrintDeviceOfEachLoader.class, List.of("--enable-native-access=ALL-UNNAMED"));
    assertThat(lines).hasSize(3).allSatisfy(line -> assertThat(line).startsWith("OPENCL"));
  }

  private static List<String> listWith(String variable, String value)
      throws IOException, InterruptedException {
    return lines(
        Child.start(PrintChosenDevice.class, Map.of(variable, value), TestCache.FOLDER.toString()));
  }

  private static List<String> list(Class<?> main, List<String> options)
      throws IOException, InterruptedException {
    return lines(Child.start(main, Map.of(), options, TestCache.FOLDER.toString()));
  }

  private static List<String> lines(Process process) throws IOException, InterruptedException {
    try (var output = process.getInputStream()) {
      List<String> lines =
          new String(output.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      return lines;
    }
  }

  /// Prints why there is no OpenCL, and the kind of the device that `auto` chooses.
  public static final class PrintChosenDevice {
    private PrintChosenDevice() {}

    public static void main(String[] args) {
      Devices devices = new Devices(Path.of(args[0]));
      devices.withoutOpenCl().ifPresent(System.out::println);
      try (Device device = devices.open(Devices.Choice.AUTO)) {
        device.openPool(POOL_BYTES);
        System.out.println(device.info().kind());
      }
    }
  }

  /// Prints twice why there is no OpenCL.
  static final class PrintTwiceFromDeepCalls {
    private static final int CALLS = 100;

    private PrintTwiceFromDeepCalls() {}

    public static void main(String[] args) {
      print(Path.of(args[0]), CALLS);
    }

    private static void print(Path cache, int calls) {
      if (calls > 0) {
        print(cache, calls - 1);
      } else {
        new Devices(cache).withoutOpenCl().ifPresent(System.out::println);
        new Devices(cache).withoutOpenCl().ifPresent(System.out::println);
      }
    }
  }

  /// Prints the chosen device in several class loaders, one after the other.
  static final class PrintDeviceOfEachLoader {
    private PrintDeviceOfEachLoader() {}

    public static void main(String[] args) throws Exception {
      List<URL> path = new ArrayList<>();
      for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
        path.add(Path.of(part).toUri().toURL());
      }
      for (int i = 0; i < 3; i++) {
        try (var loader =
            new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
          loader
              .loadClass(PrintChosenDevice.class.getName())
              .getMethod("main", String[].class)
              .invoke(null, (Object) args);
        }
      }
    }
  }
}
