package io.miniinference.listing;

import io.miniinference.plan.Block;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Placement;

/// Text of a [MemoryPlan]: which arrays are the same memory, and where each block lies for each
/// batch bucket.
public final class PlanListing {
  private final MemoryPlan plan;
  private final Page page = new Page();

  private PlanListing(MemoryPlan plan) {
    this.plan = plan;
  }

  public static String of(MemoryPlan plan) {
    PlanListing listing = new PlanListing(plan);
    plan.merges().forEach(merge -> listing.page.line("merged: " + merge));
    plan.refused().forEach(refused -> listing.page.line("not merged: " + refused));
    plan.placements().forEach(listing::bucket);
    return listing.page.toString();
  }

  private void bucket(Placement placement) {
    page.line("batch %d: arena of %,d bytes".formatted(placement.batch(), placement.arenaBytes()));
    page.nested(() -> plan.program().blocks().forEach(block -> place(placement, block)));
  }

  private void place(Placement placement, Block block) {
    if (block.isPlanned() && placement.isPlaced(block)) {
      page.line(
          "@%d '%s' at %,d, %,d bytes"
              .formatted(
                  block.id(),
                  block.name(),
                  placement.offsetBytes(block),
                  block.sizeBytes().at(placement.batch())));
    }
  }
}
