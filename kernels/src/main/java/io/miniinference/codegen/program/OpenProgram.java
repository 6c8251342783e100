package io.miniinference.codegen.program;

import io.miniinference.codegen.Dialect;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.open.OpenStock;
import io.miniinference.codegen.open.OpenStock.Kernel;
import io.miniinference.codegen.open.OpenStock.Site;
import io.miniinference.device.Launch;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.OpenKernels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

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

  /// @param writer the kernels of a program
  /// @param hasRanges whether kernels are chosen by ranges of what is open
  public OpenProgram(
      Dialect dialect, Function<LoweredProgram, ProgramText> writer, boolean hasRanges) {
    this.hasRanges = hasRanges;
    this.dialect = dialect;
    this.writer = writer;
  }

  @Override
  public Generated fit(LoweredProgram program, Supplier<List<LoweredProgram>> others) {
    ProgramText text = writer.apply(program);
    List<Site> sites = sites(text);
    sites.forEach(stock::see);
    Fitting fitting = new Fitting(program, text, sites);
    if (sites.stream().allMatch(site -> stock.find(site).isPresent())) {
      return fitting.run();
    }
    List<ProgramText> texts = others.get().stream().map(writer).toList();
    texts.forEach(other -> sites(other).forEach(stock::see));
    Generated generated = fitting.run();
    texts.forEach(fitting::add);
    return fitting.withAll(generated);
  }

  @Override
  public void built() {
    lacking.forEach(stock::add);
    lacking = List.of();
  }

  @Override
  public boolean hasRanges() {
    return hasRanges;
  }

  @Override
  public int kernels() {
    return stock.size();
  }

  /* Kernels of one shape, each under a name that it has in all shapes. */
  private static List<Site> sites(ProgramText program) {
    Map<String, Integer> turns = new HashMap<>();
    List<Site> sites = new ArrayList<>();
    for (ProgramText.Entry entry : program.entries()) {
      KernelText text = entry.text();
      String node = entry.step().node().name() + "/" + entry.step().node().onnxOp();
      String name = node + "/" + turns.merge(node, 1, Integer::sum);
      sites.add(new Site(name, text.group(), text.offsets().size(), text.statements()));
    }
    return sites;
  }

  /* Finds or writes the kernels of one shape. */
  private final class Fitting {
    private final ProgramText text;
    private final List<Site> sites;
    private final ProgramSource missing;
    private final Map<Object, Kernel> made = new LinkedHashMap<>();

    /// Numbers that launches pass in place of an offset, by the entry of the binding.
    private final Map<Long, Integer> numbers = new LinkedHashMap<>();

    private final int firstNumber;

    Fitting(LoweredProgram program, ProgramText text, List<Site> sites) {
      this.text = text;
      this.sites = sites;
      missing = new ProgramSource(program.graph().name(), dialect);
      firstNumber = program.offsets();
    }

    /* The launches, and in code what is missing for them. */
    Generated run() {
      List<Launch> launches = new ArrayList<>();
      for (int i = 0; i < sites.size(); i++) {
        launches.add(launch(text.entries().get(i), sites.get(i)));
      }
      lacking = List.copyOf(made.values());
      return new Generated(missing.code(), launches, text.steps(), List.copyOf(numbers.keySet()));
    }

    /* Makes what another shape needs besides, too. */
    void add(ProgramText other) {
      List<Site> needed = sites(other);
      for (int i = 0; i < needed.size(); i++) {
        kernel(other.entries().get(i), needed.get(i));
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
