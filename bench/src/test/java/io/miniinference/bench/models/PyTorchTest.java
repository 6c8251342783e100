package io.miniinference.bench.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Entrant;
import io.miniinference.bench.measure.Slice;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Precision;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Our end of the line to PyTorch, with a program at the other end that answers by rote.
final class PyTorchTest {
  private static final Tensor TWO_FLOATS =
      new Tensor(ElementType.F32, new long[] {2}, MemorySegment.ofArray(new byte[8]));
  private static final Feed FEED = new Feed(List.of(new Feed.Input("x", TWO_FLOATS)));
  private static final Slice SLICE = new Slice(1, 2, 3);

  @TempDir Path folder;

  @Test
  void itIsAskedToPrepareAndThenToRunSlices() throws Exception {
    String python =
        program(
            """
            *hello*) echo '{"torch":"2.11.0+cu130","device":"a GPU"}' ;;
            *prepare*)
              printf '%s' "$line" >prepared
              printf '\\0\\0\\0\\0\\0\\0\\0\\0' >output-0
              echo '{"ways":[{"mode":"eager","memory":"ordinary"},{"mode":"graph","memory":"pinned"}],"notes":["so"]}' ;;
            *pinned*) echo '{"micros":[3.5,4.5]}' ;;
            *slice*) echo '{"micros":[1.0,2.0,3.0]}' ;;
            """);
    try (var peer = PyTorch.start(python, folder, Precision.F32)) {
      assertThat(peer.name()).isEqualTo("PyTorch 2.11.0");

      Peer.Runs runs = peer.prepare(Path.of("/models/m.onnx"), FEED, List.of(TWO_FLOATS));

      assertThat(Files.readString(folder.resolve("prepared")))
          .contains(
              "\"model\":\"/models/m.onnx\"",
              "\"type\":\"f32\",\"shape\":[2],\"file\":\"" + folder.resolve("input-0") + "\"",
              "\"outputs\":[\"" + folder.resolve("output-0") + "\"]");
      assertThat(folder.resolve("input-0")).hasBinaryContent(new byte[8]);
      assertThat(runs.outputs()).singleElement().hasToString("f32[2]");
      assertThat(runs.notes()).containsExactly("PyTorch 2.11.0: so");
      Entrant eager = runs.entrants(Memory.ORDINARY).getFirst();
      Entrant graph = runs.entrants(Memory.PINNED).getFirst();
      assertThat(eager.subject()).isEqualTo("PyTorch 2.11.0 eager");
      assertThat(graph.subject()).isEqualTo("PyTorch 2.11.0 CUDA graph");
      assertThat(eager.run(SLICE)).containsExactly(1, 2, 3);
      assertThat(graph.run(SLICE)).containsExactly(3.5, 4.5);
    }
  }

  @Test
  void itsErrorsAreToldInItsWords() throws Exception {
    String python =
        program(
            """
            *hello*) echo '{"torch":"2.11.0"}' ;;
            *) echo '{"error":"NotImplementedError: no counterpart of Loop"}' ;;
            """);
    try (var peer = PyTorch.start(python, folder, Precision.F32)) {
      assertThatThrownBy(() -> peer.prepare(Path.of("m.onnx"), FEED, List.of()))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("no counterpart of Loop");
    }
  }

  @Test
  void anEndInTheMiddleIsNoticed() throws Exception {
    String python = program("*hello*) echo '{\"torch\":\"2.11.0\"}' ;;\n*) exit 1 ;;\n");
    try (var peer = PyTorch.start(python, folder, Precision.F32)) {
      assertThatThrownBy(() -> peer.prepare(Path.of("m.onnx"), FEED, List.of()))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("ended");
    }
  }

  @Test
  void outputsOfAnotherSizeAreRefused() throws Exception {
    String python =
        program(
            """
            *hello*) echo '{"torch":"2.11.0"}' ;;
            *prepare*) printf '\\0\\0\\0\\0' >output-0; echo '{"ways":[],"notes":[]}' ;;
            """);
    try (var peer = PyTorch.start(python, folder, Precision.F32)) {
      assertThatThrownBy(() -> peer.prepare(Path.of("m.onnx"), FEED, List.of(TWO_FLOATS)))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("4 bytes, and not those of f32[2]");
    }
  }

  @Test
  void aPythonThatIsNotThereIsToldByName() {
    assertThatThrownBy(() -> PyTorch.start("no-such-python", folder, Precision.F32))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("no-such-python");
  }

  @Test
  void chatterIsNoAnswer() throws Exception {
    String python = program("*) echo 'Hello from a library!' ;;\n");
    assertThatThrownBy(() -> PyTorch.start(python, folder, Precision.F32))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("it says: Hello from a library!");
  }

  /// A program that answers lines according to the cases of a shell.
  private String program(String cases) throws Exception {
    Path file = folder.resolve("python");
    Files.writeString(
        file,
        "#!/bin/sh\ncd '%s'\nwhile read -r line; do case $line in\n%sesac; done\n"
            .formatted(folder, cases));
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file.toString();
  }
}
