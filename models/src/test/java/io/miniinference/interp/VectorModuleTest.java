package io.miniinference.interp;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.fast.VectorForms;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The Vector API's module in JVMs that did not resolve it at their start.
class VectorModuleTest {
  private static final String ALLOWED = "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED";

  /// Says whether the forms are there before and after they are added, and whether a class of the
  /// module is found.
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      boolean before = VectorForms.areThere();
      VectorForms.add();
      System.out.print(before + " " + VectorForms.areThere() + " " + isFound());
    }

    private static boolean isFound() {
      try {
        return Class.forName("jdk.incubator.vector.FloatVector") != null;
      } catch (ClassNotFoundException e) {
        return false;
      }
    }
  }

  @Test
  void anApplicationThatMayAddsTheModuleWhenTheDeviceOpens() throws Exception {
    assertThat(said(ALLOWED)).isEqualTo("false true true");
  }

  @Test
  void anApplicationThatMayNotGoesWithout() throws Exception {
    assertThat(said()).isEqualTo("false false false");
  }

  @Test
  void aStartWhoseClassesAreKeptGoesWithout() throws Exception {
    assertThat(said(ALLOWED, "-Dmie.vectors=false")).isEqualTo("false false false");
  }

  @Test
  void aModuleOfTheJvmsStartIsTaken() throws Exception {
    assertThat(said("--add-modules=jdk.incubator.vector")).isEqualTo("true true true");
  }

  private static String said(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(options));
    command.addAll(
        List.of("-cp", place(VectorForms.class) + File.pathSeparator + place(Program.class)));
    command.add(Program.class.getName());
    return output(command);
  }

  private static String place(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  private static String output(List<String> command) throws IOException, InterruptedException {
    Process program =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(program.waitFor()).as(output).isZero();
    return output;
  }
}
