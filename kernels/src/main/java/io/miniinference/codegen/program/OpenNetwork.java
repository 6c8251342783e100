package io.miniinference.codegen.program;

import io.miniinference.codegen.Dialect;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.open.OpenStock;
import io.miniinference.codegen.open.OpenStock.Kernel;
import io.miniinference.codegen.open.OpenStock.Site;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.RowPiece;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The kernels of a model with open sizes as functions of one kernel, which takes a batch through
/// all steps of any shape ([OpenNetworkText]). It is built once, with the functions that the first
/// request needs and those that other shapes do: a shape that lacks one has kernels of its own.
final class OpenNetwork {
  private final Dialect dialect;

  /// The functions, once they are built.
  private final OpenStock stock = new OpenStock();

  /// All functions in the order of their numbers, also while they are not built.
  private List<Kernel> functions = List.of();

  /// Inputs and outputs of the model.
  private int moved;

  OpenNetwork(Dialect dialect) {
    this.dialect = dialect;
  }

  /// The kernels of a shape, and what differs in them from shape to shape.
  record Shape(
      LoweredProgram program, ProgramText text, List<ProgramText.Entry> entries, List<Site> sites) {

    /// Those that it launches.
    static Shape of(LoweredProgram program, ProgramText text) {
      return new Shape(program, text, text.entries(), sites(text.entries()));
    }

    /// With those that other shapes launch in their place, and know by the same name.
    Shape withSpares() {
      List<ProgramText.Entry> spares = text.spares();
      return new Shape(program, text, both(entries, spares), both(sites, sites(spares)));
    }

    private static <T> List<T> both(List<T> first, List<T> second) {
      return Stream.concat(first.stream(), second.stream()).toList();
    }

    /* Kernels of one shape, each under a name that it has in all shapes. */
    private static List<Site> sites(List<ProgramText.Entry> entries) {
      Map<String, Integer> turns = new HashMap<>();
      OpenStock.Texts texts = new OpenStock.Texts();
      List<Site> sites = new ArrayList<>();
      for (ProgramText.Entry entry : entries) {
        KernelText text = entry.text();
        String node = entry.step().node().name() + "/" + entry.step().node().onnxOp();
        String name = node + "/" + turns.merge(node, 1, Integer::sum);
        sites.add(texts.site(name, text.group(), text.offsets().size(), text.statements()));
      }
      return sites;
    }

    private int moved() {
      return program.inputs().size() + program.outputs().size();
    }
  }

  /// The launches of one shape; empty where they are not made once each, in order, or what is built
  /// lacks one of its functions.
  ///
  /// @param others shapes that are asked for ahead of a build
  Optional<Generated> fit(Shape shape, Optional<RowPiece> piece, Supplier<List<Shape>> others) {
    functions = isBuilt() ? functions : List.of();
    if (!shape.program().isStraight()) {
      return Optional.empty();
    }
    ProgramSource source = new ProgramSource(shape.program().graph().name(), dialect);
    if (!isBuilt()) {
      List<Shape> all = others.get().stream().map(Shape::withSpares).toList();
      write(shape.withSpares(), all, source);
    }
    return shape.moved() == moved
        ? OpenTable.of(shape, functions).map(table -> table.generated(source.code(), piece))
        : Optional.empty();
  }

  private void write(Shape first, List<Shape> others, ProgramSource source) {
    moved = first.moved();
    first.sites().forEach(stock::see);
    others.forEach(other -> other.sites().forEach(stock::see));
    OpenNetworkText text = new OpenNetworkText(dialect, first.program());
    functions = new ArrayList<>();
    add(first, text);
    others.forEach(other -> add(other, text));
    source.add(OpenNetworkText.KERNEL, "", text.text(), OpenNetworkText.ARGUMENTS);
  }

  private void add(Shape shape, OpenNetworkText text) {
    for (int i = 0; i < shape.sites().size(); i++) {
      Site site = shape.sites().get(i);
      if (functions.stream().noneMatch(function -> function.isOf(site))) {
        ProgramText.Entry entry = shape.entries().get(i);
        Kernel function = stock.make(site, entry.hint());
        functions.add(function);
        text.add(entry.text(), function);
      }
    }
  }

  /// The launches of a shape whose functions need not be built yet.
  Optional<Generated> rehearsed(Shape shape, Optional<RowPiece> piece) {
    ProgramSource nothing = new ProgramSource(shape.program().graph().name(), dialect);
    return OpenTable.of(shape, functions).map(table -> table.generated(nothing.code(), piece));
  }

  private boolean isBuilt() {
    return stock.size() > 0;
  }

  /// Number of functions that are to be built; 0 where they are.
  int lacking() {
    return isBuilt() ? 0 : functions.size();
  }

  /// Takes note that the kernel has been built.
  void built() {
    if (!isBuilt()) {
      functions.forEach(stock::add);
    }
  }

  /// Number of functions that are there.
  int size() {
    return stock.size();
  }
}
