package io.miniinference.runtime.strings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Pattern;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.strings.Dictionary;
import io.miniinference.strings.StringTable;
import io.miniinference.testing.TestModel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Nodes that make strings, computed on the host, and what is left of a model without them.
class StringPrefixTest {
  private final StringTable table = new StringTable(Dictionary.EMPTY);

  private List<Tensor> of(StringStep.Work work, Tensor... operands) {
    return work.of(
        List.of(operands).stream().map(it -> it.codedIn(table)).toList(),
        table,
        HostBudget.ofLoad());
  }

  private static StringPrefix prefix(TestModel model) {
    return StringPrefix.of(model.read()).orElseThrow();
  }

  @Test
  void stringsAreJoinedWithBroadcast() {
    Tensor joined =
        of(StringWorks::joined, Tensor.of(new String[] {"a", "b"}, 2, 1), Tensor.of("x", "é", ""))
            .getFirst();
    assertThat(joined.shape()).containsExactly(2, 3);
    assertThat(joined.strings()).containsExactly("ax", "aé", "a", "bx", "bé", "b");
    assertThatThrownBy(() -> of(StringWorks::joined, Tensor.of("a", "b"), Tensor.of("a", "b", "c")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("do not broadcast");
  }

  @Test
  void aFewStringsDoNotMakeTooMany() {
    String[] many = Collections.nCopies(5000, "").toArray(String[]::new);
    assertThatThrownBy(() -> of(StringWorks::joined, Tensor.of(many, 5000, 1), Tensor.of(many)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("[5000, 5000]");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      delimiter = '|',
      value = {
        "~ a  b\u00a0c\u3000~ | ~~ | -1 | a/b/c",
        "~a b  c ~ | ~~ | 1 | ~a/b  c ~",
        "~a,,b,~ | , | -1 | a//b/",
        "~a,,b,~ | , | 1 | a/,b,",
        "~a--b-c~ | -- | -1 | a/b-c",
        "~grüße an grüße~ | grüße | -1 | ~/ an /~",
        "~a b~ | ~~ | 0 | ~a b~",
      })
  void stringsAreSplitAsPythonDoes(String text, String delimiter, int most, String parts) {
    var splitter = new Splitter(held(delimiter), most);
    List<String> found = new ArrayList<>();
    assertThat(splitter.split(held(text), part -> found.add(part.get()))).isEqualTo(found.size());
    assertThat(found).containsExactly(held(parts).split("/", -1));
  }

  private static String[] words(int count, String word) {
    return Collections.nCopies(count, word).toArray(String[]::new);
  }

  @Test
  void longStringsAreNotJoinedWithoutBound() {
    Tensor long1 = numbered(512, "x".repeat(8000));
    Tensor long2 = Tensor.of(words(1, "y".repeat(8000)));
    Tensor column = new Tensor(long1.element(), new long[] {512, 1}, long1.data(), long1.table());
    assertThat(of(StringWorks::joined, column, long2).getFirst().shape()).containsExactly(512, 1);
    assertThatThrownBy(() -> of(StringWorks::joined, column, long1))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("more than 268435456 steps on the host");
  }

  private static Tensor numbered(int count, String end) {
    return Tensor.of(IntStream.range(0, count).mapToObj(i -> i + end).toArray(String[]::new));
  }

  @Test
  void workEndsWhenTheTimeOfTheRequestHasRunOut() {
    Tensor x = numbered(200, "x".repeat(8000)).codedIn(table);
    var late = new HostBudget(System.nanoTime() - 1);
    assertThatThrownBy(() -> StringWorks.joined(List.of(x, x), table, late))
        .isInstanceOf(AbandonedRequestException.class);
  }

  @Test
  void codesAreChargedAndTheirSumHasABound() {
    long[] taken = {0};
    var charged = new StringTable(Dictionary.EMPTY, bytes -> taken[0] += bytes);
    Tensor x = Tensor.of("a", "a").codedIn(charged);
    long before = taken[0];
    StringWorks.joined(List.of(x, x), charged, HostBudget.ofLoad());
    assertThat(taken[0] - before).isEqualTo(2 * 4 + StringTable.ENTRY_BYTES + 2);
    HostBudget budget = HostBudget.ofLoad();
    budget.codes(new long[] {1 << 24}, table);
    assertThatThrownBy(() -> budget.codes(new long[] {1}, table))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("all that are made are more than 16777216");
  }

  private static String held(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  @Test
  void partsAreFilledUpAndCounted() {
    List<Tensor> split =
        of(StringWorks.splitting(new Splitter("", -1)), Tensor.of("a b", "", "c d e"));
    assertThat(split.getFirst().shape()).containsExactly(3, 3);
    assertThat(split.getFirst().strings()).containsExactly("a", "b", "", "", "", "", "c", "d", "e");
    assertThat(split.getLast().longs()).containsExactly(2, 0, 3);
    assertThatThrownBy(() ->
            of(
                StringWorks.splitting(new Splitter(",", -1)),
                Tensor.of(words(5000, ",".repeat(5000)))))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("[5000, 5001]");
  }

  @Test
  void stopWordsAreLeftOutAndTheOthersChangeCase() {
    var loose = new Normaliser("UPPER", false, Locale.US, Set.of("Monday"));
    assertThat(
            of(StringWorks.normalising(loose), Tensor.of("MONDAY", "é", "x")).getFirst().strings())
        .containsExactly("É", "X");
    var exact = new Normaliser("LOWER", true, Locale.US, Set.of("Monday"));
    Tensor row = Tensor.of(new String[] {"Monday", "MONDAY"}, 1, 2);
    assertThat(of(StringWorks.normalising(exact), row).getFirst().strings())
        .containsExactly("monday");
    Tensor none = of(StringWorks.normalising(exact), Tensor.of("Monday")).getFirst();
    assertThat(none.strings()).containsExactly("");
    var turkish = new Normaliser("LOWER", false, Locale.forLanguageTag("tr-TR"), Set.of());
    assertThat(of(StringWorks.normalising(turkish), Tensor.of("I")).getFirst().strings())
        .containsExactly("ı");
  }

  @Test
  void patternsMatchWholeStringsInLinearTime() {
    StringStep.Work match = StringWorks.matching(Pattern.compile("(a|aa)+é?"));
    assertThat(
            of(match, Tensor.of("aaa", "aé", "ba", "", "a".repeat(10_000) + "b"))
                .getFirst()
                .booleans())
        .containsExactly(true, true, false, false, false);
    StringStep.Work large = StringWorks.matching(Pattern.compile("a{1000}"));
    assertThatThrownBy(() -> of(large, Tensor.of("b".repeat(5 << 20))))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("more than 268435456 steps on the host");
    assertThat(of(large, Tensor.of(words(3000, "b".repeat(200)))).getFirst().booleans())
        .hasSize(3000);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      delimiter = '|',
      value = {"abc | 3", "a{1000} | 1002", "(a{10}){10} | 168", "[a]{2}x | 13", "\\Qa{9}\\E | 8"})
  void sizesCountRepetitions(String pattern, long size) {
    assertThat(PatternSize.measured(pattern).characters()).isEqualTo(size);
  }

  @Test
  void patternsThatGrowWithoutBoundAreRefused() {
    String pattern = "(".repeat(20) + "a" + "{30})".repeat(20);
    assertThat(PatternSize.measured(pattern).characters()).isEqualTo(Long.MAX_VALUE);
    assertThatThrownBy(() -> prefix(matching(pattern)))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("node 'make y' (RegexFullMatch)")
        .hasMessageContaining("more than 10000");
    assertThatThrownBy(() -> prefix(matching("(a"))).hasMessageContaining("none of RE2");
  }

  private static TestModel matching(String pattern) {
    return TestModel.opset(21)
        .input("x", DataType.STRING, "N")
        .node("RegexFullMatch", "x", "y", "pattern=" + pattern)
        .output("y");
  }

  @Test
  void theRestHasInputsInPlaceOfNodes() {
    TestModel model =
        TestModel.opset(21)
            .input("x", DataType.STRING, "N")
            .words("end", "!")
            .node("StringConcat", "x end", "loud")
            .node("StringSplit", "loud", "parts counts", "delimiter=-")
            .node("Cast", "counts", "y", "to=1")
            .output("parts")
            .output("y");
    StringPrefix prefix = prefix(model);
    assertThat(prefix.rest().graph().getInputList().stream().map(it -> it.getName()))
        .containsExactly("x", "parts/host", "counts/host");
    assertThat(prefix.rest().graph().getInput(1).getType().getTensorType().getShape().getDimList())
        .extracting(it -> it.getDimParam())
        .containsExactly("N", "parts[1]");
    Map<String, Tensor> made =
        prefix.steps().computed(Map.of("x", Tensor.of("a-b", "c")), table, HostBudget.ofLoad());
    assertThat(Objects.requireNonNull(made.get("parts/host")).strings())
        .containsExactly("a", "b!", "c!", "");
    assertThat(Objects.requireNonNull(made.get("counts/host")).longs()).containsExactly(2, 1);
  }

  @Test
  void patternsThatNestDeeplyAreRefused() {
    assertThatThrownBy(() -> prefix(matching("(".repeat(2000) + "a" + ")".repeat(2000))))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("2000 groups in each other, more than 200");
    assertThat(prefix(matching("(".repeat(200) + "a" + ")".repeat(200))).steps().steps())
        .hasSize(1);
  }

  @Test
  void nodesWithOutputsThatTheirOperatorLacksStay() {
    TestModel model =
        TestModel.opset(21)
            .input("x", DataType.STRING, "N")
            .node("StringConcat", "x x", "y z")
            .output("y");
    assertThat(StringPrefix.of(model.read())).isEmpty();
  }

  @Test
  void stringsOfConstantNodesAreKnown() {
    TestModel model =
        TestModel.opset(21)
            .input("x", DataType.STRING, "N")
            .node("Constant", "", "end", "value_string=!")
            .node("StringConcat", "x end", "y")
            .output("y");
    StringPrefix prefix = prefix(model);
    var made = prefix.steps().computed(Map.of("x", Tensor.of("a")), table, HostBudget.ofLoad());
    assertThat(Objects.requireNonNull(made.get("y/host")).strings()).containsExactly("a!");
  }

  @Test
  void aNormalizerOfStopWordsHasAnOpenEndForTheOneStringOfNone() {
    StringPrefix prefix = prefix(normalizing("a"));
    assertThat(sizes(prefix, 1)).containsExactly("y[0]");
    assertThat(prefix.steps().told("input 'y/host' has size 2"))
        .isEqualTo("value 'y', which the host makes, has size 2");
  }

  @Test
  void aNormalizerWithoutStopWordsKeepsAllStrings() {
    StringPrefix prefix = prefix(normalizing());
    assertThat(sizes(prefix, 1)).containsExactly("N");
    Map<String, Tensor> none = Map.of("x", Tensor.of(new String[0], 0));
    assertThat(prefix.steps().computed(none, table, HostBudget.ofLoad()).get("y/host"))
        .extracting(Tensor::elements)
        .isEqualTo(0L);
  }

  private static TestModel normalizing(String... stopwords) {
    return TestModel.opset(21)
        .input("x", DataType.STRING, "N")
        .node("StringNormalizer", "x", "y", "case_change_action=LOWER")
        .strings("stopwords", stopwords)
        .output("y");
  }

  private static List<String> sizes(StringPrefix prefix, int input) {
    return prefix
        .rest()
        .graph()
        .getInput(input)
        .getType()
        .getTensorType()
        .getShape()
        .getDimList()
        .stream()
        .map(dim -> dim.hasDimValue() ? Long.toString(dim.getDimValue()) : dim.getDimParam())
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Identity | | N,1 | N/1",
        "Reshape | -1 | N,1 | N",
        "Reshape | 1,-1 | N | 1/N",
        "Reshape | -1 | N,2 | moved[0]",
        "Reshape | 0,-1 | N,2 | N/2",
        "Reshape | 3,-1 | 2,6 | 3/4",
        "Flatten | axis=0 | N,1 | 1/N",
        "Flatten | axis=2 | N,3 | moved[0]/1",
        "Squeeze | 1 | N,1 | N",
        "Unsqueeze | 0 | N | 1/N",
        "ArrayFeatureExtractor | 1,0,1 | N,2 | N/3",
      })
  void stringsAreMovedAheadOfNodesThatLookIntoThem(
      String op, @Nullable String numbers, String dims, String moved) {
    boolean isAttribute = numbers != null && numbers.contains("=");
    TestModel model = TestModel.opset(21).input("x", DataType.STRING, dims);
    if (numbers != null && !isAttribute) {
      model.constant("numbers", Stream.of(numbers.split(",")).mapToLong(Long::parseLong).toArray());
    }
    model
        .node(
            op,
            numbers == null || isAttribute ? "x" : "x numbers",
            "moved",
            isAttribute ? new String[] {numbers} : new String[0])
        .domain(op.equals("ArrayFeatureExtractor") ? "ai.onnx.ml" : "")
        .node("StringConcat", "moved moved", "y")
        .output("y");
    assertThat(sizes(prefix(model), 1)).containsExactly(moved.split("/"));
  }

  @Test
  void movedStringsKeepTheirOrder() {
    TestModel model =
        TestModel.opset(21)
            .input("x", DataType.STRING, "N,2")
            .constant("columns", 1, 0, 1)
            .node("ArrayFeatureExtractor", "x columns", "taken")
            .domain("ai.onnx.ml")
            .node("Unsqueeze", "taken columns", "more")
            .node("StringConcat", "taken taken", "y")
            .output("y");
    StringPrefix prefix = prefix(model);
    var made =
        prefix
            .steps()
            .computed(
                Map.of("x", Tensor.of(new String[] {"a", "b", "c", "d"}, 2, 2)),
                table,
                HostBudget.ofLoad());
    assertThat(Objects.requireNonNull(made.get("y/host")).strings())
        .containsExactly("bb", "aa", "bb", "dd", "cc", "dd");
    assertThat(prefix.rest().graph().getNodeList())
        .anyMatch(it -> it.getOpType().equals("Unsqueeze"));
  }

  @Test
  void stringsThatDoNotFitAShapeAreRefused() {
    TestModel model =
        TestModel.opset(21)
            .input("x", DataType.STRING, "N")
            .constant("shape", 2, -1)
            .node("Reshape", "x shape", "moved")
            .node("StringConcat", "moved moved", "y")
            .output("y");
    HostSteps steps = prefix(model).steps();
    assertThatThrownBy(
            () -> steps.computed(Map.of("x", Tensor.of("a", "b", "c")), table, HostBudget.ofLoad()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(
            "node 'make moved' (Reshape) of [2, -1] takes no strings of shape [3]");
  }

  @Test
  void columnsOfOneStringAreRefused() {
    NodeProto node =
        NodeProto.newBuilder()
            .setDomain("ai.onnx.ml")
            .setOpType("ArrayFeatureExtractor")
            .addInput("x")
            .addInput("columns")
            .addOutput("y")
            .build();
    HostMove move = HostMove.of(node, _ -> Optional.of(List.of(0L))).orElseThrow();
    assertThatThrownBy(() -> of(move.work(), Tensor.of(new String[] {"a"}, new long[0])))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("takes no strings of shape []");
  }

  @Test
  void viewsOfOtherDomainsAndOfTooManyAxesStay() {
    TestModel other =
        TestModel.opset(21)
            .input("x", DataType.STRING, "N")
            .node("Identity", "x", "moved")
            .domain("of.others")
            .node("StringConcat", "moved moved", "y")
            .output("y");
    assertThat(StringPrefix.of(other.read())).isEmpty();
    TestModel many =
        TestModel.opset(21)
            .input("x", DataType.STRING, "N")
            .constant("shape", new long[65])
            .node("Reshape", "x shape", "moved")
            .node("StringConcat", "moved moved", "y")
            .output("y");
    assertThat(StringPrefix.of(many.read())).isEmpty();
  }

  @Test
  void whatAPatternReadsAgainIsPaidFor() {
    var matching = new Tokeniser.Matching(Pattern.compile("(?:a*b|a)"), 1);
    var tokeniser = new Tokeniser(matching, false, "", false);
    assertThat(of(StringWorks.tokenizing(tokeniser), Tensor.of("aab")).getFirst().strings())
        .containsExactly("aab");
    assertThatThrownBy(() -> of(StringWorks.tokenizing(tokeniser), Tensor.of("a".repeat(20_000))))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("more than 268435456 steps on the host");
  }

  /// A text of one word more has the same shape, if pads are of no account.
  @ParameterizedTest
  @CsvSource({
    "x, N, #, , 16",
    "x, 'N,1', #, , 16",
    "x, 'N,2', #, , 3",
    "x, N, fox, , 3",
    "x, N, #, tokens, 3"
  })
  void tokensThatAreCountedHaveFewLengths(
      String input, String dims, String pad, @Nullable String output, long places) {
    TestModel model =
        TestModel.opset(17)
            .input(input, DataType.STRING, dims)
            .node("Tokenizer", input, "tokens", "pad_value=" + pad, "tokenexp=[a-z]+")
            .domain("com.microsoft")
            .node("Flatten", "tokens", "rows")
            .node("TfIdfVectorizer", "rows", "counts", "mode=TF")
            .strings("pool_strings", "fox", "dog")
            .output("counts");
    if (output != null) {
      model.output(output);
    }
    long[] shape =
        dims.contains("2")
            ? new long[] {1, 2}
            : dims.contains("1") ? new long[] {2, 1} : new long[] {2};
    Tensor texts = Tensor.of(new String[] {"a fox ran", ""}, shape);
    var made = prefix(model).steps().computed(Map.of(input, texts), table, HostBudget.ofLoad());
    assertThat(Objects.requireNonNull(made.get("tokens/host")).shape()).endsWith(places);
  }

  @ParameterizedTest
  @CsvSource({"0, 16", "1, 16", "16, 16", "17, 32", "32, 32", "33, 64"})
  void placesAreAPowerOfTwo(int most, int places) {
    var cut = new Tokeniser.Characters();
    assertThat(new Tokeniser(cut, false, "", true).places(most)).isEqualTo(places);
    assertThat(new Tokeniser(cut, false, "", false).places(most)).isEqualTo(most);
  }

  @Test
  void nodesOfWhatADeviceMakesStay() {
    TestModel model =
        TestModel.opset(21)
            .input("x", DataType.STRING, "N")
            .longs("i", "M")
            .node("Gather", "x i", "same")
            .node("StringConcat", "same same", "y")
            .output("y");
    assertThat(StringPrefix.of(model.read())).isEmpty();
  }
}
