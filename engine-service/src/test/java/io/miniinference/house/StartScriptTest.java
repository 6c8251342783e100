package io.miniinference.house;

import static io.miniinference.house.Sandbox.command;
import static io.miniinference.house.Sandbox.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.house.Sandbox.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The bundle's start script, on hosts made of folders: with and without an OpenCL loader, with
/// NVIDIA's driver in places where containers and systems have it.
final class StartScriptTest {
  private static final List<String> COREUTILS = List.of("ln", "mkdir", "mktemp", "mv", "readlink");
  private static final String LOADER = "libOpenCL.so.1";
  private static final String DRIVER = "libnvidia-opencl.so.1";

  @TempDir Path folder;
  private Path home;
  private Path system;
  private Path nvidia;
  private Path vendors;
  private Path cache;

  @BeforeEach
  void layOutHost() throws IOException {
    home = folder.resolve("opt/engine");
    system = folder.resolve("usr/lib");
    nvidia = folder.resolve("usr/local/nvidia/lib64");
    vendors = folder.resolve("etc/OpenCL/vendors");
    cache = folder.resolve("cache");
    new Sandbox(folder).offer(COREUTILS);
    command(folder.resolve("bin/ldconfig"), "echo '2 libs found'");
    command(folder.resolve("bin/uname"), "echo x86_64");
    Files.createDirectories(home.resolve("bin"));
    Files.copy(Path.of("..", "bundle", "bin", "mie"), home.resolve("bin/mie"));
    command(
        home.resolve("runtime/bin/java"),
        """
        echo "LD_LIBRARY_PATH=${LD_LIBRARY_PATH-}"
        echo "OCL_ICD_VENDORS=${OCL_ICD_VENDORS-}"
        echo "OPENCL_VENDOR_PATH=${OPENCL_VENDOR_PATH-}"
        echo "LD_PRELOAD=${LD_PRELOAD-}"
        echo "_JAVA_SR_SIGNUM=${_JAVA_SR_SIGNUM-}"
        printf '[%s]' "$@"
        """);
  }

