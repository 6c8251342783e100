package io.miniinference.plan.verify;

import io.miniinference.plan.Array;
import io.miniinference.plan.Body;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Which written value each part of a named array must hold when it is read: a written name is
/// itself; the result of a view step is what its operands in the same block are, of those that
/// overlap the later over the earlier.
final class ReachingDefinitions {
  private final Inventory inventory;
  private final Function<Array, BitSet> cells;
  private final Predicate<Array> isExact;
  private final List<@Nullable List<Part>> parts;

  /// Cells of one block that hold elements of one value.
  record Part(BitSet cells, String value) {}

  /// @param cells those of an array in its block
  /// @param isExact whether arrays of its block take whole cells
  ReachingDefinitions(
      Program program,
      Inventory inventory,
      Function<Array, BitSet> cells,
      Predicate<Array> isExact) {
    this.inventory = inventory;
    parts = new ArrayList<>(Collections.nCopies(inventory.names(), null));
    this.cells = cells;
    this.isExact = isExact;
    add(program.body());
  }

  private void add(Body body) {
    body.parameters().forEach(this::written);
    body.steps().forEach(this::add);
  }

  private void add(Step step) {
    step.bodies().forEach(this::add);
    for (Array array : step.writes()) {
      if (step.kind() == Step.Kind.VIEW) {
        seen(step, array);
      } else {
        written(array);
      }
    }
  }

  private void written(Array array) {
    if (array.block().isPlanned()) {
      parts.set(inventory.name(array), List.of(new Part(cells.apply(array), array.name())));
    }
  }

  /* The view of a name that no step makes is such a name itself. */
  private void seen(Step step, Array view) {
    if (!view.block().isPlanned()) {
      return;
    }
    List<Part> seen = new ArrayList<>();
    for (Array read : step.reads()) {
      if (read.block().id() == view.block().id()) {
        List<Part> known = of(read);
        if (known == null) {
          return;
        }
        if (isExact.test(view)) {
          seen.replaceAll(part -> without(part, cells.apply(read)));
        }
        known.forEach(part -> seen.add(within(part, cells.apply(view))));
      }
    }
    seen.removeIf(part -> part.cells.isEmpty());
    parts.set(inventory.name(view), List.copyOf(seen));
  }

  private static Part without(Part part, BitSet hidden) {
    BitSet left = (BitSet) part.cells.clone();
    left.andNot(hidden);
    return new Part(left, part.value);
  }

  private static Part within(Part part, BitSet visible) {
    BitSet left = (BitSet) part.cells.clone();
    left.and(visible);
    return new Part(left, part.value);
  }

  /// What an array holds; null for a name that no step makes, which stands for whatever the program
  /// last wrote in its block.
  @Nullable List<Part> of(Array array) {
    return parts.get(inventory.name(array));
  }
}
