package io.miniinference.ops.node;

import com.google.protobuf.MessageLite;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxGraph;
import io.miniinference.strings.Dictionary;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What imports of one model have read of it, and what is the same in all of them: its constants,
/// its strings, and its graph without calls of its functions. A model is imported for each shape of
/// its requests; a constant is then one tensor in all of them, so that what follows from it can be
/// known to be the same, too. For any number of threads.
public final class ReadConstants {
  private final Map<MessageLite, Tensor> tensors = new IdentityHashMap<>();
  private @Nullable Dictionary dictionary;
  private @Nullable OnnxGraph withoutCalls;
  private boolean isChecked;

  /// The model's strings, which `reader` reads if no import did.
  public synchronized Dictionary dictionary(Supplier<Dictionary> reader) {
    Dictionary known = dictionary == null ? reader.get() : dictionary;
    dictionary = known;
    return known;
  }

  /// Whether an import found nothing wrong that shows without any type.
  public synchronized boolean isChecked() {
    return isChecked;
  }

  /// Takes note of that.
  public synchronized void noteChecked() {
    isChecked = true;
  }

  /// The model's graph without calls of its functions, if an import noted it.
  public synchronized Optional<OnnxGraph> withoutCalls() {
    return Optional.ofNullable(withoutCalls);
  }

  /// Takes note of that graph, in which nothing is wrong.
  public synchronized void noteWithoutCalls(OnnxGraph graph) {
    withoutCalls = graph;
  }

  /// The tensor of a message, which `reader` reads if no import did.
  synchronized Tensor of(MessageLite proto, Supplier<Tensor> reader) {
    Tensor known = tensors.get(proto);
    if (known == null) {
      known = reader.get();
      tensors.put(proto, known);
    }
    return known;
  }
}
