package io.miniinference.plan.certificate;

import io.miniinference.plan.Block;
import io.miniinference.plan.LoopBuffers;
import io.miniinference.plan.RefusedMerge;
import io.miniinference.plan.live.LiveRange;
import io.miniinference.plan.packing.SearchReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A certificate as text: the figures, the arena as bars in time, who is live at the peak, and what
/// was refused.
final class CertificateText {
  private static final int MOST_COLUMNS = 64;
  private static final int MOST_NAME = 28;

  private final Certificate certificate;
  private final List<Bar> bars;
  private final int ticks;
  private final int ticksPerColumn;
  private final int columns;
  private final StringBuilder out = new StringBuilder();

  CertificateText(Certificate certificate) {
    this.certificate = certificate;
    bars = Bar.of(certificate);
    ticks = Math.max(1, certificate.plan().lifetimes().ticks());
    ticksPerColumn = Math.ceilDiv(ticks, MOST_COLUMNS);
    columns = Math.ceilDiv(ticks, ticksPerColumn);
  }

  String text() {
    figures();
    picture();
    peak();
    motions();
    refused();
    return out.toString();
  }

  /// `1,536 B`, `1.5 KiB`, `18.4 MiB`.
  static String human(long bytes) {
    if (bytes < 10_240) {
      return String.format(Locale.ROOT, "%,d B", bytes);
    }
    double kib = bytes / 1024.0;
    return kib < 1024
        ? String.format(Locale.ROOT, "%.1f KiB", kib)
        : String.format(Locale.ROOT, "%,.1f MiB", kib / 1024);
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  private void line(String format, Object... arguments) {
    out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  private void figures() {
    PlanHeader d = certificate.deployment();
    line("plan of %s on %s, batch %d", d.model(), d.device(), certificate.batch());
    line("");
    row("naive", certificate.naiveBytes(), "every value in a block of its own");
    row("planned", certificate.plannedBytes(), "the arena of one request" + saving());
    row(
        "placement bound",
        certificate.placementBoundBytes(),
        "most bytes of placed blocks live at once");
    row(
        "lower bound",
        certificate.lowerBoundBytes(),
        "most elements live at once, before any merge");
    row("failure slots", certificate.failureBytes(), "ahead of the plan");
    row("weights", d.weightBytes(), "as held in the pool");
    row("reserved", d.reservedBytes(), "what a load takes from the pool");
    line("");
    line(
        "%d steps, %d launches, %d merges, %d copies, %d conversions, %d host syncs, planned and"
            + " verified in %.1f ms",
        certificate.plan().lifetimes().steps().size(),
        d.launches(),
        certificate.plan().merges().size(),
        certificate.copies(),
        certificate.conversions(),
        d.hostSyncs(),
        d.planningMillis());
    SearchReport search = certificate.placement().search();
    if (search.ending() != SearchReport.Ending.NOT_NEEDED) {
      line("the exact search %s, after %,d decisions", search.ending(), search.nodes());
    }
    line("");
  }

  private String saving() {
    return certificate.naiveBytes() > 0 && certificate.plannedBytes() > 0
        ? String.format(
            Locale.ROOT,
            ", %.1f times less than naive",
            (double) certificate.naiveBytes() / certificate.plannedBytes())
        : "";
  }

  private void row(String name, long bytes, String meaning) {
    line("%-16s %,15d B   %s", name, bytes, meaning);
  }

  private void picture() {
    int width = nameWidth();
    line("%-" + width + "s  %s  %12s %12s", "step", ruler(), "offset", "bytes");
    for (Bar bar : bars) {
      line(
          "%-" + width + "s  %s  %,12d %,12d%s",
          shortened(bar.name()),
          cells(bar.range()),
          bar.offsetBytes(),
          bar.sizeBytes(),
          (bar.over().isEmpty() ? "" : "  over " + bar.over())
              + (bar.into().isEmpty() ? "" : "  in " + bar.into()));
    }
    line("");
  }

  private int nameWidth() {
    return bars.stream().mapToInt(bar -> shortened(bar.name()).length()).reduce(4, Math::max);
  }

  private static String shortened(String name) {
    return name.length() <= MOST_NAME ? name : "…" + name.substring(name.length() - MOST_NAME + 1);
  }

  private String ruler() {
    StringBuilder ruler = new StringBuilder();
    while (ruler.length() < columns) {
      String label = Integer.toString(stepAt(ruler.length()));
      ruler.append(label).append(" ".repeat(Math.max(1, 5 - label.length())));
    }
    ruler.setLength(columns);
    return ruler.toString();
  }

  private int stepAt(int column) {
    return certificate.plan().lifetimes().stepNumber(column * ticksPerColumn);
  }

  private String cells(LiveRange range) {
    StringBuilder cells = new StringBuilder();
    for (int column = 0; column < columns; column++) {
      int first = column * ticksPerColumn;
      boolean live =
          Math.max(0, range.first()) < first + ticksPerColumn
              && Math.min(ticks - 1, range.last()) >= first;
      cells.append(live ? '█' : '░');
    }
    return cells.toString();
  }

  private void peak() {
    int at = peakTick();
    line("live at the peak, step %d:", certificate.plan().lifetimes().stepNumber(Math.max(0, at)));
    for (Block block : certificate.plan().program().blocks()) {
      if (isLive(block, at)) {
        line("  %,12d B  %s", bytes(block), contents(block, at));
      }
    }
  }

  /* What is in a block at a tick, and what else it is kept for. */
  private String contents(Block block, int tick) {
    long from = certificate.placement().offsetBytes(block);
    List<String> names =
        bars.stream()
            .filter(bar -> bar.isLiveAt(tick))
            .filter(bar -> bar.offsetBytes() >= from)
            .filter(bar -> bar.offsetBytes() + bar.spanBytes() <= from + bytes(block))
            .map(bar -> bar.over().isEmpty() ? bar.name() : bar.name() + " over " + bar.over())
            .toList();
    boolean whole = names.isEmpty() || names.stream().anyMatch(n -> n.startsWith(block.name()));
    String inside = String.join(", ", names);
    return names.isEmpty() ? block.name() : whole ? inside : inside + " (for " + block.name() + ")";
  }

  private boolean isLive(Block block, int tick) {
    LiveRange range = certificate.plan().lifetimes().range(block.id());
    return certificate.placement().isPlaced(block) && range != null && range.contains(tick);
  }

  private long bytes(Block block) {
    return block.sizeBytes().at(certificate.batch());
  }

  private int peakTick() {
    int best = -1;
    long most = -1;
    for (int tick = -1; tick <= ticks; tick++) {
      long live = 0;
      for (Block block : certificate.plan().program().blocks()) {
        live += isLive(block, tick) ? bytes(block) : 0;
      }
      if (live > most) {
        most = live;
        best = tick;
      }
    }
    return best;
  }

  private void motions() {
    List<String> lines = new ArrayList<>();
    for (LoopBuffers motion : certificate.plan().motions()) {
      motion.windows().forEach(w -> lines.add(w.block().name() + ": a row of " + w.rows().name()));
      motion
          .pointers()
          .forEach(p ->
              lines.add(p.block().name() + ": " + p.first().name() + ", then " + p.next().name()));
    }
    for (LoopBuffers motion : certificate.plan().motions()) {
      motion
          .alternations()
          .forEach(a ->
              lines.add(
                  "%s: %s and %s by turns"
                      .formatted(a.block().name(), a.even().name(), a.odd().name())));
    }
    if (!lines.isEmpty()) {
      line("");
      line("places that are others in each iteration:");
      lines.forEach(each -> line("  %s", each));
    }
  }

  private void refused() {
    List<RefusedMerge> refused = certificate.plan().refused();
    if (!refused.isEmpty()) {
      line("");
      line("merges that steps offer and the plan does not make:");
      refused.forEach(r ->
          line(
              "  step %d  %s -> %s: %s (%s)",
              r.step(),
              r.source().name(),
              r.destination().name(),
              r.condition(),
              r.condition().reason()));
    }
  }
}
