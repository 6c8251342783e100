package io.miniinference.runtime.compile;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.DataFailure;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ops.node.ReadConstants;
import io.miniinference.pass.Evaluator;
import io.miniinference.plan.planner.EarlierDecisions;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// What compiling a model for one shape leaves to the next: its constants, what was computed of
/// them, and digests of weights, none of which depends on a shape; and which merges its plans made.
/// All of it may take longer than the rest.
public final class OtherShapes {
  /// What nodes computed of constants, on the way to weights as well; and as much again of what
  /// else follows from one.
  private static final long MOST_BYTES = 256L << 20;

  private static final long MOST_DIGESTS = 1 << 16;

  /// That anything kept is taken to have.
  private static final long LEAST_BYTES = 256;

  /// Contents up to this size are compared as they are.
  private static final long SMALL_BYTES = 1024;

  private final ReadConstants constants = new ReadConstants();
  private final Remembered<Computed, List<Tensor>> computed;
  private final Remembered<Place, String> digests;
  private final Remembered<Derived, Object> derived;
  private final EarlierDecisions decisions;
  private final boolean areMany;

  private OtherShapes(long bytes, long digests) {
    areMany = bytes > 0;
    this.computed = new Remembered<>(bytes);
    this.digests = new Remembered<>(digests);
    this.derived = new Remembered<>(bytes);
    this.decisions = areMany ? EarlierDecisions.many() : EarlierDecisions.none();
  }

  /// Of a model that is compiled once.
  public static OtherShapes none() {
    return new OtherShapes(0, 0);
  }

  /// Of a model that is compiled for each shape of its requests.
  public static OtherShapes many() {
    return new OtherShapes(MOST_BYTES, MOST_DIGESTS);
  }

  /* Some memory. */
  private record Place(MemorySegment data, long bytes) {
    static Place of(MemorySegment data) {
      return new Place(data, data.byteSize());
    }
  }

  /* Where the operands of an operator are, or what is in them; and what it makes of them. */
  private record Computed(Op op, List<Content> inputs, List<Object> results) {
    static Computed of(Node node, List<Tensor> inputs) {
      return new Computed(
          node.op(),
          inputs.stream().map(Content::of).toList(),
          node.outputs().stream().<Object>map(Value::type).toList());
    }
  }

  /* Segments are equal if they are the same memory. */
  private record Content(ElementType type, List<Long> shape, Object data) {
    static Content of(Tensor tensor) {
      MemorySegment data = tensor.data();
      return new Content(
          tensor.element(),
          Arrays.stream(tensor.shape()).boxed().toList(),
          data.byteSize() > SMALL_BYTES ? Place.of(data) : data.asByteBuffer());
    }
  }

  /* Of which constant something was computed, and what. */
  private record Derived(Content constant, Object what) {}

  /// Whether the model is compiled for each shape of its requests.
  boolean areMany() {
    return areMany;
  }

  /// What was merged in its plans.
  EarlierDecisions decisions() {
    return decisions;
  }

  /// Constants that were read of the model.
  ReadConstants constants() {
    return constants;
  }

  /// Computes nodes of constants, each once.
  ///
  /// @param limitBytes most that one may take
  Evaluator evaluator(long limitBytes) {
    return new Once(limitBytes);
  }

  private final class Once implements Evaluator {
    private final long limitBytes;

    Once(long limitBytes) {
      this.limitBytes = limitBytes;
    }

    @Override
    public Optional<List<Tensor>> evaluate(Node node, List<Tensor> inputs) {
      if (node.epilogue() != null) {
        return OtherShapes.evaluate(node, inputs, limitBytes);
      }
      try {
        return Optional.of(
            computed.of(
                Computed.of(node, inputs),
                resultBytes(node),
                () -> Interpreter.results(node, inputs, limitBytes)));
      } catch (DataFailure e) {
        return Optional.empty();
      }
    }

    /* The same key has a result of the same type. */
    @Override
    @SuppressWarnings("unchecked")
    public <T> T of(Tensor constant, Object what, long bytes, Supplier<T> computing) {
      var key = new Derived(Content.of(constant), what);
      return (T) derived.of(key, Math.max(LEAST_BYTES, bytes), computing::get);
    }
  }

  private static Optional<List<Tensor>> evaluate(Node node, List<Tensor> inputs, long limitBytes) {
    try {
      return Optional.of(Interpreter.results(node, inputs, limitBytes));
    } catch (DataFailure e) {
      return Optional.empty();
    }
  }

  private static long resultBytes(Node node) {
    return node.outputs().stream()
        .mapToLong(value -> value.type().elements().at(1) * value.type().element().bytes())
        .sum();
  }

  /// The digest of some memory, which `digesting` computes if it is not known.
  String digest(MemorySegment data, Function<MemorySegment, String> digesting) {
    return digests.of(Place.of(data), 1, () -> digesting.apply(data));
  }
}
