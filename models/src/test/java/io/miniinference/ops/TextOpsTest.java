package io.miniinference.ops;

import static io.miniinference.ops.StringRun.run;
import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.integers;
import static io.miniinference.ops.TestModel.reals;
import static io.miniinference.ops.TestModel.strings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.miniinference.interp.memory.DataFailure;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.ImportOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Operators that look strings up: encoders, categories, and counts of n-grams.
class TextOpsTest {
  private static final String LABELS = "ai.onnx.ml.LabelEncoder";

  private static Tensor encoded(TestModel model, Tensor x, AttributeProto... attributes) {
    return run(model.node(LABELS, "x", "y", attributes).output("y"), Map.of("x", x)).getFirst();
  }

  private static TestModel ofStrings() {
    return TestModel.opset(17).strings("x", "N");
  }

  @Test
  void stringsBecomeNumbersAndOtherStrings() {
    AttributeProto keys = strings("keys_strings", List.of("a", "b", "", "a"));
    Tensor x = Tensor.of("b", "new", "a", "");
    assertThat(encoded(ofStrings(), x, keys, integers("values_int64s", 5, 6, 7, 8)).longs())
        .containsExactly(6, -1, 5, 7);
    assertThat(
            encoded(ofStrings(), x, keys, reals("values_floats", List.of(.5f, 1f, 2f, 3f)))
                .floats())
        .containsExactly(1, -0f, .5f, 2);
    assertThat(
            encoded(
                    ofStrings(),
                    x,
                    keys,
                    strings("values_strings", List.of("é", "f", "g", "h")),
                    attribute("default_string", "none"))
                .strings())
        .containsExactly("f", "none", "é", "g");
  }

  private static AttributeProto[] numbered(List<String> keys) {
    long[] places = IntStream.range(0, keys.size()).asLongStream().toArray();
    return new AttributeProto[] {strings("keys_strings", keys), integers("values_int64s", places)};
  }

  /* Each column has strings of its own; the last one has two that lie far apart among others'. */
  @Test
  void tablesAreOfTheKeysOfTheirNodeAlone() {
    int columns = 3;
    TestModel model = ofStrings();
    for (int i = 0; i < columns; i++) {
      String column = "c" + i + "-";
      List<String> keys = IntStream.range(0, 2_000).mapToObj(k -> column + k).toList();
      model.node(LABELS, "x", "y" + i, numbered(keys)).output("y" + i);
    }
    model.node(LABELS, "x", "z", numbered(List.of("c2-1999", "c0-0"))).output("z");
    Importer.Imported imported = Importer.importWithValues(model.read(), ImportOptions.defaults());
    assertThat(imported.graph().constants().values())
        .allMatch(constant -> constant.elements() <= 2_001);
    Tensor x = Tensor.of("c1-1999", "c0-0", "c2-1999", "c2-7", "new", "c1-0");
    List<Tensor> y = run(imported, Map.of("x", x));
    assertThat(y.get(0).longs()).containsExactly(-1, 0, -1, -1, -1, -1);
    assertThat(y.get(1).longs()).containsExactly(1999, -1, -1, -1, -1, 0);
    assertThat(y.get(2).longs()).containsExactly(-1, -1, 1999, 7, -1, -1);
    assertThat(y.get(3).longs()).containsExactly(-1, 1, 0, -1, -1, -1);
  }

  @Test
  void whatHasNoValueIsUnused() {
    AttributeProto keys = integers("keys_int64s", 9, -3, 5_000_000_000L);
    AttributeProto values = strings("values_strings", List.of("nine", "minus", "large"));
    TestModel model = TestModel.opset(17).input("x", DataType.INT64, "5");
    Tensor x = Tensor.of(new long[] {5_000_000_000L, -3, 0, 9, Long.MAX_VALUE}, 5);
    assertThat(encoded(model, x, keys, values).strings())
        .containsExactly("large", "minus", "_Unused", "nine", "_Unused");
  }

