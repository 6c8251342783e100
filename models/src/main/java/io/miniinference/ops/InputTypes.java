package io.miniinference.ops;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.onnx.Problem;
import io.miniinference.onnx.Problems;
import io.miniinference.onnx.Quote;
import io.miniinference.onnx.wire.TensorShapeProto.Dimension;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import io.miniinference.ops.node.ElementTypes;
import io.miniinference.ops.node.ImportOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The types of a graph's inputs: symbols of the file become given sizes or the batch symbol.
///
/// The batch symbol is the one symbol that stands on axis 0 of inputs, whatever its name, or, of
/// several, the one that is called `N` or `batch…`; all others must be given. [InputSymbols] names
/// dimensions.
final class InputTypes {
  private static final String NO_TYPE =
      "declares no type: set one, as onnx.helper.make_tensor_value_info(name, TensorProto.FLOAT,"
          + " shape) makes it";

  private final ImportOptions options;
  private final Problems problems;
  private final List<Problem> unresolved;
  private final Map<String, List<Dim>> shapes = new LinkedHashMap<>();
  private final Set<String> reported = new HashSet<>();

  /// A dimension as declared: a number, or a symbol.
  private record Dim(@Nullable String symbol, long value) {}

  InputTypes(ImportOptions options, Problems problems, List<Problem> unresolved) {
    this.options = options;
    this.problems = problems;
    this.unresolved = unresolved;
  }

  /// The type of each input that could be typed, in order; problems are noted for the others.
  Map<String, TensorType> resolve(List<ValueInfoProto> inputs) {
    var elements = new LinkedHashMap<String, ElementType>();
    for (ValueInfoProto input : inputs) {
      element(input).ifPresent(type -> elements.put(input.getName(), type));
    }
    inputs.stream().filter(i -> elements.containsKey(i.getName())).forEach(this::declare);
    checkOptions(inputs);
    String batch = batchSymbol(inputs);
    var types = new LinkedHashMap<String, TensorType>();
    elements.forEach((name, element) -> {
      List<Dim> dims = shapes.get(name);
      if (dims != null) {
        type(name, element, dims, batch, types);
      }
    });
    return types;
  }

  private Optional<ElementType> element(ValueInfoProto input) {
    String where = "input " + Quote.of(input.getName());
    if (!input.getType().hasTensorType()) {
      boolean hasNone = input.getType().getValueCase() == TypeProto.ValueCase.VALUE_NOT_SET;
      problems.add(where, hasNone ? NO_TYPE : Remedies.ofList(input.getType()));
      return Optional.empty();
    }
    int number = input.getType().getTensorType().getElemType();
    Optional<ElementType> type =
        CodedType.ofOnnx(number).map(CodedType::element).or(() -> ElementType.ofOnnx(number));
    if (type.isEmpty()) {
      problems.add(where, "has elements of type %s".formatted(ElementTypes.unsupported(number)));
    }
    return type;
  }

  private void declare(ValueInfoProto input) {
    String name = input.getName();
    long[] given = options.inputShapes().get(name);
    TypeProto.Tensor type = input.getType().getTensorType();
    if (given != null) {
      var dims = new ArrayList<Dim>();
      for (long size : given) {
        dims.add(new Dim(null, size));
      }
      checkGiven(name, type, given);
      shapes.put(name, dims);
    } else if (type.hasShape()) {
      shapes.put(name, declared(name, type.getShape().getDimList()));
    } else {
      unresolved.add(
          new Problem("input " + Quote.of(name), "declares no shape; give its whole shape"));
    }
  }

  private void checkGiven(String name, TypeProto.Tensor type, long[] given) {
    if (!type.hasShape()) {
      return;
    }
    List<Dimension> dims = type.getShape().getDimList();
    boolean fits = dims.size() == given.length;
    for (int i = 0; fits && i < given.length; i++) {
      long size = dims.get(i).hasDimValue() ? dims.get(i).getDimValue() : -1;
      fits = size < 0 || size == given[i];
    }
    if (!fits) {
      problems.add(
          "input " + Quote.of(name),
          "is given shape %s, the model declares %s"
              .formatted(Arrays.toString(given), shown(declared(name, dims))));
    }
  }

