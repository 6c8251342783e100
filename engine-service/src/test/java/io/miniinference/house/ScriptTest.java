package io.miniinference.house;

import static io.miniinference.house.Sandbox.command;
import static io.miniinference.house.Sandbox.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.house.Sandbox.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The script `mie` in a small project of its own, with stand-ins for Java, Maven and the system's
/// package manager.
final class ScriptTest {
  private static final List<String> SYSTEM_TOOLS =
      List.of(
          "bash",
          "cat",
          "cksum",
          "dirname",
          "env",
          "find",
          "grep",
          "ls",
          "mkdir",
          "paste",
          "readlink",
          "rm",
          "sed",
          "sort",
          "tee",
          "xargs");

  @TempDir Path folder;
  private Path project;
  private Path bin;
  private Path jvms;

  @BeforeEach
  void layOutProject() throws IOException {
    project = Files.createDirectories(folder.resolve("project"));
    bin = Files.createDirectories(folder.resolve("bin"));
    jvms = Files.createDirectories(folder.resolve("jvms"));
    write(project.resolve("pom.xml"), "<project/>");
    write(project.resolve("bom/pom.xml"), "<project/>");
    write(project.resolve(".mvn/jvm.config"), "");
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
    write(project.resolve("bench/pytorch/peer.py"), "");
    write(
        project.resolve("engine-service/src/test/java/DigitsTest.java"),
        "@Tag(\"data\") @Tag(\"opencl\") class DigitsTest {}");
    Files.copy(Path.of("..", "mie"), project.resolve("mie"));
    new Sandbox(folder).offer(SYSTEM_TOOLS);
    command(bin.resolve("id"), "echo 1000");
    command(bin.resolve("ldconfig"), "echo libOpenCL.so.1");
    command(bin.resolve("uname"), "echo Darwin arm64");
    command(
        bin.resolve("mvn"),
        """
        echo "$JAVA_HOME $*" >>calls
        echo '[INFO] Building Engine service: REST 0.1.0-SNAPSHOT   [1/1]'
        echo '[INFO] Tests run: 7, Failures: 0, Errors: 0, Skipped: 0'
        for module in engine-service bench; do
          case "$*" in *-pl*) case "$*" in *"-pl $module "*) ;; *) continue ;; esac ;; esac
          mkdir -p $module/target && echo jar >$module/target/$module.jar
        done
        """);
    jdk("jdk-17", "17.0.15");
    jdk("jdk-25", "25.0.3");
  }