  @Test
  void floatsAreFoundByValueAndNoNumberByNone() {
    AttributeProto keys = reals("keys_floats", List.of(2.5f, Float.NaN, -0f, -1e30f));
    AttributeProto values = strings("values_strings", List.of("a", "nan", "zero", "low"));
    TestModel model = TestModel.opset(17).floats("x", "6");
    Tensor x =
        Tensor.of(new float[] {0, -1e30f, Float.NaN, 2.5f, 2.4f, Float.NEGATIVE_INFINITY}, 6);
    assertThat(encoded(model, x, keys, values).strings())
        .containsExactly("zero", "low", "nan", "a", "_Unused", "_Unused");
  }

  @Test
  void manyKeysAreSearchedFor() {
    long[] keys = new Random(7).longs(1000, -5000, 5000).distinct().toArray();
    long[] values = IntStream.range(0, keys.length).mapToLong(i -> i).toArray();
    TestModel model = TestModel.opset(17).input("x", DataType.INT64, "10001");
    long[] x = IntStream.rangeClosed(-5000, 5000).mapToLong(i -> i).toArray();
    long[] y =
        encoded(
                model,
                Tensor.of(x, x.length),
                integers("keys_int64s", keys),
                integers("values_int64s", values))
            .longs();
    for (int i = 0; i < x.length; i++) {
      long own = x[i];
      int place =
          IntStream.range(0, keys.length).filter(k -> keys[k] == own).findFirst().orElse(-1);
      assertThat(y[i]).as("%d", own).isEqualTo(place);
    }
  }

  @Test
  void classesOfTheFirstVersionAreNumberedBothWays() {
    AttributeProto classes = strings("classes_strings", List.of("cat", "dog"));
    assertThat(encoded(ofStrings().ml(1), Tensor.of("dog", "cow"), classes).longs())
        .containsExactly(1, -1);
    TestModel numbers = TestModel.opset(17).ml(1).input("x", DataType.INT64, "3");
    assertThat(encoded(numbers, Tensor.of(new long[] {1, 2, 0}, 3), classes).strings())
        .containsExactly("dog", "_Unused", "cat");
  }

  @Test
  void tensorsListKeysValuesAndTheDefault() {
    var keys =
        TensorProto.newBuilder()
            .setDataType(DataType.STRING.getNumber())
            .addDims(2)
            .addStringData(ByteString.copyFromUtf8("a"))
            .addStringData(ByteString.copyFromUtf8("b"));
    var values =
        TensorProto.newBuilder()
            .setDataType(DataType.DOUBLE.getNumber())
            .addDims(2)
            .addDoubleData(.25)
            .addDoubleData(-4);
    var fallback =
        TensorProto.newBuilder()
            .setDataType(DataType.DOUBLE.getNumber())
            .addDims(1)
            .addDoubleData(99);
    Tensor y =
        encoded(
            ofStrings(),
            Tensor.of("b", "c", "a"),
            TestModel.tensor("keys_tensor", keys.build()),
            TestModel.tensor("values_tensor", values.build()),
            TestModel.tensor("default_tensor", fallback.build()));
    assertThat(y.doubles()).containsExactly(-4, 99, .25);
  }

  @Test
  void listsThatDoNotFitAreRefused() {
    assertThatThrownBy(() ->
            encoded(
                ofStrings(),
                Tensor.of("a"),
                strings("keys_strings", List.of("a", "b")),
                integers("values_int64s", 1)))
        .hasMessageContaining("has 2 keys and 1 values");
    assertThatThrownBy(() ->
            encoded(
                ofStrings(),
                Tensor.of("a"),
                integers("keys_int64s", 1),
                integers("values_int64s", 1)))
        .hasMessageContaining("has keys of i64 for an input of string");
  }

  @Test
  void categoriesAreMappedBothWays() {
    AttributeProto[] categories = {
      strings("cats_strings", List.of("low", "high")), integers("cats_int64s", 10, 20)
    };
    String op = "ai.onnx.ml.CategoryMapper";
    TestModel model =
        ofStrings()
            .input("n", DataType.INT64, "N")
            .node(op, "x", "y", categories)
            .node(op, "n", "s", categories)
            .output("y")
            .output("s");
    List<Tensor> results =
        run(model, Map.of("x", Tensor.of("high", "?"), "n", Tensor.of(new long[] {10, 11}, 2)));
    assertThat(results.get(0).longs()).containsExactly(20, -1);
    assertThat(results.get(1).strings()).containsExactly("low", "_Unused");
  }

