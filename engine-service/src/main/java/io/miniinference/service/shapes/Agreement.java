package io.miniinference.service.shapes;

import io.miniinference.onnx.Quote;
import io.miniinference.service.config.SettingsException;
import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Blocks of a configuration held against the inputs of a model, or its outputs. What does not
/// agree is refused in the words that Triton has for it, with what to do.
final class Agreement {
  private final boolean ofOutputs;
  private final List<TensorSpec> specs;
  private final boolean batched;
  private final Map<String, Reshape> reshapes = new TreeMap<>();
  private final Map<String, Long> sizes = new TreeMap<>();

  private Agreement(boolean ofOutputs, List<TensorSpec> specs, boolean batched) {
    this.ofOutputs = ofOutputs;
    this.specs = specs;
    this.batched = batched;
  }

  /// @param batched whether blocks leave out axis 0, which is the batch
  static Agreement ofInputs(List<TensorSpec> specs, boolean batched) {
    return new Agreement(false, specs, batched);
  }

  /// As for inputs, but that what the blocks leave open may be of any size.
  static Agreement ofOutputs(List<TensorSpec> specs, boolean batched) {
    return new Agreement(true, specs, batched);
  }

  private String role() {
    return ofOutputs ? "output" : "input";
  }

  /// Those that clients see in another shape than the model, by name.
  Map<String, Reshape> reshapes() {
    return reshapes;
  }

  /// Sizes that blocks give to open dimensions, by their symbols.
  Map<String, Long> sizes() {
    return sizes;
  }

  /// Has a block that was checked give sizes to what is open in its input.
  ///
  /// @param batch the symbol of the batch; empty if there is none
  void fix(TensorBlock block, String batch) {
    List<Long> own = block.own();
    if (own != null) {
      fix(spec(block), whole(own), batch);
    }
  }

  private void fix(TensorSpec spec, List<Long> whole, String batch) {
    for (int axis = 0; axis < Math.min(spec.dims().size(), whole.size()); axis++) {
      String symbol =
          switch (spec.dims().get(axis)) {
            case Dimension.Open open -> open.symbol();
            case Dimension.Batch _ -> batch;
            case Dimension.Fixed _, Dimension.Rest _ -> "";
          };
      if (whole.get(axis) != -1 && !symbol.isEmpty()) {
        fix(symbol, whole.get(axis), spec);
      }
    }
  }

  private void fix(String symbol, long size, TensorSpec spec) {
    Long known = sizes.putIfAbsent(symbol, size);
    if (known != null && known != size) {
      throw new SettingsException(
          "tensor %s: %s is %d in the model configuration, and %d elsewhere in it; in the model both are one size"
              .formatted(Quote.of(spec.name()), Quote.of(symbol), size, known));
    }
  }

  /// Whole shapes: the dims, behind the batch if there is one.
  private List<Long> whole(List<Long> dims) {
    List<Long> whole = new ArrayList<>(dims);
    if (batched) {
      whole.addFirst(-1L);
    }
    return whole;
  }

  /// Refuses a block of another shape. Sizes of 1 agree with a scalar.
  ///
  /// @throws SettingsException if its shape is another
  void checkShape(TensorBlock block) {
    TensorSpec spec = spec(block);
    List<Long> dims = block.dims();
    List<Long> own = block.own();
    if (dims == null || own == null) {
      return;
    }
    List<Long> whole = isScalar(spec, own) ? List.of() : whole(own);
    if (!isUndeclared(spec) && !fits(spec.dims(), whole)) {
      throw disagreement(block, spec, own);
    }
    if (!whole.equals(whole(dims))) {
      reshapes.put(spec.name(), Reshape.of(spec.name(), whole(dims), whole));
    }
  }

  private boolean isScalar(TensorSpec spec, List<Long> own) {
    return !batched && spec.dims().isEmpty() && own.stream().allMatch(size -> size == 1);
  }

  private TensorSpec spec(TensorBlock block) {
    return specs.stream()
        .filter(spec -> spec.name().equals(block.name()))
        .findFirst()
        .orElseThrow(() ->
            new SettingsException(
                "unexpected inference %1$s %2$s in the model configuration, allowed %1$ss are: %3$s"
                    .formatted(
                        role(),
                        Quote.of(block.name()),
                        specs.stream().map(TensorSpec::name).collect(Collectors.joining(", ")))));
  }

  /// Refuses a block of another type.
  ///
  /// @throws SettingsException if its type is another
  void checkType(TensorBlock block) {
    String type = ConfiguredType.of(spec(block));
    if (!block.type().isEmpty() && !block.type().equals(type)) {
      throw new SettingsException(
          "the model configuration expects datatype %s for %s %s, the model provides %s"
              .formatted(block.type(), role(), Quote.of(block.name()), type));
    }
  }

  private static boolean isUndeclared(TensorSpec spec) {
    return spec.dims().contains(new Dimension.Rest());
  }

  private boolean fits(List<Dimension> dims, List<Long> whole) {
    boolean fits = dims.size() == whole.size();
    for (int axis = 0; fits && axis < whole.size(); axis++) {
      fits = fits(dims.get(axis), whole.get(axis));
    }
    return fits;
  }

  private boolean fits(Dimension dim, long size) {
    boolean isOpen = ofOutputs && size == -1;
    return isOpen || !(dim instanceof Dimension.Fixed(long fixed)) || fixed == size;
  }

  private SettingsException disagreement(TensorBlock block, TensorSpec spec, List<Long> own) {
    List<Long> whole = whole(own);
    String configured =
        batched
            ? "%d dimensions (an initial batch dimension because max_batch_size > 0 followed by the explicit tensor shape, making complete shape %s)"
                .formatted(whole.size(), text(whole))
            : "%d dimensions (shape %s)".formatted(whole.size(), text(whole));
    return new SettingsException(
        "tensor %s: the model expects %d dimensions (shape %s) but the model configuration specifies %s. %s, or leave the block out"
            .formatted(
                Quote.of(spec.name()),
                spec.dims().size(),
                text(declared(spec)),
                configured,
                remedy(block, spec)));
  }

  /* What the block should say of the shape that the model has. */
  private String remedy(TensorBlock block, TensorSpec spec) {
    List<Long> declared = declared(spec);
    String field = block.reshape() == null ? "dims" : "reshape";
    if (!batched) {
      return "Set %s to %s".formatted(field, text(declared));
    }
    boolean takesBatches = !declared.isEmpty() && spec.dims().getFirst() instanceof Dimension.Batch;
    return takesBatches
        ? "Set %s to %s".formatted(field, text(declared.subList(1, declared.size())))
        : "Set max_batch_size to 0 and %s to %s".formatted(field, text(declared));
  }

  private static List<Long> declared(TensorSpec spec) {
    return spec.dims().stream().map(Dimension::declared).toList();
  }

  private static String text(List<Long> shape) {
    return shape.toString().replace(" ", "");
  }
}