  @Test
  void runsTheApplicationOnTheRuntimeBesideIt() throws Exception {
    Outcome outcome = mie("plan", "a model.onnx", "--dim", "N=*");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.out())
        .contains("[-Djava.library.path=" + home + "/lib/jocl]")
        .endsWith("[-jar][" + home + "/app/engine-service.jar][plan][a model.onnx][--dim][N=*]");
  }

  @Test
  void refusesAHostOfAnotherProcessor() throws Exception {
    write(home.resolve("lib/processor"), "x86_64\n");
    assertThat(mie("devices").status()).isZero();

    command(folder.resolve("bin/uname"), "echo aarch64");
    Outcome outcome = mie("devices");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .isEqualTo(
            "mie: this bundle is for Linux on x86_64, and this host is aarch64: take the one that ./mie bundle makes on aarch64\n");
  }

  @Test
  void findsTheLibrariesOf64BitArm() throws Exception {
    command(folder.resolve("bin/uname"), "echo aarch64");
    write(home.resolve("lib/processor"), "aarch64\n");
    unknown(nvidia, "libnvidia-opencl.so.1");
    Path library = system.resolve("libOpenCL.so.1");
    write(library, "");
    listed("libOpenCL.so.1 (libc6,AArch64) => " + library);

    assertThat(mie("devices").err())
        .contains("NVIDIA's driver " + nvidia.resolve("libnvidia-opencl.so.1"));
  }

  @Test
  void keepsTheJvmsSignalsFromDrivers() throws Exception {
    Path library = home.resolve("runtime/lib/libjsig.so");
    assertThat(mie("devices").out()).contains("LD_PRELOAD=\n", "_JAVA_SR_SIGNUM=\n");

    write(library, "");

    assertThat(mie("devices").out())
        .contains("LD_PRELOAD=" + library + "\n", "_JAVA_SR_SIGNUM=45\n");
    assertThat(mie(Map.of("_JAVA_SR_SIGNUM", "50"), "devices").out())
        .contains("_JAVA_SR_SIGNUM=50\n");
  }

  /// A JVM takes another in little memory, and then has no room for the classes that were kept.
  @Test
  void choosesACollectorUnlessTheUserNamesAnother() throws Exception {
    String serial = "-Xmx64m -XX:+UseSerialGC";
    String parallel = "[-XX:+UseParallelGC][-Xmn48m]";

    assertThat(mie("devices").out()).contains(parallel);
    assertThat(mie(Map.of("JDK_JAVA_OPTIONS", "-Xmx64m"), "devices").out()).contains(parallel);
    assertThat(mie(Map.of("JDK_JAVA_OPTIONS", "-Xmn200m"), "devices").out())
        .contains("[-XX:+UseG1GC]")
        .doesNotContain("[-Xmn");
    assertThat(mie(Map.of("JDK_JAVA_OPTIONS", serial), "devices").out()).doesNotContain("GC]");
    assertThat(mie(Map.of("JAVA_TOOL_OPTIONS", serial), "devices").out()).doesNotContain("GC]");
  }

  @Test
  void findsItsFolderThroughLinks() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("linked"), home.resolve("bin/mie"));

    Outcome outcome = new Sandbox(folder).run(host(), link, "devices");

    assertThat(outcome.out()).endsWith("[" + home + "/app/engine-service.jar][devices]");
  }

  @Test
  void keepsTheStatusOfTheProgram() throws Exception {
    command(home.resolve("runtime/bin/java"), "exit 7");

    assertThat(mie("devices").status()).isEqualTo(7);
  }

  @Test
  void changesNothingWhereTheLinkerKnowsLoaderAndNoDriverIsMissing() throws Exception {
    known(system, LOADER);

    Outcome outcome = mie("devices");

    assertThat(outcome.out()).contains("LD_LIBRARY_PATH=\n", "OCL_ICD_VENDORS=\n");
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void takesTheLoaderThatTheDriverBrings() throws Exception {
    unknown(nvidia, LOADER);

    assertThat(mie("devices").out()).contains("LD_LIBRARY_PATH=" + nvidia + "\n");
  }

  @Test
  void takesItsOwnLoaderOnlyWhereTheHostHasNone() throws Exception {
    Path own = home.resolve("lib/opencl");
    unknown(own, LOADER);
    assertThat(mie("devices").out()).contains("LD_LIBRARY_PATH=" + own + "\n");

    known(system, LOADER);
    assertThat(mie("devices").out()).contains("LD_LIBRARY_PATH=\n");
  }

  @Test
  void doesNotTakeALoaderOfAnotherWidth() throws Exception {
    unknown(folder.resolve("usr/lib32"), LOADER);
    listed(LOADER + " (libc6) => " + folder.resolve("usr/lib32").resolve(LOADER));
    unknown(nvidia, LOADER);

    assertThat(mie("devices").out()).contains("LD_LIBRARY_PATH=" + nvidia + "\n");
  }

  @Test
  void leavesTheLibraryPathOfTheUserInFront() throws Exception {
    Path mine = folder.resolve("mine");
    unknown(mine, "libother.so");
    unknown(nvidia, LOADER);

    assertThat(mie(Map.of("LD_LIBRARY_PATH", mine.toString()), "devices").out())
        .contains("LD_LIBRARY_PATH=" + mine + ":" + nvidia + "\n");
  }

  @Test
  void registersADriverThatIsNotRegistered() throws Exception {
    known(system, LOADER);
    unknown(nvidia, DRIVER);
    write(vendors.resolve("pocl.icd"), "libpocl.so.2\n");

    Outcome outcome = mie("devices");

    Path own = cache.resolve("mini-inference-engine/opencl-vendors");
    assertThat(outcome.out())
        .contains("OCL_ICD_VENDORS=" + own + "\n", "OPENCL_VENDOR_PATH=" + own + "\n")
        .contains("LD_LIBRARY_PATH=" + nvidia + "\n");
    assertThat(own.resolve("nvidia.icd")).hasContent(nvidia.resolve(DRIVER) + "\n");
    assertThat(own.resolve("pocl.icd")).hasContent("libpocl.so.2\n");
    assertThat(outcome.err().lines())
        .singleElement()
        .asString()
        .contains(
            nvidia.resolve(DRIVER).toString(), "not registered in " + vendors, own.toString());
  }

  @Test
  void registersADriverThatOnlyTheLinkerKnows() throws Exception {
    known(system, LOADER, DRIVER);

    mie("devices");

    assertThat(cache.resolve("mini-inference-engine/opencl-vendors/nvidia.icd"))
        .hasContent(system.resolve(DRIVER) + "\n");
  }

  @Test
  void registersADriverWhoseNameHasTheFullVersion() throws Exception {
    known(system, LOADER);
    unknown(nvidia, "libnvidia-opencl.so.570.86.15");

    mie("devices");

    assertThat(cache.resolve("mini-inference-engine/opencl-vendors/nvidia.icd"))
        .hasContent(nvidia.resolve("libnvidia-opencl.so.570.86.15") + "\n");
  }

  @Test
  void leavesNoDriverBehindThatIsGoneFromTheHost() throws Exception {
    known(system, LOADER);
    unknown(nvidia, DRIVER);
    write(vendors.resolve("pocl.icd"), "libpocl.so.2\n");
    mie("devices");
    Files.delete(vendors.resolve("pocl.icd"));

    assertThat(mie("devices").status()).isZero();
    assertThat(Files.exists(cache.resolve("mini-inference-engine/opencl-vendors/pocl.icd")))
        .isFalse();
  }

  @Test
  void registersInATemporaryFolderWhereTheCacheCannotBeWritten() throws Exception {
    known(system, LOADER);
    unknown(nvidia, DRIVER);
    write(cache, "a file where a folder should be");
    Path temporary = Files.createDirectories(folder.resolve("tmp"));

    Outcome outcome = mie(Map.of("TMPDIR", temporary.toString()), "devices");

    assertThat(outcome.out()).contains("OCL_ICD_VENDORS=" + temporary);
  }

  @Test
  void startsWhereNothingCanBeWritten() throws Exception {
    known(system, LOADER);
    unknown(nvidia, DRIVER);
    write(cache, "a file where a folder should be");

    Outcome outcome = mie(Map.of("TMPDIR", cache.toString()), "devices");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.out()).contains("OCL_ICD_VENDORS=\n").endsWith("[devices]");
    assertThat(outcome.err()).contains("XDG_CACHE_HOME");
  }

  @Test
  void leavesARegisteredDriverAlone() throws Exception {
    known(system, LOADER);
    unknown(nvidia, DRIVER);
    write(vendors.resolve("nvidia.icd"), DRIVER);

    Outcome outcome = mie("devices");

    assertThat(outcome.out())
        .contains("OCL_ICD_VENDORS=\n")
        .contains("LD_LIBRARY_PATH=" + nvidia + "\n");
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void respectsTheDriversThatTheUserNames() throws Exception {
    known(system, LOADER);
    unknown(nvidia, DRIVER);

    Outcome outcome = mie(Map.of("OCL_ICD_VENDORS", "/my/vendors"), "devices");

    assertThat(outcome.out()).contains("OCL_ICD_VENDORS=/my/vendors\n", "OPENCL_VENDOR_PATH=\n");
    assertThat(cache).doesNotExist();
  }

  @Test
  void saysHowToGetALoaderWhereThereIsADriverAndNoLoader() throws Exception {
    unknown(nvidia, DRIVER);

    Outcome outcome = mie("devices");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.err()).contains("no OpenCL loader", "apt-get install ocl-icd-libopencl1");
  }

  @Test
  void runsTheBenchmarksWithTheirOwnLibraries() throws Exception {
    write(home.resolve("lib/bench/bench.jar"), "");

    assertThat(mie("bench", "--quick").out())
        .endsWith(
            "[-cp][%s/lib/bench/*:%s/app/engine-service.jar][io.miniinference.bench.Bench][--quick]"
                .formatted(home, home));
  }

  @Test
  void saysThatItHasNoBenchmarks() throws Exception {
    Outcome outcome = mie("bench");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("without the benchmarks");
  }

  private Outcome mie(String... arguments) throws Exception {
    return mie(Map.of(), arguments);
  }

  private Outcome mie(Map<String, String> environment, String... arguments) throws Exception {
    Map<String, String> all = host();
    all.putAll(environment);
    return new Sandbox(folder).run(all, home.resolve("bin/mie"), arguments);
  }

  private Map<String, String> host() {
    return new HashMap<>(
        Map.of(
            "MIE_LIBRARY_FOLDERS", nvidia + ":" + folder + "/usr/local/cuda*/lib64",
            "MIE_OPENCL_VENDORS", vendors.toString(),
            "XDG_CACHE_HOME", cache.toString()));
  }

  /// Libraries in the linker's cache.
  private void known(Path where, String... libraries) throws IOException {
    var lines = new StringBuilder();
    for (String library : libraries) {
      unknown(where, library);
      lines.append(library + " (libc6,x86-64) => " + where.resolve(library) + "\n");
    }
    listed(lines.toString());
  }

  private void listed(String lines) throws IOException {
    command(folder.resolve("bin/ldconfig"), "printf '\\t%s\\n' '" + lines + "'");
  }

  /// A library that only those find who look there.
  private static void unknown(Path where, String library) throws IOException {
    write(where.resolve(library), "");
  }
}
