package io.miniinference.runtime;

import static io.miniinference.runtime.LoopModels.attribute;
import static io.miniinference.runtime.LoopModels.graph;
import static io.miniinference.runtime.SharedEngine.floats;
import static io.miniinference.runtime.SharedEngine.longs;
import static io.miniinference.runtime.SharedEngine.shape;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.testing.device.TestedDevice;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Random nests of branches and loops with sizes, bad indices and divisions by zero: whether the
/// host knows conditions and trip counts, or only the device does since the input that they come
/// from is too large for the host to look at, the answer is the same, and so are the reports up to
/// the first that fails the run. `-Dmie.sizes.models=1000` takes more models, and
/// `-Dmie.sizes.device=cpu` has kernels, which are built for each request.
final class RandomSizesTest extends EnginePerTest {
  private static final int SEEDS = Integer.getInteger("mie.sizes.models", 30);
  private static final int REQUESTS = 6;
  private static final int DECIDING = 6;
  private static final int SIZES = 4;

  /// Elements of the input that decides, of which the host looks at the small one.
  private static final int SMALL = 8;

  private static final int LARGE = 5000;

  /// Bodies within each other.
  private static final int DEPTH = 3;

  RandomSizesTest() {
    String device = System.getProperty("mie.sizes.device", "jvm");
    tested = TestedDevice.valueOf(device.toUpperCase(Locale.ROOT));
  }

  static Stream<Long> seeds() {
    long first = Long.getLong("mie.sizes.first", 1);
    return Stream.iterate(first, seed -> seed + 1).limit(SEEDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theDeviceComesToWhatTheHostForesees(long seed) {
    try (Model known = engine().load(model(seed, SMALL), LoadOptions.defaults());
        Model undecided = engine().load(model(seed, LARGE), LoadOptions.defaults())) {
      Random random = new Random(seed);
      for (int k = 0; k < REQUESTS; k++) {
        long request = random.nextLong();
        assertThat(outcome(undecided, inputs(new Random(request), LARGE)))
            .as("seed %d, request %d", seed, k)
            .isEqualTo(outcome(known, inputs(new Random(request), SMALL)));
      }
    }
  }

  /* The result, or what is told up to the first failure of the run. */
  private static List<String> outcome(Model model, Tensor... inputs) {
    try {
      return model.infer(
          SharedEngine.request(inputs),
          outputs ->
              List.of(
                  Arrays.toString(
                      outputs.getFirst().data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED))));
    } catch (RequestFailedException e) {
      List<String> told = new ArrayList<>();
      for (FailureReport failure : e.failures()) {
        told.add(failure.toString());
        if (failure.row() == null) {
          break;
        }
      }
      return told;
    }
  }

  private static Tensor[] inputs(Random random, int size) {
    float[] x = new float[size];
    for (int i = 0; i < DECIDING; i++) {
      x[i] = random.nextInt(4) - 1;
    }
    int rows = 1 + random.nextInt(3);
    long[] i = new long[rows];
    Arrays.setAll(i, _ -> random.nextInt(12) == 0 ? 4 : random.nextInt(4));
    List<Tensor> inputs =
        new ArrayList<>(
            List.of(
                floats(shape(size), x),
                floats(shape(rows), new float[rows]),
                longs(shape(rows), i)));
    for (int k = 0; k < SIZES; k++) {
      inputs.add(longs(shape(1), random.nextInt(6) - 2));
    }
    return inputs.toArray(Tensor[]::new);
  }

  private static OnnxModel model(long seed, int size) {
    LoopModels whole =
        graph()
            .input("x", DataType.FLOAT, Integer.toString(size))
            .input("h", DataType.FLOAT, "N")
            .input("i", DataType.INT64, "N")
            .floats("four", new long[] {4}, 1, 2, 3, 4)
            .floats("zero", new long[0], 0)
            .wholes("six", 6);
    for (int k = 0; k < SIZES; k++) {
      whole.input("k" + k, DataType.INT64, "1");
    }
    for (int i = 0; i < DECIDING; i++) {
      whole
          .whole("at" + i, i)
          .node("x%d = Gather x at%d".formatted(i, i))
          .node("c%d = Greater x%d zero".formatted(i, i))
          .node("t%d = Cast x%d".formatted(i, i), attribute("to", DataType.INT64.getNumber()));
    }
    String last = new Writer(new Random(seed)).statements(whole, "h", DEPTH);
    return whole.node("y = Identity " + last).outputs("y").model("random" + seed + "of" + size);
  }

  /// Writes statements that each add something to a value.
  private static final class Writer {
    private final Random random;
    private int names;

    Writer(Random random) {
      this.random = random;
    }

    /// The last value.
    String statements(LoopModels into, String first, int depth) {
      String value = first;
      int count = 1 + random.nextInt(4);
      for (int k = 0; k < count; k++) {
        String next = name("v");
        statement(into, next, value, depth);
        value = next;
      }
      return value;
    }

    /* At the top only what the device decides on, and Gathers; bodies have sizes, too. */
    private void statement(LoopModels into, String next, String value, int depth) {
      int kind = depth == DEPTH ? 3 + random.nextInt(6) : random.nextInt(depth > 0 ? 8 : 5);
      switch (kind) {
        case 0, 1 -> size(into, next, value, "k" + random.nextInt(SIZES));
        case 2 -> quotient(into, next, value);
        case 3, 4 -> gather(into, next, value);
        case 5, 6, 7 -> choice(into, next, value, depth);
        default -> loop(into, next, value, depth);
      }
    }

    private void gather(LoopModels into, String next, String value) {
      String element = name("g");
      into.node("%s = Gather four i".formatted(element));
      into.node("%s = Add %s %s".formatted(next, value, element));
    }

    private void size(LoopModels into, String next, String value, String size) {
      String zeros = name("z");
      String sum = name("s");
      into.node("%s = ConstantOfShape %s".formatted(zeros, size));
      into.node("%s = ReduceSum %s".formatted(sum, zeros), attribute("keepdims", 0));
      into.node("%s = Add %s %s".formatted(next, value, sum));
    }

    private void quotient(LoopModels into, String next, String value) {
      String size = name("d");
      into.node("%s = Div six k%d".formatted(size, random.nextInt(SIZES)));
      size(into, next, value, size);
    }

    private void choice(LoopModels into, String next, String value, int depth) {
      into.node(
          "%s = If c%d".formatted(next, random.nextInt(DECIDING)),
          attribute("then_branch", branch(value, depth)),
          attribute("else_branch", branch(value, depth)));
    }

    private void loop(LoopModels into, String next, String value, int depth) {
      String goesOn = name("go");
      String more = name("more");
      String before = name("p");
      LoopModels body = graph().inputs("%s %s %s".formatted(name("n"), goesOn, before));
      String after = statements(body, before, depth - 1);
      body.node("%s = Identity %s".formatted(more, goesOn)).outputs(more + " " + after);
      into.node(
          "%s = Loop t%d c%d %s"
              .formatted(next, random.nextInt(DECIDING), random.nextInt(DECIDING), value),
          attribute("body", body));
    }

    private String name(String letter) {
      return letter + names++;
    }

    private LoopModels branch(String value, int depth) {
      LoopModels body = graph();
      String last = statements(body, value, depth - 1);
      return body.outputs(last);
    }
  }
}
