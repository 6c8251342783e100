package io.miniinference.house;

import static io.miniinference.house.Sandbox.command;
import static io.miniinference.house.Sandbox.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.house.Sandbox.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The command `mie bundle`, with stand-ins for Maven and the JDK's tools. A real bundle is made
/// and tried at the end of `mie test`.
final class BundleTest {
  private static final List<String> SYSTEM_TOOLS =
      List.of(
          "bash",
          "cat",
          "chmod",
          "cksum",
          "cp",
          "dirname",
          "env",
          "find",
          "grep",
          "head",
          "ls",
          "mkdir",
          "mktemp",
          "mv",
          "nice",
          "paste",
          "readlink",
          "rm",
          "sed",
          "sort",
          "tail",
          "tar",
          "tee",
          "wc",
          "xargs",
          "xz");

  @TempDir Path folder;
  private Path project;
  private Path jdk;
  private Path bundle;

  @BeforeEach
  void layOutProject() throws IOException {
    project = folder.resolve("project");
    jdk = folder.resolve("jdk");
    bundle = project.resolve("target/bundle/mini-inference-engine");
    for (String module :
        List.of(
            "memory-pool",
            "models",
            "testing",
            "kernels",
            "engine",
            "spring-boot-starter",
            "engine-service",
            "bench")) {
      write(project.resolve(module + "/pom.xml"), "<project/>");
      write(project.resolve(module + "/src/main/java/Main.java"), "class Main {}");
    }
    for (String file :
        List.of("pom.xml", "bom/pom.xml", ".mvn/jvm.config", "bench/pytorch/peer.py", "LICENSE")) {
      write(project.resolve(file), "");
    }
    write(project.resolve("bench/check.py"), "");
    for (String file : List.of("mie", "bundle/bundle.sh", "bundle/bin/mie", "bundle/README.md")) {
      Path copy = project.resolve(file);
      Files.createDirectories(Objects.requireNonNull(copy.getParent()));
      Files.copy(Path.of("..").resolve(file), copy);
    }
    new Sandbox(folder).offer(SYSTEM_TOOLS);
    machine("Linux", "x86_64");
    command(folder.resolve("bin/ldconfig"), "");
    command(
        folder.resolve("bin/mvn"),
        """
        mkdir -p engine-service/target bench/target/lib bench/target/peers
        echo >engine-service/target/engine-service.jar
        echo '{}' >engine-service/target/bom.json
        for jar in bench lib/kernels lib/jmh peers/onnxruntime; do echo >bench/target/$jar.jar; done
        """);
    layOutJdk();
  }

  private void layOutJdk() throws IOException {
    write(jdk.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
    command(jdk.resolve("bin/javac"), "");
    command(
        jdk.resolve("bin/java"),
        """
        case "$*" in *jarmode*) ;; *) exit 0 ;; esac
        while [ "$1" != --destination ]; do shift; done
        mkdir -p "$2/lib" && echo >"$2/engine-service.jar"
        for jar in jocl-2.0.6 kernels; do echo >"$2/lib/$jar.jar"; done
        """);
    command(
        jdk.resolve("bin/jar"),
        "[ $1 = --extract ] || exit 0; mkdir lib; for os in apple linux; do for of in x86_64 arm64; do echo >lib/libJOCL-$os-$of.so; done; done");
    command(jdk.resolve("bin/jdeps"), "echo 'Warning: split package'; echo java.base,java.desktop");
    command(
        jdk.resolve("bin/jlink"),
        """
        echo "$2" >modules
        while [ "$1" != --output ]; do shift; done
        mkdir -p "$2/bin" && echo >"$2/bin/java"
        """);
  }

  @Test
  void holdsWhatRunsAndWhatTheBenchmarksNeedBeyondIt() throws Exception {
    Outcome outcome = mie("bundle", "--no-archive");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.out()).isEqualTo(bundle + "\n");
    assertThat(files())
        .containsExactly(
            "LICENSE",
            "README.md",
            "app/engine-service.jar",
            "app/lib/jocl-2.0.6.jar",
            "app/lib/kernels.jar",
            "bench/check.py",
            "bin/mie",
            "bom.json",
            "lib/bench/bench.jar",
            "lib/bench/jmh.jar",
            "lib/bench/onnxruntime.jar",
            "lib/jocl/libJOCL-linux-x86_64.so",
            "lib/processor",
            "runtime/bin/java");
  }

  @Test
  void linksTheModulesThatTheJarsNeed() throws Exception {
    mie("bundle", "--no-archive");

    assertThat(folder.resolve("modules"))
        .hasContent("java.base,java.desktop,jdk.crypto.ec,jdk.zipfs,jdk.incubator.vector");
  }

  @Test
  void saysThatHostsNeedALoaderWhereThisMachineHasNone() throws Exception {
    assertThat(mie("bundle", "--no-archive").err())
        .contains("hosts need an OpenCL loader of their own", "apt-get install");
  }

  @Test
  void packsAnArchiveAndSaysHowLargeItIs() throws Exception {
    Outcome outcome = mie("bundle");

    Path archive = bundle.resolveSibling("mini-inference-engine-linux-x86_64.tar.xz");
    assertThat(outcome.status()).isZero();
    assertThat(outcome.out())
        .isEqualTo("%s\n%s, %d bytes\n".formatted(bundle, archive, Files.size(archive)));
  }