  @Test
  void categoriesAreColumns() {
    TestModel model =
        ofStrings()
            .node("ai.onnx.ml.OneHotEncoder", "x", "y", strings("cats_strings", List.of("a", "b")))
            .output("y");
    Tensor y = run(model, Map.of("x", Tensor.of("b", "c", "a"))).getFirst();
    assertThat(y.shape()).containsExactly(3, 2);
    assertThat(y.floats()).containsExactly(0, 1, 0, 0, 1, 0);
  }

  @Test
  void aCategoryThatMustBeThereFailsWhereItIsNot() {
    TestModel model =
        ofStrings()
            .node(
                "ai.onnx.ml.OneHotEncoder",
                "x",
                "y",
                strings("cats_strings", List.of("a", "b")),
                attribute("zeros", 0))
            .output("y");
    assertThat(run(model, Map.of("x", Tensor.of("b", "a"))).getFirst().floats())
        .containsExactly(0, 1, 1, 0);
    assertThatThrownBy(() -> run(model, Map.of("x", Tensor.of("b", "c"))))
        .isInstanceOf(DataFailure.class);
  }

  private static AttributeProto[] grams(String mode, int shortest, int longest, int skips) {
    return new AttributeProto[] {
      attribute("mode", mode),
      attribute("min_gram_length", shortest),
      attribute("max_gram_length", longest),
      attribute("max_skip_count", skips),
      integers("ngram_counts", 0, 4, 8),
      integers("ngram_indexes", 0, 3, 2, 1, 4, 5),
      reals("weights", List.of(1f, 2f, 3f, 4f, 5f, 6f)),
    };
  }

  private static final List<String> POOL = List.of("a", "b", "c", "", "a", "b", "b", "a");

  @Test
  void gramsOfStringsAreCountedRowByRow() {
    TestModel model =
        TestModel.opset(17)
            .strings("x", "N", "5")
            .node(
                "TfIdfVectorizer",
                "x",
                "y",
                with(grams("TF", 1, 2, 0), strings("pool_strings", POOL)))
            .output("y");
    String[] x = {"a", "b", "a", "?", "a", "", "b", "", "c", "z"};
    Tensor y = run(model, Map.of("x", Tensor.of(x, 2, 5))).getFirst();
    assertThat(y.shape()).containsExactly(2, 6);
    assertThat(y.floats()).containsExactly(3, 0, 0, 1, 1, 1, 0, 2, 1, 1, 0, 0);
  }

  private static AttributeProto[] with(AttributeProto[] some, AttributeProto more) {
    AttributeProto[] all = Arrays.copyOf(some, some.length + 1);
    all[some.length] = more;
    return all;
  }

  @ParameterizedTest
  @CsvSource({"TF", "IDF", "TFIDF"})
  void weightsAreThoseOfColumns(String mode) {
    TestModel model =
        TestModel.opset(17)
            .input("x", DataType.INT32, "4")
            .node(
                "TfIdfVectorizer",
                "x",
                "y",
                with(grams(mode, 1, 1, 3), integers("pool_int64s", 1, 2, 3, 4, 1, 2, 2, 1)))
            .output("y");
    float[] expected =
        switch (mode) {
          case "TF" -> new float[] {2, 0, 0, 1, 0, 0};
          case "IDF" -> new float[] {1, 0, 0, 4, 0, 0};
          default -> new float[] {2, 0, 0, 4, 0, 0};
        };
    Tensor y = run(model, Map.of("x", Tensor.of(new int[] {1, 9, 2, 1}, 4))).getFirst();
    assertThat(y.shape()).containsExactly(6);
    assertThat(y.floats()).containsExactly(expected);
  }

