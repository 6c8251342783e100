package io.miniinference.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.bench.measure.FiguresPage;
import io.miniinference.bench.measure.Results;
import io.miniinference.bench.measure.SuiteResult;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.repository.BundledModels;
import io.miniinference.testing.TestModel;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// The command line of the benchmarks.
final class BenchTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path folder;

  @Test
  void suitesAreListedWithWhatTheyMeasure() {
    assertThat(bench("--list")).isZero();
    assertThat(out.toString()).contains("models ", "jvm ", "serving ", "ONNX Runtime");
  }

  @Test
  void aTableGoesToStandardOutputAndProgressToStandardError() throws Exception {
    Path json = folder.resolve("results.json");

    int status =
        bench(
            "models",
            "--quick",
            "--device=jvm",
            "--model=mnist-mlp",
            "--batch=1,2",
            "--json=" + json,
            "--threads=" + processors());

    assertThat(status).as(err.toString()).isZero();
    assertThat(err.toString()).contains("bench: mnist-mlp: batch 2");
    assertThat(out.toString())
        .contains("models: ", "batch 1", "engine, µs")
        .doesNotContain("bench: ");
    Results results = Results.parse(Files.readString(json));
    assertThat(results.suites()).extracting(SuiteResult::suite).containsExactly("models");
    assertThat(results.arguments()).contains("--quick", "--batch=1,2");
  }

  @Test
  void aModelOfAUserIsOneLineBesideOnnxRuntime() throws Exception {
    Path file = folder.resolve("digits.onnx");
    Files.copy(BundledModels.unpack(folder).find("mnist-mlp").orElseThrow().path(), file);

    int status = bench(file.toString(), "--quick", "--device=jvm", "--threads=" + processors());

    assertThat(status).as(err.toString()).isZero();
    assertThat(out.toString().lines())
        .singleElement()
        .asString()
        .matches(
            "digits, batch 1, on .*: [0-9,.]+ µs, [0-9.]+ \\[.*] times that of ONNX Runtime.*");
  }

  @Test
  void sizesThatAModelLeavesOpenAreGivenByName() throws Exception {
    Path file = folder.resolve("sums.onnx");
    Files.write(
        file,
        TestModel.opset(18).floats("x", "N,length").node("Relu", "x", "y").output("y").bytes());

    assertThat(bench(file.toString(), "--quick", "--device=jvm", "--threads=" + processors()))
        .isEqualTo(1);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines())
        .last()
        .asString()
        .startsWith("mie: sums is not measured: ")
        .endsWith(
            "input 'x': has dimension 'length' on axis 1, which is not the batch; give its size"
                + " (--dim length=VALUE)");

    int status =
        bench(
            file.toString(),
            "--dim=length=7",
            "--quick",
            "--device=jvm",
            "--threads=" + processors());

    assertThat(status).as(err.toString()).isZero();
    assertThat(out.toString()).matches("sums, batch 1, on .*: [0-9,.]+ µs, .*\\R");
  }

  @Test
  void aModelThatIsNotThereIsToldInALine() {
    assertThat(bench("no/such.onnx")).isEqualTo(2);
    assertThat(err.toString()).isEqualTo("mie: there is no file 'no/such.onnx'\n");
    assertThat(bench(folder.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("mie: the folder '" + folder + "' has no model.onnx; ");
  }

  @Test
  void aModelOfStringsIsMeasuredAlone() throws Exception {
    Path file = folder.resolve("words.onnx");
    Files.write(
        file,
        TestModel.opset(18)
            .input("x", DataType.STRING, "N,2")
            .node("Identity", "x", "y")
            .output("y")
            .bytes());

    int status = bench(file.toString(), "--quick", "--device=jvm", "--threads=" + processors());

    assertThat(status).as(err.toString()).isZero();
    assertThat(err.toString())
        .contains("ONNX Runtime", "does not run words: strings are not handed to it, as in 'x'");
    assertThat(out.toString()).matches("words, batch 1, on .*: [0-9,.]+ µs\\R");
  }

  @Test
  void figuresOfAFolderAreWrittenIntoThePagesBesideIt() throws Exception {
    Files.createDirectories(folder.resolve("docs"));
    Files.createDirectories(folder.resolve("bench/results"));
    String text =
        "a\n<!-- figures: begin (./mie bench --readme writes them) -->\nold\n<!-- figures: end -->";
    for (FiguresPage page : FiguresPage.ALL) {
      Files.writeString(folder.resolve(page.path()), text);
    }

    assertThat(bench("--readme", "--root=" + folder)).isZero();

    assertThat(FiguresPage.ALL)
        .allSatisfy(page ->
            assertThat(folder.resolve(page.path()))
                .content()
                .startsWith("a\n")
                .doesNotContain("old"));
  }

  @Test
  void aSuiteThatIsNotThereIsWrongUse() {
    assertThat(bench("modles")).isEqualTo(2);
    assertThat(err.toString()).contains("no suite 'modles'", "models");
  }

  @Test
  void aBatchOfNoRowsIsWrongUse() {
    assertThat(bench("models", "--batch=1,0")).isEqualTo(2);
    assertThat(err.toString().lines()).last().isEqualTo("mie: --batch is 1 or more, not 0");
  }

  @Test
  void zeroThreadsAreWrongUse() {
    assertThat(bench("--threads=0")).isEqualTo(2);
    assertThat(err.toString()).contains("--threads is 1 or more, not 0");
  }

  @Test
  void whatCannotBeMeasuredIsToldInALine() {
    int status = bench("jvm", "--model=mnist-xyz", "--threads=" + processors());

    assertThat(status).isEqualTo(1);
    assertThat(err.toString()).contains("mnist-xyz").doesNotContain("\tat ");
  }

  private static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  private int bench(String... arguments) {
    CommandLine line = Bench.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }
}
