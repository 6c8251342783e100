package io.miniinference.codegen.program;

import io.miniinference.codegen.Dialect;
import io.miniinference.codegen.open.OpenStock;
import io.miniinference.codegen.open.OpenStock.Kernel;
import io.miniinference.codegen.open.OpenStock.Site;
import io.miniinference.device.Launch;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.OpenKernels;
import io.miniinference.lower.RowPiece;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The OpenCL kernels of one model with open sizes.
///
/// The writers write a kernel for one shape, with its sizes as numbers. Of the numbers that differ
/// from shape to shape this makes arguments ([OpenStock]), and finds for a further shape the
/// kernels whose text that is.
public final class OpenProgram implements OpenKernels {
  private final Dialect dialect;
  private final Function<LoweredProgram, ProgramText> writer;
  private final boolean hasRanges;
  private final OpenStock stock = new OpenStock();

  /// Kernels that the last program lacked.
  private List<Kernel> lacking = List.of();

  /// One kernel of all steps, where that is wanted.
  private final Optional<OpenNetwork> network;

  private OpenProgram(
      Dialect dialect,
      Function<LoweredProgram, ProgramText> writer,
      boolean hasRanges,
      Optional<OpenNetwork> network) {
    this.hasRanges = hasRanges;
    this.dialect = dialect;
    this.writer = writer;
    this.network = network;
  }

  /// Kernels that are chosen by ranges of what is open.
  ///
  /// @param writer the kernels of a program
  public static OpenProgram ofRanges(
      Dialect dialect, Function<LoweredProgram, ProgramText> writer) {
    return new OpenProgram(dialect, writer, true, Optional.empty());
  }

  /// Kernels that are chosen for all sizes at once, and that are one where each is launched once.
  ///
  /// @param writer the kernels of a program, in work-groups of one
  public static OpenProgram ofAllSizes(
      Dialect dialect, Function<LoweredProgram, ProgramText> writer) {
    return new OpenProgram(dialect, writer, false, Optional.of(new OpenNetwork(dialect)));
  }

  @Override
  public Generated fit(
      LoweredProgram program, Optional<RowPiece> piece, Supplier<List<LoweredProgram>> others) {
    OpenNetwork.Shape shape = shape(program);
    lacking = List.of();
    return network
        .flatMap(it -> it.fit(shape, piece, () -> others.get().stream().map(this::shape).toList()))
        .orElseGet(() -> fit(shape, others));
  }

  private OpenNetwork.Shape shape(LoweredProgram program) {
    return OpenNetwork.Shape.of(program, writer.apply(program));
  }

  private Generated fit(OpenNetwork.Shape shape, Supplier<List<LoweredProgram>> others) {
    shape.sites().forEach(stock::see);
    Fitting fitting = new Fitting(shape);
    if (shape.sites().stream().allMatch(site -> stock.find(site).isPresent())) {
      return fitting.run();
    }
    List<OpenNetwork.Shape> all =
        Stream.concat(Stream.of(shape), others.get().stream().map(this::shape))
            .map(OpenNetwork.Shape::withSpares)
            .toList();
    all.forEach(other -> other.sites().forEach(stock::see));
    Generated generated = fitting.run();
    all.forEach(fitting::add);
    return fitting.withAll(generated);
  }

  @Override
  public int rehearse(LoweredProgram program, Optional<RowPiece> piece) {
    OpenNetwork.Shape shape = shape(program);
    return network
        .flatMap(it -> it.rehearsed(shape, piece))
        .map(it -> it.launches().size())
        .orElse(0);
  }

  @Override
  public void built() {
    network.ifPresent(OpenNetwork::built);
    lacking.forEach(stock::add);
    lacking = List.of();
  }

  @Override
  public int lacking() {
    return lacking.size() + network.map(OpenNetwork::lacking).orElse(0);
  }

  @Override
  public boolean hasRanges() {
    return hasRanges;
  }

  @Override
  public int kernels() {
    return stock.size() + network.map(OpenNetwork::size).orElse(0);
  }

  /* Finds or writes the kernels of one shape. */
  private final class Fitting {
    private final OpenNetwork.Shape shape;
    private final ProgramSource missing;
    private final Map<Object, Kernel> made = new LinkedHashMap<>();

    /// Numbers that launches pass in place of an offset, by the entry of the binding.
    private final Map<Long, Integer> numbers = new LinkedHashMap<>();

    private final int firstNumber;

    Fitting(OpenNetwork.Shape shape) {
      this.shape = shape;
      missing = new ProgramSource(shape.program().graph().name(), dialect);
      firstNumber = shape.program().offsets();
    }

    /* The launches, and in code what is missing for them. */
    Generated run() {
      List<Launch> launches = new ArrayList<>();
      for (int i = 0; i < shape.sites().size(); i++) {
        launches.add(launch(shape.entries().get(i), shape.sites().get(i)));
      }
      lacking = List.copyOf(made.values());
      return new Generated(
          missing.code(), launches, shape.text().steps(), List.copyOf(numbers.keySet()));
    }

    /* Makes what another shape needs besides, too. */
    void add(OpenNetwork.Shape other) {
      for (int i = 0; i < other.sites().size(); i++) {
        kernel(other.entries().get(i), other.sites().get(i));
      }
    }

    /* The same launches, and in code all that was made. */
    Generated withAll(Generated generated) {
      lacking = List.copyOf(made.values());
      return new Generated(
          missing.code(), generated.launches(), generated.steps(), generated.numbers());
    }

    private Kernel kernel(ProgramText.Entry entry, Site site) {
      return stock
          .find(site)
          .or(() -> made.values().stream().filter(made -> made.isOf(site)).findFirst())
          .orElseGet(() -> made(entry, site));
    }

    private Launch launch(ProgramText.Entry entry, Site site) {
      Kernel kernel = kernel(entry, site);
      List<Integer> offsets = new ArrayList<>(entry.text().offsets());
      kernel.arguments(site).forEach(number -> offsets.add(this.number(number)));
      return new Launch(kernel.name(), offsets, entry.kernel().work());
    }

    private int number(long value) {
      return numbers.computeIfAbsent(value, _ -> firstNumber + numbers.size());
    }

    private Kernel made(ProgramText.Entry entry, Site site) {
      Kernel kernel = stock.make(site, entry.hint());
      Kernel known = made.putIfAbsent(kernel.text(), kernel);
      if (known != null) {
        return known;
      }
      int offsets = entry.text().offsets().size();
      missing.add(
          kernel.name(),
          entry.text().head(),
          entry.text().function(kernel, dialect),
          offsets + kernel.arguments());
      return kernel;
    }
  }
}