  /// Pools and rows by chance, counted window by window.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void countsAreThoseOfEachWindow(long seed) {
    Random random = new Random(seed);
    List<long[]> pool = new ArrayList<>();
    List<Long> counts = new ArrayList<>();
    List<Long> tokens = new ArrayList<>();
    for (int size = 1; size <= 3; size++) {
      counts.add((long) tokens.size());
      for (int i = random.nextInt(4); i >= 0; i--) {
        long[] gram = random.longs(size, 0, 3).toArray();
        if (pool.stream().noneMatch(other -> Arrays.equals(other, gram))) {
          pool.add(gram);
          Arrays.stream(gram).forEach(tokens::add);
        }
      }
    }
    int shortest = 1 + random.nextInt(3);
    int longest = shortest + random.nextInt(4 - shortest);
    int skips = random.nextInt(3);
    long[] x = random.longs(1 + random.nextInt(9), 0, 4).toArray();
    float[] expected = new float[pool.size()];
    for (int g = 0; g < pool.size(); g++) {
      int size = pool.get(g).length;
      for (int step = 1; step <= (size == 1 ? 1 : skips + 1); step++) {
        for (int from = 0; from + (size - 1) * step < x.length; from++) {
          boolean same = true;
          for (int k = 0; k < size; k++) {
            same &= x[from + k * step] == pool.get(g)[k];
          }
          expected[g] += same && size >= shortest && size <= longest ? 1 : 0;
        }
      }
    }
    TestModel model =
        TestModel.opset(17)
            .input("x", DataType.INT64, "" + x.length)
            .node(
                "TfIdfVectorizer",
                "x",
                "y",
                attribute("mode", "TF"),
                attribute("min_gram_length", shortest),
                attribute("max_gram_length", longest),
                attribute("max_skip_count", skips),
                integers("ngram_counts", longs(counts)),
                integers("ngram_indexes", IntStream.range(0, pool.size()).asLongStream().toArray()),
                integers("pool_int64s", longs(tokens)))
            .output("y");
    assertThat(run(model, Map.of("x", Tensor.of(x, x.length))).getFirst().floats())
        .as("seed %d", seed)
        .containsExactly(expected);
  }

  private static long[] longs(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).toArray();
  }

  @Test
  void poolsThatDoNotAddUpAreRefused() {
    TestModel model =
        TestModel.opset(17)
            .input("x", DataType.INT64, "4")
            .node(
                "TfIdfVectorizer",
                "x",
                "y",
                with(grams("TF", 1, 2, 0), integers("pool_int64s", 1, 2, 3)))
            .node(
                "TfIdfVectorizer",
                "x",
                "z",
                with(grams("TF", 1, 2, 1000), integers("pool_int64s", 1, 2, 3, 4, 1, 2, 2, 1)))
            .output("y");
    assertThatThrownBy(() -> Importer.importModel(model.read(), ImportOptions.defaults()))
        .hasMessageContaining("has ngram_counts [0, 4, 8] for a pool of 3 tokens")
        .hasMessageContaining("more than 64 combinations");
  }

  /* A pool of one gram. */
  private static TestModel ofOneGram(int size, int skips) {
    return TestModel.opset(17)
        .input("x", DataType.INT64, "40")
        .node(
            "TfIdfVectorizer",
            "x",
            "y",
            attribute("mode", "TF"),
            attribute("min_gram_length", size),
            attribute("max_gram_length", size),
            attribute("max_skip_count", skips),
            integers("ngram_counts", new long[size]),
            integers("ngram_indexes", 0),
            integers("pool_int64s", LongStream.range(0, size).toArray()))
        .output("y");
  }

  @Test
  void searchesForNGramsAreBounded() {
    Tensor x = Tensor.of(LongStream.range(0, 40).toArray(), 40);
    assertThat(run(ofOneGram(16, 1), Map.of("x", x)).getFirst().floats()).containsExactly(1);
    for (TestModel model : List.of(ofOneGram(17, 0), ofOneGram(16, 63))) {
      assertThatThrownBy(() -> Importer.importModel(model.read(), ImportOptions.defaults()))
          .hasMessageContaining("up to 16 tokens and 512 steps are served");
    }
  }

  @Test
  void emptyInputsHaveNoLabels() {
    Tensor none =
        encoded(
            ofStrings(),
            Tensor.of(new String[0], 0),
            strings("keys_strings", List.of("a")),
            integers("values_int64s", 1));
    assertThat(none).matches(it -> it.elements() == 0 && it.element() == ElementType.I64);
    assertThat(SmallTensors.integers(none)).isEmpty();
  }
}