  private List<Dim> declared(String name, List<Dimension> dims) {
    var symbols = new InputSymbols(name, dims);
    return IntStream.range(0, dims.size()).mapToObj(axis -> dim(symbols, axis)).toList();
  }

  private Dim dim(InputSymbols symbols, int axis) {
    return symbols
        .size(axis, options.dims())
        .map(size -> new Dim(null, size))
        .orElseGet(() -> new Dim(symbols.name(axis), 0));
  }

  private static String shown(List<Dim> dims) {
    return dims.stream()
        .map(d -> d.symbol == null ? Long.toString(d.value) : d.symbol)
        .toList()
        .toString();
  }

  private void checkOptions(List<ValueInfoProto> inputs) {
    Set<String> open = new LinkedHashSet<>();
    Map<String, Long> declared = new HashMap<>();
    for (ValueInfoProto input : inputs) {
      open.addAll(InputSymbols.of(input).open());
      declared.putAll(InputSymbols.of(input).declared());
    }
    options.dims().forEach((symbol, size) -> checkOption(symbol, size, open, declared));
  }

  private void checkOption(String symbol, long size, Set<String> open, Map<String, Long> declared) {
    String what = "dimension " + Quote.of(symbol);
    Long fixed = open.contains(symbol) ? null : declared.get(symbol);
    if (size < 0) {
      problems.add(what, "is given the negative size " + size);
    } else if (fixed != null && fixed != size) {
      problems.add(what, "is given as " + size + ", but the file has " + fixed + " there");
    } else if (fixed == null && !open.contains(symbol)) {
      Set<String> known = new LinkedHashSet<>(open);
      known.addAll(declared.keySet());
      problems.add(
          what,
          "is given, but no input has it; "
              + (open.isEmpty() ? "no dimension is open" : "open are " + open)
              + brackets(symbol, known));
    }
  }

  /* Properties take what is in brackets for the next part of a name. */
  private static String brackets(String symbol, Set<String> known) {
    String meant = symbol.replaceAll("\\.(\\d+)", "[$1]");
    return !meant.equals(symbol) && known.contains(meant)
        ? " (as a property, a name with brackets stands in brackets: dimensions[%s])"
            .formatted(meant)
        : "";
  }

  private @Nullable String batchSymbol(List<ValueInfoProto> inputs) {
    List<InputSymbols> open =
        inputs.stream()
            .filter(input -> shapes.containsKey(input.getName()))
            .filter(input -> !options.inputShapes().containsKey(input.getName()))
            .map(InputSymbols::of)
            .toList();
    return InputSymbols.batch(open, options.dims()).orElse(null);
  }

  private void type(
      String name,
      ElementType element,
      List<Dim> dims,
      @Nullable String batch,
      Map<String, TensorType> types) {
    var shape = new ArrayList<Affine>();
    for (Dim dim : dims) {
      if (dim.symbol == null) {
        shape.add(Affine.of(Math.max(0, dim.value)));
      } else if (dim.symbol.equals(batch)) {
        shape.add(options.batch() == 0 ? Affine.N : Affine.of(options.batch()));
      } else {
        noteUnresolved(name, dims.indexOf(dim), dim.symbol);
      }
    }
    if (shape.size() == dims.size()) {
      types.put(name, new TensorType(element, shape));
    }
  }

  private void noteUnresolved(String name, int axis, String symbol) {
    if (!reported.add(symbol)) {
      return;
    }
    unresolved.add(
        new Problem(
            "input " + Quote.of(name),
            "has dimension %s on axis %d, which is not the batch; give its size (--dim %s=VALUE)"
                .formatted(Quote.of(symbol), axis, symbol)));
  }
}
