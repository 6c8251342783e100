package io.miniinference.plan.planner;

import static io.miniinference.plan.Block.SMALL_BYTES;
import static io.miniinference.plan.planner.Placement.ALIGNMENT_BYTES;
import static io.miniinference.plan.planner.Placement.SMALL_ALIGNMENT_BYTES;

import io.miniinference.plan.Block;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.live.Lifetimes;
import io.miniinference.plan.live.LiveRange;
import io.miniinference.plan.packing.Alignment;
import io.miniinference.plan.packing.Packing;
import io.miniinference.plan.packing.PackingProblem;
import io.miniinference.plan.packing.Rectangle;
import io.miniinference.plan.packing.RectanglePacker;
import io.miniinference.plan.packing.SearchLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Turns the merged blocks of a program into rectangles, small ones inside a slab that is itself a
/// rectangle, and the packed rectangles into a [Placement].
final class BlockPlacer {
  private final Program program;
  private final Lifetimes lifetimes;
  private final PlanOptions options;

  BlockPlacer(Program program, Lifetimes lifetimes, PlanOptions options) {
    this.program = program;
    this.lifetimes = lifetimes;
    this.options = options;
  }

  /* Blocks and their rectangles. */
  private record Group(List<Integer> blocks, List<Rectangle> rectangles) {
    Group() {
      this(new ArrayList<>(), new ArrayList<>());
    }

    void add(int block, Rectangle rectangle) {
      blocks.add(block);
      rectangles.add(rectangle);
    }

    void write(long[] packed, long base, long[] offsets) {
      for (int i = 0; i < blocks.size(); i++) {
        offsets[blocks.get(i)] = base + packed[i];
      }
    }
  }

  /* The order of the larger batch's placement is tried before any other. */
  Placement place(long n, Optional<Placement> larger, SearchLimits limits) {
    Group large = new Group();
    Group small = new Group();
    for (Block block : program.blocks()) {
      LiveRange range = lifetimes.range(block.id());
      if (block.isPlanned() && !block.isMoving() && range != null) {
        Rectangle rectangle = rectangle(range, block.sizeBytes().at(n));
        (rectangle.sizeBytes() < SMALL_BYTES ? small : large).add(block.id(), rectangle);
      }
    }
    return place(n, large, small, larger, limits);
  }

  private Rectangle rectangle(LiveRange range, long sizeBytes) {
    return options.reuse()
        ? new Rectangle(range.first(), range.last() + 1L, sizeBytes)
        : new Rectangle(-1, lifetimes.ticks() + 1L, sizeBytes);
  }

  private Placement place(
      long n, Group large, Group small, Optional<Placement> larger, SearchLimits limits) {
    Packing slab =
        RectanglePacker.pack(
            PackingProblem.of(small.rectangles()).alignedTo(SMALL_ALIGNMENT_BYTES));
    List<Rectangle> rectangles = new ArrayList<>(large.rectangles());
    if (!small.blocks().isEmpty()) {
      rectangles.add(slab(small.rectangles(), slab.peakBytes()));
    }
    Packed packed = new Packed(rectangles, pack(rectangles, larger, limits));
    long[] offsets = offsets(large, small, slab, packed.packing().offsets());
    long slots = Alignment.up(options.failureBytes().at(n), ALIGNMENT_BYTES);
    if (slots > 0) {
      long[] turned = offsets(large, small, slab, packed.turned(ALIGNMENT_BYTES));
      offsets = nearestOutput(turned) < nearestOutput(offsets) ? turned : offsets;
    }
    return new Placement(n, offsets, packed, slots);
  }

  /* By block, −1 where it has no place. */
  private long[] offsets(Group large, Group small, Packing slab, long[] packed) {
    long[] offsets = new long[program.blocks().size()];
    Arrays.fill(offsets, -1);
    large.write(packed, 0, offsets);
    if (!small.blocks().isEmpty()) {
      small.write(slab.offsets(), packed[large.blocks().size()], offsets);
    }
    return offsets;
  }

  /* How far behind the failure slots the first output is. A device with memory of its own sends the
  two in one transfer if not much lies between them. */
  private long nearestOutput(long[] offsets) {
    return program.body().results().stream()
        .mapToLong(result -> offsets[result.block().id()])
        .filter(offset -> offset >= 0)
        .min()
        .orElse(0);
  }

  private static Packing pack(
      List<Rectangle> rectangles, Optional<Placement> larger, SearchLimits limits) {
    PackingProblem problem =
        PackingProblem.of(rectangles).alignedTo(ALIGNMENT_BYTES).searching(limits);
    return RectanglePacker.pack(
        larger
            .map(Placement::packed)
            .filter(packed -> packed.isOfTheTimesOf(rectangles))
            .map(packed -> problem.after(packed.packing()))
            .orElse(problem));
  }

  /* The slab is there from the first to the last of its values. */
  private static Rectangle slab(List<Rectangle> small, long sizeBytes) {
    long lower = small.stream().mapToLong(Rectangle::lower).min().orElse(0);
    long upper = small.stream().mapToLong(Rectangle::upper).max().orElse(1);
    return new Rectangle(lower, upper, sizeBytes);
  }
}
