package io.miniinference.runtime.specialise;

import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.Problem;
import io.miniinference.ops.NeedsSpecialisation;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.load.LargestShape;
import io.miniinference.runtime.load.ModelLoader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The largest sizes that requests to a model may have ([LoadOptions#bounds]), planned so that a
/// load can take room for them.
final class Bounds {
  private static final System.Logger LOG = System.getLogger(Bounds.class.getName());

  private final OnnxModel model;
  private final LoadOptions options;
  private final ModelLoader loader;
  private final OpenSignature open;

  private Bounds(OnnxModel model, LoadOptions options, ModelLoader loader) {
    this.model = model;
    this.options = options;
    this.loader = loader;
    open = OpenSignature.of(model, options);
  }

  /// The largest shape; empty where options bound no size, or not all of them, or where the sizes
  /// alone do not tell what a request takes. In the last cases a line of the log says so.
  ///
  /// @param loader of all shapes of the model
  /// @throws ModelException if the model does not take these sizes
  static Optional<LargestShape> planned(OnnxModel model, LoadOptions options, ModelLoader loader) {
    return options.bounds().isEmpty()
        ? Optional.empty()
        : new Bounds(model, options, loader).planned();
  }

  private Optional<LargestShape> planned() {
    Set<String> free = new TreeSet<>(open.signature().symbols());
    free.removeAll(options.bounds().keySet());
    if (!free.isEmpty()) {
      return none("they say nothing of " + String.join(", ", free));
    }
    Map<String, Long> sizes = new TreeMap<>(options.bounds());
    sizes.keySet().retainAll(open.signature().symbols());
    try {
      return planned(sizes);
    } catch (InvalidRequestException e) { // no shape is declared
      return none(String.valueOf(e.getMessage()));
    }
  }

  private Optional<LargestShape> planned(Map<String, Long> sizes) {
    RequestShape shape = new RequestShape(1, sizes);
    OtherSizes others = new OtherSizes(open.signature().inputs(), options);
    try (Specialiser specialiser = new Specialiser(model, loader, others)) {
      LoadOptions largest = open.sizes(shape).options();
      return Optional.of(specialiser.planned(ahead(sizes, specialiser), largest));
    } catch (ModelException e) {
      return loader
          .fault(model, open.exactly(shape).options())
          .map(fault -> unknown(sizes, fault))
          .orElseGet(() -> none("sizes follow from the batch in a way that fixes it"));
    }
  }

  private Optional<LargestShape> unknown(Map<String, Long> sizes, ModelException fault) {
    if (fault instanceof NeedsSpecialisation) {
      return none("sizes follow from values of inputs, too");
    }
    throw refused(sizes, fault);
  }

  /* Kernels are first written for sizes in the middle, with others around to compare them with. */
  private List<Map<String, Long>> ahead(Map<String, Long> sizes, Specialiser specialiser) {
    Map<String, Long> middle = new TreeMap<>(sizes);
    middle.replaceAll((_, size) -> Math.max(1, size / 2));
    LoadOptions halved = open.sizes(new RequestShape(1, middle)).options();
    return specialiser.plansKernels(halved) ? List.of(middle, sizes) : List.of(sizes);
  }

  private ModelException refused(Map<String, Long> sizes, ModelException why) {
    String problems =
        why.problems().stream().map(Problem::toString).collect(Collectors.joining("; "));
    return new ModelException(
        model.name(),
        Problem.of(
            "does not take the largest sizes that engine.models.settings.%s.bounds allows, %s: %s"
                .formatted(model.name(), RequestShape.text(sizes), problems)));
  }

  private Optional<LargestShape> none(String why) {
    LOG.log(
        System.Logger.Level.WARNING,
        "model ''{0}'' has bounds, and no room is taken for requests of these sizes: {1}",
        model.name(),
        why);
    return Optional.empty();
  }
}