  @Test
  void isForTheProcessorThatItIsMadeOn() throws Exception {
    machine("Linux", "aarch64");

    Outcome outcome = mie("bundle");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.out()).contains("/mini-inference-engine-linux-aarch64.tar.xz, ");
    assertThat(files())
        .contains("lib/jocl/libJOCL-linux-arm64.so")
        .doesNotContain("lib/jocl/libJOCL-linux-x86_64.so");
    assertThat(bundle.resolve("lib/processor")).hasContent("aarch64");
  }

  @Test
  void bringsTheLoaderOfItsProcessor() throws Exception {
    machine("Linux", "aarch64");
    write(folder.resolve("libOpenCL.so.1"), "");
    command(
        folder.resolve("bin/ldconfig"),
        "printf '\\tlibOpenCL.so.1 (libc6,%s) => %s\\n' x86-64 /other AArch64 "
            + folder.resolve("libOpenCL.so.1"));

    mie("bundle", "--no-archive");

    // where this machine has the loader's licence, without which none is copied
    assertThat(files().contains("lib/opencl/libOpenCL.so.1"))
        .isEqualTo(Files.exists(Path.of("/usr/share/doc/ocl-icd-libopencl1/copyright")));
  }

  @ParameterizedTest
  @CsvSource({"aarch64, linux-aarch64, linux-arm64", "amd64, linux-x64, linux-x86_64"})
  void keepsTheNativeLibrariesOfItsProcessorAlone(String machine, String folderOf, String endOf)
      throws Exception {
    Path jar = folder.resolve("jars/natives.jar");
    Files.createDirectories(folder.resolve("jars"));
    try (var out = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (String entry :
          List.of(
              "ai/native/linux-aarch64/liba.so",
              "ai/native/linux-x64/liba.so",
              "ai/native/osx-aarch64/liba.dylib",
              "lib/libJOCL-linux-arm64.so",
              "lib/libJOCL-linux-x86_64.so")) {
        out.putNextEntry(new ZipEntry(entry));
      }
    }

    Process repack =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Dos.arch=" + machine,
                Path.of("../bundle/Repack.java").toString(),
                jar.getParent().toString())
            .redirectOutput(folder.resolve("repack").toFile())
            .redirectErrorStream(true)
            .start();

    assertThat(repack.waitFor()).isZero();
    try (var packed = new ZipFile(jar.toFile())) {
      assertThat(packed.stream().map(ZipEntry::getName))
          .containsExactly("ai/native/" + folderOf + "/liba.so", "lib/libJOCL-" + endOf + ".so");
    }
  }

  @Test
  void packsTheSameBytesFromTheSameContents() throws Exception {
    mie("bundle", "--out", "first");
    mie("bundle", "--out", "second");

    assertThat(folder.resolve("first/mini-inference-engine-linux-x86_64.tar.xz"))
        .hasSameBinaryContentAs(folder.resolve("second/mini-inference-engine-linux-x86_64.tar.xz"));
  }

  @Test
  void refusesAnArchiveThatIsTooLarge() throws Exception {
    command(folder.resolve("bin/xz"), "cat >/dev/null; head -c 52428801 /dev/zero");

    Outcome outcome = mie("bundle");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.out()).contains("52428801 bytes");
    assertThat(outcome.err()).contains("larger than 50 MiB");
  }

  @Test
  void takesThePlaceOfAnEarlierBundle() throws Exception {
    mie("bundle", "--no-archive");
    write(bundle.resolve("app/lib/old.jar"), "");

    assertThat(mie("bundle", "--no-archive").status()).isZero();
    assertThat(bundle.resolve("app/lib/old.jar")).doesNotExist();
  }

  @Test
  void deletesNothingButABundle() throws Exception {
    write(folder.resolve("elsewhere/mini-inference-engine/thesis.txt"), "mine");

    Outcome outcome = mie("bundle", "--out", "elsewhere");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("is in the way: it is no bundle");
    assertThat(folder.resolve("elsewhere/mini-inference-engine/thesis.txt")).hasContent("mine");
  }

  @Test
  void saysHowToGetAJdkThatCanLink() throws Exception {
    command(jdk.resolve("bin/jlink"), "echo 'Error: no jmods' >&2; exit 1");

    Outcome outcome = mie("bundle");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("Error: no jmods", "the JDK in " + jdk + " cannot link", "apt-get install");
  }

  @Test
  void refusesOtherSystems() throws Exception {
    machine("Darwin", "arm64");

    Outcome outcome = mie("bundle");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("this is Darwin arm64");
  }

  @Test
  void refusesOptionsThatItDoesNotHave() throws Exception {
    assertThat(mie("bundle", "--fast").status()).isEqualTo(2);
    assertThat(mie("bundle", "--out").status()).isEqualTo(2);
  }

  private Outcome mie(String... arguments) throws Exception {
    return new Sandbox(folder)
        .run(Map.of("JAVA_HOME", jdk.toString()), project.resolve("mie"), arguments);
  }

  private void machine(String system, String processor) throws IOException {
    command(
        folder.resolve("bin/uname"),
        "[ \"$1\" = -m ] || printf '" + system + " '; echo " + processor);
  }

  private List<String> files() throws IOException {
    try (var all = Files.walk(bundle)) {
      return all.filter(Files::isRegularFile)
          .map(file -> bundle.relativize(file).toString())
          .sorted()
          .toList();
    }
  }
}
