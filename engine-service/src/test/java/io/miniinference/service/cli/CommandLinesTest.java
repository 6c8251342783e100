package io.miniinference.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.repository.BundledModels;
import io.miniinference.runtime.CacheFolder;
import io.miniinference.service.fullstack.OpenModel;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class CommandLinesTest {
  @TempDir Path folder;
  private final List<String> served = new ArrayList<>();

  private record Outcome(int status, String out, String err) {}

  @Test
  void serveHandsItsPropertiesOn() {
    Outcome outcome = run("serve", "--engine.device=jvm", "--server.port=0");

    assertThat(outcome.status()).isZero();
    assertThat(served).containsExactly("--engine.device=jvm", "--server.port=0");
  }

  @Test
  void serveTakesAFileOrAFolderForTheRepository() throws Exception {
    Path file = Files.writeString(folder.resolve("net.onnx"), "");

    assertThat(run("serve", file.toString(), "--engine.device=jvm").status()).isZero();
    assertThat(served).containsExactly("--engine.models.repository=" + file, "--engine.device=jvm");
  }

  @Test
  void ofAFolderWithoutAModelOfItsOwnItIsToldWhichToGive() throws Exception {
    assertThat(run("plan", folder.toString()).err())
        .isEqualTo(
            "mie: the folder '%s' has neither a model.onnx nor another .onnx file\n"
                .formatted(folder));

    Files.writeString(folder.resolve("a.onnx"), "");
    Files.writeString(folder.resolve("b.onnx"), "");

    assertThat(run("plan", folder.toString()).err())
        .contains("is a repository: give one of its models, such as " + folder.resolve("a.onnx"));
  }

  @ParameterizedTest
  @CsvSource({
    "--model-repository=/models, --engine.models.repository=FOLDER",
    "--http-port=8000, --spring.profiles.active=triton",
    "--model-control-mode=poll, --engine.repository.poll=10s",
    "--repository-poll-secs=5, --engine.repository.poll=10s",
    "--exit-on-error=false, --engine.models.required=any",
    "--log-verbose=1, --logging.level.io.miniinference=debug",
    "--http-restricted-api=inference:key=value, --engine.inference.token=SECRET",
    "--load-model=net, --engine.models.names=NAME",
    "--grpc-use-ssl=1, --spring.grpc.server.ssl.bundle",
    "--strict-model-config=false, it can be left out",
    "--disable-auto-complete-config, it can be left out",
    "'--backend-config=onnxruntime,default-max-batch-size=4', it can be left out",
    "'--cache-config=local,size=1', it can be left out",
    "--pinned-memory-pool-byte-size=0, it can be left out",
    "--allow-http=false, '--server.address=127.0.0.1 for false, since REST is always there'",
    "--allow-metrics=false, --management.endpoint.prometheus.access=none for false",
    "--allow-gpu-metrics=true, --engine.metrics.triton-names=true",
    "--http-thread-count=8, it can be left out",
    "--pool, --engine.pool.capacity=1GB",
    "--port, --server.port=9000",
    "-p, and got: -p",
  })
  void serveNamesThePropertyForAnOptionOfTritonsOrOfOtherCommands(String option, String property) {
    Outcome outcome = run("serve", option);

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains(property);
    assertThat(served).isEmpty();
  }

  @Test
  void everyCommandHasAHelpTextForTheScriptAndAVersion() {
    Path help = folder.resolve("help");

    assertThat(run("texts", help.toString()).status()).isZero();

    for (String command : List.of("serve", "devices", "plan", "run", "verify", "completion")) {
      Outcome outcome = run(command, "--help");
      assertThat(outcome.status()).isZero();
      assertThat(help.resolve(command + ".txt")).hasContent(outcome.out());
      assertThat(run(command, "--version").out()).startsWith("mini-inference-engine ");
    }
    assertThat(run("completion", "bash").out()).contains("complete -F _complete_mie");
  }

  @Test
  void theErrorIsTheLastLine() {
    assertThat(run("plan", "mnist-cnn", "--batch", "much").err().lines().toList().getLast())
        .startsWith("mie: Invalid value for option '--batch'");
    assertThat(run("plan", "no/such.onnx").err())
        .isEqualTo("mie: there is no file 'no/such.onnx'\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "dance",
        "serve now",
        "serve no/such.onnx",
        "serve src target",
        "serve src --engine.models.repository=target",
        "completion fish",
        "plan mnist-cnn --data src",
        "run mnist-cnn --data src",
        "serve --port=9000",
        "serve --prot 9000",
        "plan",
        "plan nothing.onnx",
        "plan mnist-cnn --batch 0",
        "plan mnist-cnn --device abacus",
        "plan mnist-cnn --capacity 1MB",
        "kernels",
        "kernels nothing.onnx",
        "kernels mnist-cnn --codegen vulkan",
        "kernels mnist-cnn --codegen cpu --batch 0",
        "kernels mnist-cnn --codegen cpu --step nothing",
        "kernels mnist-cnn --codegen cpu --step 0 --stages",
        "kernels mnist-cnn --device jvm",
        "run",
        "run nothing",
        "run mnist-cnn --data nowhere --out out",
        "run mnist-cnn --input nowhere.npy",
        "run mnist-cnn --input image=pom.xml",
        "run mnist-cnn --input Input3=pom.xml",
        "run mnist-cnn --batch 0",
        "run mnist-cnn --batch 1.5",
        "run mnist-cnn --top 0",
        "run mnist-cnn --labels pom.xml",
        "run mnist-cnn --top 5 --labels nowhere.txt",
        "run mnist-cnn --mean 1,2 --input pom.json",
        "run mnist-cnn --mean 1,2,3 --input ../docs/seven.json",
        "run mnist-cnn --std 0.5",
        "run mnist-cnn --batch 2 --input ../docs/seven.json",
        "run mnist-cnn --input ../docs/seven.json --input Input3=../docs/seven.json",
        "run number-words --input ../docs/seven.json",
        "run mnist-cnn --dim N",
        "plan mnist-cnn --pool much",
        "plan mnist-cnn --json=no",
        "verify pom.xml",
        "verify",
        "verify nowhere",
        "devices --fast"
      })
  void wrongUseIsToldOnStandardErrorWithStatusTwo(String line) {
    Outcome outcome = run(line.isEmpty() ? new String[0] : line.split(" "));

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines().toList().getLast()).startsWith("mie: ");
    assertThat(outcome.err()).doesNotContain("\tat ", "defect", "Exception", "io.miniinference");
    assertThat(served).isEmpty();
  }

  @Test
  void devicesAreOneLineOfJsonWithTheJvmLast() {
    Outcome outcome = run("devices", "--json");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.out().lines()).hasSize(1);
    var devices = JsonMapper.builder().build().readTree(outcome.out()).path("devices");
    assertThat(devices.path(devices.size() - 1).path("kind").stringValue()).isEqualTo("JVM");
  }

  @Test
  void aBundledModelIsPlannedInOneLineOfJsonAndDrawn() {
    Path svg = folder.resolve("plan.svg");

    Outcome outcome =
        run("plan", "mnist-mlp", "--device", "jvm", "--json", "--svg", svg.toString());

    assertThat(outcome.status()).isZero();
    assertThat(outcome.out().lines()).hasSize(1);
    assertThat(outcome.out()).startsWith("{\"model\":\"mnist-mlp\"").contains("\"plannedBytes\":");
    assertThat(svg).content().startsWith("<svg ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "gpu"})
  void kernelsOfEitherWriterAreReadWithoutADevice(String writer) {
    Outcome all = run("kernels", "mnist-deep", "--codegen", writer);
    Outcome one = run("kernels", "mnist-deep", "--codegen", writer, "--step", "node_max_pool2d");

    assertThat(all.status()).isZero();
    assertThat(all.out())
        .startsWith("// step 0 'node_Conv_94' Conv: conv_0, work")
        .contains(" void conv_0(", " void maxpool_");
    assertThat(one.out())
        .matches("(?s)// step [67] 'node_max_pool2d' MaxPool: maxpool_0, work.*") // 7 with parts
        .contains(" void maxpool_0(")
        .doesNotContain(" void conv_");
  }

  @Test
  void aNodeOfANetworkThatIsOneStepHasTheKernelOfAll() {
    Outcome one = run("kernels", "mnist-cnn", "--codegen", "gpu", "--step", "Pooling66");
    Outcome stages = run("kernels", "mnist-cnn", "--codegen", "gpu", "--stages");

    assertThat(one.out())
        .startsWith("// step 0 'mnist-cnn' Network: network_0, work-groups: N of 256 work items")
        .contains("{ // Conv, MaxPool");
    assertThat(stages.out())
        .contains("WholeNetwork[stages=[Conv, MaxPool, Conv, MaxPool, MatMul], bytesOfRow=");
  }

  @Test
  void aBatchThatIsGivenTwiceIsRefused() {
    new OpenModel()
        .floats("x", "batch,3")
        .node("Add", "x x", "y")
        .output("y", "batch,3")
        .write(folder, "doubled");
    String model = folder.resolve("doubled/1").toString();
    String refusal =
        "mie: --batch 2 and --dim batch=4 are two sizes of the batch: leave one of them out\n";

    for (String command : List.of("plan", "run")) {
      String[] line = {command, model, "--device=jvm", "--dim", "batch=4"};
      assertThat(run(and(line, "--batch", "2")).err()).isEqualTo(refusal);
      assertThat(run(line).status()).isZero();
    }
  }

  @Test
  void aPlanSaysWhatServeRefuses() {
    new OpenModel()
        .input("x", DataType.INT4, "batch,3")
        .node("Cast", "x", "y", "to=1")
        .output("y", "batch,3")
        .write(folder, "small");

    Outcome outcome = run("plan", folder.resolve("small/1").toString(), "--device=jvm");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.out())
        .contains("serve refuses it: input 'x': is of type INT4, for which the Open Inference")
        .doesNotContain("serve refuses it: output");
    assertThat(planned(folder.resolve("small/1").toString()).path("serveRefuses").path(0).asText())
        .startsWith("input 'x': is of type INT4");
  }

  @Test
  void aDeviceThatIsNoneIsAnsweredWithThoseThatAre() {
    assertThat(run("plan", "mnist-cnn", "--device", "cuda").err())
        .contains("'cuda' is none of auto, gpu, opencl, jvm; ./mie devices shows");
  }

  @Test
  void aStepThatIsNotThereIsAnsweredWithThoseThatAre() {
    Outcome outcome = run("kernels", "mnist-cnn", "--codegen", "cpu", "--step", "Pooling");

    assertThat(outcome.err()).contains("'Pooling'; there are 0 'Convolution28', 1 'Pooling66'");
  }

  @Test
  void stagesAreShownInTheirOrder() {
    Outcome outcome = run("kernels", "mnist-mlp", "--device", "jvm", "--stages", "--batch", "3");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.out())
        .containsSubsequence(
            "--- core IR after import ---\ngraph \"mnist-mlp\" {",
            "--- core IR after FuseElementwise ---",
            "--- steps as lowered ---",
            "--- program to plan ---\nprogram 'mnist-mlp'",
            "--- memory plan ---",
            "batch 3: arena of ",
            "--- steps under the plan ---",
            "--- schedule ---\nlaunch step 1\n");
  }

  @Test
  void planTellsWhatEachStepComputesAndHowFastItCouldBe() {
    assertThat(run("plan", "mnist-mlp", "--device", "jvm", "--peaks", "100,10").out())
        .contains("what each step computes (bounds at 100 GFLOP/s and 10.0 GB/s)")
        .contains("interpreter");
    assertThat(run("plan", "mnist-mlp", "--device", "jvm", "--peaks", "100").err())
        .contains("--peaks takes two numbers above 0, such as 330,17, not [100.0]");
  }

  @Test
  void thePlanSaysUpToWhichBatchAPoolHoldsTheModel() {
    JsonNode all = planned("mnist-mlp");
    long whole = all.path("reservedBytes").longValue();
    JsonNode fits = planned("mnist-mlp", "--pool", whole + "B");
    JsonNode less = planned("mnist-mlp", "--pool", (whole - 256) + "B");
    JsonNode none = planned("mnist-mlp", "--pool", "1KB");

    assertThat(fits.path("maxBatch").intValue()).isEqualTo(256);
    assertThat(fits.path("reservedBytes").longValue()).isEqualTo(whole);
    assertThat(less.path("maxBatch").intValue()).isEqualTo(128);
    assertThat(less.path("reservedBytes").longValue()).isLessThan(whole);
    assertThat(less.path("nextReservedBytes").longValue()).isEqualTo(whole);
    assertThat(none.path("maxBatch").intValue()).isZero();
    String[] small = {"plan", "mnist-mlp", "--device", "jvm", "--pool", (whole - 256) + "B"};
    assertThat(run(small).status()).isZero();
    assertThat(run(and(small, "--batch", "256")).status()).isEqualTo(CommandLines.FAILED);
    assertThat(run(and(small, "--batch", "256")).err())
        .isEqualTo(
            "mie: a pool of %,d B holds no batch of 256: 128 at most\n".formatted(whole - 256));
    Outcome tiny = run("plan", "mnist-mlp", "--device", "jvm", "--pool", "1KB");
    assertThat(tiny.status()).isEqualTo(CommandLines.FAILED);
    assertThat(tiny.err()).startsWith("mie: a pool of 1,024 B does not hold it: batch 1 takes ");
    assertThat(run("plan", "mnist-mlp", "--device", "jvm").out())
        .contains("a pool of 268,435,456 B holds it in batches up to 256");
  }

  @Test
  void aModelWithOpenSizesIsPlannedInTheLargestThatFit() {
    new OpenModel()
        .floats("x", "batch,length")
        .node("Add", "x x", "y")
        .output("y", "batch,length")
        .write(folder, "doubled");
    String model = folder.resolve("doubled/1").toString();

    JsonNode largest = planned(model, "--pool", "64KB");
    long length = largest.path("dimensions").path("length").longValue();
    JsonNode same = planned(model, "--pool", "64KB", "--dim", "length=" + length);
    JsonNode twice = planned(model, "--pool", "64KB", "--dim", "length=" + 2 * length);

    assertThat(length).isGreaterThan(1).isEqualTo(Long.highestOneBit(length));
    assertThat(largest.path("kernelsOfAllShapes").asText()).isEqualTo("0");
    assertThat(same.path("maxBatch").intValue()).isPositive();
    assertThat(same.path("reservedBytes")).isEqualTo(largest.path("reservedBytes"));
    assertThat(twice.path("maxBatch").intValue()).isZero();
    assertThat(run("plan", model, "--device", "jvm", "--pool", "64KB").out())
        .contains("open sizes: planned for length=" + length + ", ")
        .contains("length=" + 2 * length + " would take ");
    Outcome none = run("plan", model, "--device", "jvm", "--pool", "16B");
    assertThat(none.status()).isEqualTo(CommandLines.FAILED);
    assertThat(none.out())
        .contains("planned for length=1, the smallest power of two that it takes (--dim");
    assertThat(none.err()).startsWith("mie: a pool of 16 B does not hold it: batch 1 takes ");
  }

  /// As CLIP compares each text with each image.
  @Test
  void aModelWhoseRowsAreMultipliedByEachOtherIsPlannedForABatch() {
    new OpenModel()
        .floats("x", "batch,length")
        .node("Transpose", "x", "t")
        .node("MatMul", "x t", "y")
        .output("y", "batch,batch")
        .write(folder, "similar");
    String model = folder.resolve("similar/1").toString();

    assertThat(planned(model, "--pool", "64KB").path("dimensions").path("batch").longValue())
        .isOne();
    assertThat(run("plan", model, "--device", "jvm", "--pool", "64KB").out())
        .contains("open sizes: planned for batch=1, length=");
    assertThat(run("plan", model, "--device", "jvm", "--dim", "length=4", "--batch", "3").out())
        .contains("open sizes: planned for batch=3 (--dim NAME=VALUE plans others)");
  }

  @Test
  void aModelWithBoundsIsPlannedInTheLargestSizesThatTheyAllow() throws Exception {
    new OpenModel()
        .floats("x", "batch,length")
        .node("Add", "x x", "y")
        .output("y", "batch,length")
        .write(folder, "doubled");
    String model = folder.resolve("doubled/1").toString();
    JsonNode alone = planned(model, "--pool", "64KB", "--bound", "length=300");
    Files.writeString(folder.resolve("doubled/model.yaml"), "bounds: {length: 300}");
    JsonNode beside = planned(model, "--pool", "64KB");
    JsonNode same = planned(model, "--pool", "64KB", "--dim", "length=300");

    assertThat(beside.path("dimensions").path("length").intValue()).isEqualTo(300);
    assertThat(beside.path("bounds").booleanValue()).isTrue();
    assertThat(beside.path("maxBatch").intValue()).isGreaterThan(1);
    assertThat(alone.path("reservedBytes")).isEqualTo(beside.path("reservedBytes"));
    assertThat(same.path("plannedBytes")).isEqualTo(beside.path("plannedBytes"));
    assertThat(same.has("bounds")).isFalse();
    assertThat(run("plan", model, "--device", "jvm").out())
        .contains("open sizes: planned for length=300, the largest that the bounds allow")
        .contains("--dim NAME=VALUE plans others");
    assertThat(run("plan", model, "--device", "jvm", "--bound", "length=20").out())
        .contains("planned for length=20,");
  }

  private static String[] and(String[] line, String... more) {
    return Stream.concat(Stream.of(line), Stream.of(more)).toArray(String[]::new);
  }

  private JsonNode planned(String... arguments) {
    List<String> line = new ArrayList<>(List.of("plan", "--device", "jvm", "--json"));
    line.addAll(List.of(arguments));
    Outcome outcome = run(line.toArray(String[]::new));
    assertThat(outcome.out().lines()).hasSize(1);
    return JsonMapper.builder().build().readTree(outcome.out());
  }

  @Test
  void aModelRunsWithRandomInputsWhoseSeedIsShown() {
    Outcome first = run("run", "mnist-mlp", "--device", "jvm", "--seed", "7");
    Outcome again = run("run", "mnist-mlp", "--device", "jvm", "--seed", "7", "--json");

    assertThat(first.status()).isZero();
    assertThat(first.out()).contains("(JVM)\n", "  random, seed 7\n", "output  ", "f32[1,10]\n  [");
    assertThat(again.out().lines()).hasSize(1);
    JsonNode output = JsonMapper.builder().build().readTree(again.out()).path("outputs").path(0);
    assertThat(output.path("data").size()).isEqualTo(10);
    assertThat(first.out()).contains(output.path("data").path(9).toString());
  }

  @Test
  void aDigitOfAFileIsNamedByItsLabel() throws Exception {
    Path labels =
        Files.writeString(
            folder.resolve("labels.txt"),
            "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n");

    Outcome outcome =
        run(
            "run",
            "mnist-cnn",
            "--device=jvm",
            "--input=Input3=../docs/seven.json",
            "--top=2",
            "--labels=" + labels);

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out().lines().toList())
        .element(4, org.assertj.core.api.InstanceOfAssertFactories.STRING)
        .contains("     7  15.6792")
        .endsWith("seven");
    assertThat(outcome.out().lines().toList()).hasSize(6);
  }

  @Test
  void anInputThatDoesNotFitTheModelIsNoDefect() throws Exception {
    Path file = Files.writeString(folder.resolve("x.json"), "[[1,2],[3,4]]");

    Outcome outcome = run("run", "mnist-cnn", "--device=jvm", "--input=" + file);

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err())
        .startsWith("mie: unexpected shape for input 'Input3'")
        .doesNotContain("defect", "Exception");
  }

  @Test
  void aFileWithARequestGivesAllInputs() throws Exception {
    new OpenModel()
        .floats("a", "batch,3")
        .floats("b", "batch,3")
        .node("Add", "a b", "y")
        .output("y", "batch,3")
        .write(folder, "sum");
    String model = folder.resolve("sum/1").toString();
    String both =
        """
        {"inputs":[{"name":"b","shape":[1,3],"datatype":"FP32","data":[1,2,3]},
         {"name":"a","shape":[1,3],"datatype":"FP32","data":[10,20,30]}]}\
        """;
    Path request = Files.writeString(folder.resolve("request.json"), both);
    Path less = Files.writeString(folder.resolve("less.json"), both.replace("\"b\"", "\"other\""));
    Path plain = Files.writeString(folder.resolve("plain.json"), "[[1,2,3]]");

    assertThat(run("run", model, "--device=jvm", "--input", request.toString()).out())
        .contains("input   a  f32[1,3]  from a file", "input   b  f32[1,3]  from a file")
        .contains("[11.0, 22.0, 33.0]");
    assertThat(run("run", model, "--device=jvm", "--input", less.toString()).err())
        .contains("is a request with input 'other', and the model has [a, b]");
    assertThat(run("run", model, "--device=jvm", "--input", plain.toString()).err())
        .contains("write NAME=FILE, where NAME is one of [a, b]");
    Path other = Files.writeString(folder.resolve("other.json"), both.replace("FP32", "FP64"));
    assertThat(run("run", model, "--device=jvm", "--input", other.toString()).err())
        .contains("its datatype is 'FP64', and that of input 'a' is 'FP32'");
  }

  @Test
  void aRowThatFailsIsToldAndTheOthersAreShown() throws Exception {
    String row = "[" + "0,".repeat(18) + "0,%d]";
    Path file =
        Files.writeString(
            folder.resolve("words.json"), "[" + row.formatted(812) + "," + row.formatted(1) + "]");

    Outcome outcome = run("run", "number-words", "--device=jvm", "--input=" + file);

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.out()).contains("i64[2,20]  from a file");
    assertThat(outcome.err()).startsWith("mie: node ").contains("index 812 is outside [-29, 28]");
  }

  @Test
  void whatTheEngineLogsIsALineLikeOthers() {
    run("--version");

    assertThat(new SimpleFormatter().format(new LogRecord(Level.WARNING, "the cache is read-only")))
        .isEqualToNormalizingNewlines("mie: the cache is read-only\n");
  }

  @Test
  void aFileThatIsNoModelFailsWithStatusOne() throws Exception {
    Path file = Files.writeString(folder.resolve("hello.onnx"), "hello");

    Outcome outcome = run("plan", file.toString(), "--device", "jvm");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).startsWith("mie: 1 problem in 'hello'").doesNotContain("\tat ");
  }

  @Test
  void theFolderOfAModelIsAModelInEachLayoutOfARepository() throws Exception {
    Path bundled =
        BundledModels.unpack(CacheFolder.ofUser()).find("mnist-mlp").orElseThrow().path();
    Files.createDirectories(folder.resolve("net/2"));
    Files.createDirectories(folder.resolve("net/10"));
    Files.writeString(folder.resolve("net/2/model.onnx"), "hello");
    Files.copy(bundled, folder.resolve("net/10/any.onnx"));

    Outcome outcome = run("plan", folder.resolve("net").toString(), "--device", "jvm", "--json");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.out()).startsWith("{\"model\":\"net\"");
  }

  @Test
  void anOutputFolderThatIsAFileIsToldSo() throws Exception {
    Path file = Files.writeString(folder.resolve("out"), "");

    assertThat(run("run", "mnist-mlp", "--device=jvm", "--out", file.toString()).err())
        .isEqualTo("mie: cannot write to the folder '%s': it is a file\n".formatted(file));
  }

  @Test
  void verifyingEndsWithTheCountOverBothStreams() throws Exception {
    Path model = Files.createDirectories(folder.resolve("suite/broken"));
    Files.writeString(model.resolve("model.onnx"), "hello");
    String suite = folder.resolve("suite").toString();

    Outcome plain = run("verify", suite, "--device", "jvm");
    Outcome json = run("verify", suite, "--device", "jvm", "--json");

    assertThat(plain.status()).isEqualTo(1);
    assertThat(plain.out().lines().toList().getLast()).isEqualTo("0 passed, 1 failed");
    assertThat(json.out().lines()).hasSize(1);
    assertThat(json.out()).contains("\"kind\":\"JVM\",\"passed\":0,\"failed\":1");
    assertThat(plain.out()).contains("(JVM)\n0 passed");
    assertThat(plain.err()).isEqualTo("mie: 1 of 1 models failed\n");
    assertThat(json.err().lines().toList().getLast()).isEqualTo("0 passed, 1 failed");
  }

  private Outcome run(String... args) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    var newOut = new ByteArrayOutputStream();
    var newErr = new ByteArrayOutputStream();
    System.setOut(new PrintStream(newOut, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(newErr, true, StandardCharsets.UTF_8));
    try {
      int status = CommandLines.execute(args, served::addAll);
      return new Outcome(
          status, newOut.toString(StandardCharsets.UTF_8), newErr.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }
}
