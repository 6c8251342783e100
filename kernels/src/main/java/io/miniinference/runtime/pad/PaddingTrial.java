package io.miniinference.runtime.pad;

import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.Problem;
import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.ResponseReader.Output;
import io.miniinference.signature.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/// One request, as it is and padded: a model that looks at its padding has other answers, and is
/// refused. Integers are ones, so that a mask masks nothing of the request; floats are random.
///
/// This is a trial and no proof: that a model masks what is padded is the word of who says so.
final class PaddingTrial {
  private static final System.Logger LOG = System.getLogger(PaddingTrial.class.getName());

  /// Multiples that lie ahead of the padded one, the likeliest first: a model may want larger
  /// sizes.
  private static final List<Long> MULTIPLES = List.of(0L, 3L, 15L);

  /// How far answers may be apart, of the largest value of their output.
  private static final double TOLERANCE = 1e-3;

  /// As above, of 16 bits.
  private static final double TOLERANCE_OF_HALF = 2e-2;

  private final Model model;
  private final PaddedModel padded;
  private final Map<String, Long> multiples;

  PaddingTrial(Model model, PaddedModel padded, Map<String, Long> multiples) {
    this.model = model;
    this.padded = padded;
    this.multiples = multiples;
  }

  /// @throws ModelException if the answers differ
  void run() {
    boolean ran = MULTIPLES.stream().map(this::sizes).anyMatch(this::isTried);
    if (!ran) {
      LOG.log(
          System.Logger.Level.WARNING,
          "model ''{0}'' does not run on ones and random floats: it was not tried whether padding changes its answers",
          model.name());
    }
  }

  private RequestShape sizes(long ahead) {
    Map<String, Long> sizes = new HashMap<>();
    for (String symbol : model.signature().symbols()) {
      long multiple = multiples.getOrDefault(symbol, 1L);
      long size = ahead * multiple + Math.max(1, multiple / 2);
      long most = model.signature().bounds().getOrDefault(symbol, Long.MAX_VALUE);
      sizes.put(symbol, Math.min(multiples.containsKey(symbol) ? size : 8 * (1 + ahead), most));
    }
    return new RequestShape(1, sizes);
  }

  /* False if the model does not run such sizes. */
  private boolean isTried(RequestShape sizes) {
    Optional<List<Tensor>> alone = answer(model, sizes);
    Optional<List<Tensor>> filled = alone.flatMap(_ -> answer(padded, sizes));
    if (filled.isEmpty()) {
      return false;
    }
    for (int i = 0; i < filled.get().size(); i++) {
      String output = model.outputs().get(i).name();
      requireSame(output, sizes, alone.get().get(i), filled.get().get(i));
    }
    return true;
  }

  /// The answer to a request of these sizes; empty if the model does not run it.
  static Optional<List<Tensor>> answer(Model model, RequestShape sizes) {
    try {
      List<TensorSpec> inputs = model.inputs();
      var request =
          new InferenceRequest(
              model.signature().shapes(sizes), (i, staging) -> write(i, inputs.get(i), staging));
      return Optional.of(model.infer(request, outputs -> tensors(model, outputs)));
    } catch (InvalidRequestException
        | RequestFailedException
        | LoadRefusedException
        | AbandonedRequestException e) {
      return Optional.empty();
    }
  }

  private static void write(int input, TensorSpec spec, MemorySegment staging) {
    Random random = new Random(input);
    ElementType type = spec.element();
    long elements = staging.byteSize() / type.bytes();
    for (long i = 0; i < elements; i++) {
      long bits = type.isFloat() ? Double.doubleToRawLongBits(random.nextDouble()) : 1;
      ElementBits.write(staging, type, i, bits);
    }
  }

  private static List<Tensor> tensors(Model model, List<Output> outputs) {
    return IntStream.range(0, outputs.size())
        .mapToObj(i -> tensor(model.outputs().get(i), outputs.get(i)))
        .toList();
  }

  private static Tensor tensor(TensorSpec spec, Output output) {
    ElementType type = spec.element();
    return Tensor.of(type, output.data(), output.shape()).copy();
  }

  private void requireSame(String output, RequestShape sizes, Tensor alone, Tensor filled) {
    difference(alone, filled)
        .ifPresent(difference -> {
          throw new ModelException(
              model.name(),
              Problem.of(
                  "engine.models.settings.%s.padding: a request of %s, padded with zeros to %s, has another answer than alone: output '%s' is off by %s. Leave the padding out unless the model masks what is padded"
                      .formatted(
                          model.name(),
                          RequestShape.text(sizes.sizes()),
                          RequestShape.text(padded.sizesOfRun(sizes)),
                          output,
                          difference)));
        });
  }

  private static Optional<String> difference(Tensor alone, Tensor filled) {
    double most = 0;
    double largest = 0;
    for (long i = 0; i < alone.elements(); i++) {
      if (ElementBits.raw(alone, i) != ElementBits.raw(filled, i)) {
        double value = value(alone, i);
        most = Math.max(most, distance(value, value(filled, i)));
      }
      largest = Math.max(largest, Math.abs(value(alone, i)));
    }
    return most <= tolerance(alone.element()) * largest
        ? Optional.empty()
        : Optional.of("%.3g, where values reach %.3g".formatted(most, largest));
  }

  /* Infinite where one is no number. */
  private static double distance(double value, double other) {
    double distance = Math.abs(value - other);
    return Double.isNaN(distance) && !(Double.isNaN(value) && Double.isNaN(other))
        ? Double.POSITIVE_INFINITY
        : Double.isNaN(distance) ? 0 : distance;
  }

  private static double value(Tensor tensor, long index) {
    return tensor.element().isFloat()
        ? ElementBits.read(tensor, index).asDouble()
        : (double) ElementBits.decode(tensor.element(), ElementBits.raw(tensor, index));
  }

  private static double tolerance(ElementType type) {
    return switch (type) {
      case F32, F64 -> TOLERANCE;
      case F16, BF16 -> TOLERANCE_OF_HALF;
      case I8, I16, I32, I64, U8, U16, U32, U64, BOOL -> 0;
    };
  }
}
