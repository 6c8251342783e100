package io.miniinference.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.codegen.gpu.GpuTarget;
import io.miniinference.lower.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The main kernels as they are written now, in `src/test/golden`, so that a change of a writer
/// shows as a difference of text. Where the change is wanted, `-Dmie.golden.update=true` writes the
/// files anew, and the difference is read in the commit.
final class GoldenTextTest {
  private static final Path FOLDER = Path.of("src/test/golden");
  private static final boolean UPDATE = Boolean.getBoolean("mie.golden.update");

  private static Stream<Arguments> kernels() {
    return GoldenKernels.names().stream()
        .flatMap(name -> Stream.of(Arguments.of("cpu", name), Arguments.of("gpu", name)));
  }

  private static Target<?> writer(String name) {
    return name.equals("cpu") ? new CpuTarget() : new GpuTarget();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void textIsAsItWasRead(String writer, String name) throws IOException {
    Path file = FOLDER.resolve(writer).resolve(name + ".cl");
    String text = GoldenKernels.text(name, writer(writer));
    if (UPDATE) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }

    List<String> lines = text.lines().toList();
    assertThat(lines)
        .as("%s, to be written anew with -Dmie.golden.update=true if that is wanted", file)
        .containsExactlyElementsOf(Files.readAllLines(file));
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void everyKernelSaysWhatAWorkItemOwns(String writer, String name) {
    List<String> lines = GoldenKernels.text(name, writer(writer)).lines().toList();

    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("kernel ")) {
        int first = i;
        while (first > 0 && lines.get(first - 1).startsWith("//")) {
          first--;
        }
        assertThat(String.join(" ", lines.subList(first, i)))
            .as("head of %s", lines.get(i))
            .containsPattern("work (item|items|group) |work-group");
      }
    }
  }
}