  @Test
  void takesTheJdkThatIsNewEnoughWhereverItIs() throws Exception {
    Files.createSymbolicLink(bin.resolve("java"), jvms.resolve("jdk-17/bin/java"));

    Outcome outcome = mie(Map.of("JAVA_HOME", jvms.resolve("jdk-17").toString()), "devices");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.out()).startsWith("Java 25.0.3 ");
  }

  @Test
  void takesTheOldestOfTheJdksThatWillDo() throws Exception {
    jdk("a-jdk-27", "27");

    assertThat(mie("devices").out()).startsWith("Java 25.0.3 ");
  }

  @Test
  void prefersJavaHomeThatIsNewEnough() throws Exception {
    jdk("jdk-26", "26.0.1");

    Outcome outcome = mie(Map.of("JAVA_HOME", jvms.resolve("jdk-26").toString()), "devices");

    assertThat(outcome.out()).startsWith("Java 26.0.1 ");
  }

  @Test
  void saysHowToGetAJdkWhereNoneIsNewEnough() throws Exception {
    Files.delete(jvms.resolve("jdk-25/release"));

    Outcome outcome = mie("serve");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("no JDK 25 or newer", "apt-get install", "sdk install java");
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void saysHowToGetMavenWhereItIsMissing() throws Exception {
    Files.delete(bin.resolve("mvn"));

    Outcome outcome = mie("serve");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("apt-get install maven");
  }

  @Test
  void needsNoMavenWhenNothingIsStale() throws Exception {
    mie("devices");
    Files.delete(bin.resolve("mvn"));

    assertThat(mie("devices").status()).isZero();
  }

  @Test
  void buildsOnceForUnchangedSources() throws Exception {
    mie("devices");
    Outcome second = mie("devices");

    assertThat(mavenCalls()).hasSize(1);
    assertThat(second.err()).isEmpty();
  }

  @Test
  void buildsAgainWhenASourceChangesOrGoes() throws Exception {
    Path source = project.resolve("engine-service/src/main/java/Main.java");
    mie("devices");
    write(source, "class Main { int more; }");
    mie("devices");
    Files.delete(source);
    mie("devices");

    assertThat(mavenCalls()).hasSize(3);
  }

  @Test
  void buildsForNoChangeOfATestAlone() throws Exception {
    mie("devices");
    write(project.resolve("engine-service/src/test/java/DigitsTest.java"), "class DigitsTest {}");
    mie("devices");

    assertThat(mavenCalls()).hasSize(1);
  }

  @Test
  void buildsTheBenchmarksOnlyWhenTheyAreAskedFor() throws Exception {
    mie("devices");
    assertThat(mavenCalls()).singleElement().asString().contains(" -pl engine-service -am ");
    write(project.resolve("bench/src/main/java/Main.java"), "class Main { int more; }");
    mie("devices");
    assertThat(mavenCalls()).hasSize(1);

    Outcome outcome = mie("bench", "pool", "--quick");
    mie("bench");

    assertThat(mavenCalls())
        .hasSize(2)
        .last()
        .asString()
        .contains(" -pl bench -am ", " -Dmie.commit=unknown -Dmie.dirty=true");
    assertThat(outcome.out())
        .endsWith(" [io.miniinference.bench.Bench] [pool] [--quick]\n")
        .contains("bench/target/bench.jar:", "bench/target/lib/*:", "bench/target/peers/*");
  }

  @Test
  void buildsTheBenchmarksAgainWhenTheScriptOfAPeerChanges() throws Exception {
    mie("bench");
    write(project.resolve("bench/pytorch/peer.py"), "print()");
    mie("bench");

    assertThat(mavenCalls()).hasSize(2);
  }

  @Test
  void needsNoBuildAfterATest() throws Exception {
    mie("test");
    mie("devices");
    mie("bench");

    assertThat(mavenCalls()).hasSize(1);
  }

  @Test
  void handsArgumentsOnUnchangedAndKeepsStandardOutputForTheCommand() throws Exception {
    Outcome outcome = mie("plan", "a model.onnx", "--json", "--dim", "N=*");

    assertThat(outcome.out().lines()).hasSize(1);
    assertThat(outcome.out())
        .endsWith("engine-service.jar [plan] [a model.onnx] [--json] [--dim] [N=*]\n");
    assertThat(outcome.err()).contains("mie: [1/1] Engine service: REST");
  }

  @Test
  void keepsTheExitStatusOfTheCommand() throws Exception {
    command(jvms.resolve("jdk-25/bin/java"), "exit 1");

    assertThat(mie("verify", "models").status()).isEqualTo(1);
  }

  @Test
  void showsTheErrorsOfAFailedBuild() throws Exception {
    command(bin.resolve("mvn"), "echo '[INFO] chatter'; echo '[ERROR] Main.java:[1,1] no'; exit 1");

    Outcome outcome = mie("devices");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("Main.java:[1,1] no", "the build failed")
        .doesNotContain("chatter");
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void answersAnUnknownCommandWithUsage() throws Exception {
    Outcome outcome = mie("sevre");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("usage: ./mie COMMAND", "no command: sevre");
  }

  @Test
  void printsUsageWhenAsked() throws Exception {
    Outcome outcome = mie("--help");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.out())
        .contains("serve", "test", "devices", "plan", "run", "verify", "bench", "bundle");
  }

  @Test
  void keepsHelpOnlyWhileItIsOfTheSources() throws Exception {
    new Sandbox(folder).offer(List.of("cmp"));
    Path target = project.resolve("engine-service/target");
    write(target.resolve("sources.stamp"), "1");
    write(target.resolve("app/sources.stamp"), "1");
    write(target.resolve("app/engine-service.jar"), "");
    write(target.resolve("app/help/plan.txt"), "kept help");
    setTime(target.resolve("sources.stamp"), Instant.parse("2100-01-01T00:00:00Z"));

    assertThat(mie("plan", "--help").out()).isEqualTo("kept help");

    setTime(
        project.resolve("kernels/src/main/java/Main.java"), Instant.parse("2101-01-01T00:00:00Z"));
    assertThat(mie("plan", "--help").out()).startsWith("Java 25.0.3 ");
  }

  private static void setTime(Path file, Instant time) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(time));
  }

  @Test
  void testsEverythingWhereDataAndOpenClAreThere() throws Exception {
    Outcome outcome =
        mie(Map.of("MIE_DATA", dataFolder(), "OCL_ICD_VENDORS", driver()), "test", "--require-all");

    assertThat(outcome.status()).isZero();
    assertThat(mavenCalls())
        .singleElement()
        .asString()
        .contains(" verify ")
        .endsWith(" -Dmie.data=" + dataFolder() + " -DexcludedGroups=cuda");
    assertThat(outcome.err())
        .contains("7 tests passed in all", "NOT RUN for want of an NVIDIA GPU")
        .doesNotContain("NOT RUN for want of test data", "NOT RUN for want of OpenCL");
  }

  @Test
  void checksABundleOfWhatItTested() throws Exception {
    command(bin.resolve("uname"), "echo Linux x86_64");
    command(bin.resolve("rm"), "echo rm \"$@\" >>calls");
    write(project.resolve("bundle/bundle.sh"), "assemble() { echo \"assemble $1\" >>calls; }");
    command(jvms.resolve("jdk-25/bin/java"), "echo \"java $*\" >>calls");

    assertThat(mie("test").status()).isZero();

    String bundle = project + "/target/bundle-check";
    assertThat(folder.resolve("calls"))
        .hasContent(
            """
            assemble %1$s/mini-inference-engine
            java %2$s/bundle/Check.java %1$s/mini-inference-engine %2$s/docs/seven.json
            rm -rf %1$s
            """
                .formatted(bundle, project));
  }

  @Test
  void leavesOutAndNamesWhatCannotRun() throws Exception {
    Outcome outcome = mie("test");

    assertThat(outcome.status()).isZero();
    assertThat(mavenCalls())
        .singleElement()
        .asString()
        .endsWith("-DexcludedGroups=data,opencl,cuda");
    assertThat(outcome.err())
        .contains(
            "NOT RUN for want of test data",
            "NOT RUN for want of OpenCL",
            "DigitsTest",
            "MIE_DATA=DIR");
  }

  @Test
  void refusesToLeaveAnythingOutWhenAllIsRequired() throws Exception {
    Outcome outcome = mie(Map.of("MIE_DATA", dataFolder()), "test", "--require-all");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err()).contains("NOT RUN for want of OpenCL").doesNotContain("test data");
    assertThat(project.resolve("calls")).doesNotExist();
  }

  @Test
  void installsPoclWhereRootHasNoOpenCl() throws Exception {
    Path drivers = Files.createDirectories(folder.resolve("drivers"));
    command(bin.resolve("id"), "echo 0");
    command(bin.resolve("apt-get"), "echo \"$*\" >>apt; echo icd >" + drivers + "/pocl.icd");

    Outcome outcome =
        mie(
            Map.of("MIE_DATA", dataFolder(), "OCL_ICD_VENDORS", drivers.toString()),
            "test",
            "--require-all");

    assertThat(outcome.status()).isZero();
    assertThat(Files.readString(folder.resolve("apt")))
        .contains("install", "pocl-opencl-icd ocl-icd-libopencl1");
  }

  @Test
  void goesOnWithoutOpenClWherePoclCannotBeInstalled() throws Exception {
    command(bin.resolve("id"), "echo 0");
    command(bin.resolve("apt-get"), "exit 100");

    Outcome outcome = mie(Map.of("MIE_DATA", dataFolder()), "test");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.err())
        .contains("could not install PoCL", "NOT RUN for want of OpenCL: DigitsTest");
  }

  @Test
  void refusesADataFolderThatIsNotThere() throws Exception {
    Outcome outcome = mie(Map.of("MIE_DATA", folder.resolve("typo").toString()), "test");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("MIE_DATA is not a folder");
  }

  @Test
  void refusesOptionsThatTestDoesNotHave() throws Exception {
    assertThat(mie("test", "--fast").status()).isEqualTo(2);
  }

  private Outcome mie(String... arguments) throws Exception {
    return mie(Map.of(), arguments);
  }

  private Outcome mie(Map<String, String> environment, String... arguments) throws Exception {
    Map<String, String> all = new HashMap<>(environment);
    all.put("MIE_JVM_FOLDERS", jvms.toString());
    all.putIfAbsent("OCL_ICD_VENDORS", folder.resolve("no-drivers").toString());
    return new Sandbox(folder).run(all, project.resolve("mie"), arguments);
  }

  private List<String> mavenCalls() throws IOException {
    return Files.readAllLines(project.resolve("calls"));
  }

  private String dataFolder() throws IOException {
    return Files.createDirectories(folder.resolve("data")).toRealPath().toString();
  }

  private String driver() throws IOException {
    write(folder.resolve("drivers/pocl.icd"), "libpocl.so");
    return folder.resolve("drivers").toString();
  }

  private void jdk(String name, String version) throws IOException {
    Path home = jvms.resolve(name);
    write(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    command(home.resolve("bin/javac"), "");
    command(
        home.resolve("bin/java"),
        "printf 'Java "
            + version
            + "'; while [ \"$1\" != -jar ] && [ \"$1\" != -cp ]; do shift; done; shift;"
            + " printf ' %s' \"$1\"; shift; printf ' [%s]' \"$@\"; echo");
  }
}
