package io.miniinference.codegen.open;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// The kernels of a model with open sizes that are built, and what was seen of its texts. For one
/// thread at a time.
public final class OpenStock {
  private final Map<NumberedText.Skeleton, List<Kernel>> built = new HashMap<>();
  private final Map<Place, OpenText> seen = new HashMap<>();
  private int kernels;

  /// The text of a kernel for one shape.
  ///
  /// @param name under which the same kernel is known in all shapes
  public record Site(String name, NumberedText text) {
    Place place() {
      return new Place(name, text.skeleton());
    }
  }

  /// The texts of one shape, of which equal ones are read once: layers of a model are mostly alike.
  public static final class Texts {
    private record Text(String head, String statements) {}

    private final Map<Text, NumberedText> read = new HashMap<>();

    /// A kernel's text, known by a name.
    ///
    /// @param group work items of a work-group
    /// @param offsets number of byte offsets that it takes
    public Site site(String name, int group, int offsets, String statements) {
      return new Site(
          name, read.computeIfAbsent(new Text(group + " " + offsets, statements), Texts::read));
    }

    private static NumberedText read(Text text) {
      return NumberedText.of(text.head, text.statements);
    }
  }

  /* Where texts of several shapes differ in numbers alone. */
  record Place(String site, NumberedText.Skeleton skeleton) {}

  /// A kernel for all shapes.
  public record Kernel(String name, OpenText text) {

    /// Whether it is the kernel of that text, with some arguments.
    public boolean isOf(Site site) {
      return text.skeleton().equals(site.text().skeleton()) && text.admits(site.text().numbers());
    }

    /// Number of numbers that it takes.
    public int arguments() {
      return text.arguments();
    }

    /// The numbers that make it the text of one shape, the bits of those that are floats.
    public List<Long> arguments(Site site) {
      return text.values(site.text().numbers());
    }

    /// Its statements, with its numbers declared ahead of them.
    ///
    /// @param first place of the first among the kernel's arguments
    public String statements(int first) {
      return text.declarations(first) + text.body();
    }
  }

  /// The kernel whose text that is with some arguments, of several the one with the fewest.
  public Optional<Kernel> find(Site site) {
    return built.getOrDefault(site.text().skeleton(), List.of()).stream()
        .filter(kernel -> kernel.text().admits(site.text().numbers()))
        .min(Comparator.comparingInt(Kernel::arguments));
  }

  /// Takes note of a text of a shape: what differs from those of others is no constant.
  public void see(Site site) {
    seen.merge(
        site.place(), OpenText.of(site.text()), (known, _) -> known.with(site.text().numbers()));
  }

  /// A new kernel for a text, as general as what was seen there.
  ///
  /// @param hint a part of its name
  public Kernel make(Site site, String hint) {
    see(site);
    return new Kernel(
        hint + "_" + kernels++, Objects.requireNonNull(seen.get(site.place()), "seen"));
  }

  /// Takes a kernel in that is built.
  public void add(Kernel kernel) {
    built.computeIfAbsent(kernel.text().skeleton(), _ -> new ArrayList<>()).add(kernel);
  }

  /// Number of kernels that are built.
  public int size() {
    return built.values().stream().mapToInt(List::size).sum();
  }
}
