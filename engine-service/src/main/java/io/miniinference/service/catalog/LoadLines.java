package io.miniinference.service.catalog;

import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.SpecialisationStatistics;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The line that the log has for each model that is loaded.
final class LoadLines {
  private static final Logger LOG = LoggerFactory.getLogger(LoadLines.class);

  private LoadLines() {}

  static void tell(CatalogEntry.Ready ready) {
    LOG.info("{}", line(ready));
  }

  /// What was loaded, how long that took, what it holds, and what the next larger batch would take.
  static String line(CatalogEntry.Ready ready) {
    LoadFigures figures = ready.figures();
    return String.format(
        Locale.ROOT,
        "model %s version %s loaded in %.1f s: %s, %s%s, batches up to %d%s",
        ready.name(),
        ready.version(),
        figures.seconds(),
        bytes(ready),
        kernels(ready),
        origin(figures),
        ready.model().maxBatch(),
        ready
            .model()
            .specialisations()
            .map(shapes -> memory(shapes, figures))
            .orElseGet(() -> next(figures)));
  }

  /* Weights of open sizes that no bounds keep room for come with the first shape. */
  private static String bytes(CatalogEntry.Ready ready) {
    long reserved = ready.model().reservedBytes();
    return reserved == 0 && ready.model().specialisations().isPresent()
        ? "no bytes before the first shape"
        : String.format(Locale.ROOT, "%,d bytes", reserved);
  }

  /* What there is room for whatever others take, and what more would take. */
  private static String memory(SpecialisationStatistics shapes, LoadFigures figures) {
    return ", memory by requests' shapes"
        + planned(shapes.kept())
        + shapes
            .promise()
            .map(room -> ", with room for " + text(room.largest()) + next(figures))
            .orElse("");
  }

  private static String planned(int shapes) {
    return switch (shapes) {
      case 0 -> "";
      case 1 -> ", of which 1 is planned";
      default -> ", of which " + shapes + " are planned";
    };
  }

  private static String text(RequestShape shape) {
    return shape.batch() + " of " + RequestShape.text(shape.sizes());
  }

  /* Those of open sizes are built with the first shape. */
  private static String kernels(CatalogEntry.Ready ready) {
    return ready
        .model()
        .specialisations()
        .filter(shapes -> shapes.mostKernels() > 0)
        .map(LoadLines::ofAllShapes)
        .orElseGet(() -> count(ready.figures().kernels()));
  }

  private static String count(long kernels) {
    return kernels == 1 ? "1 kernel" : kernels + " kernels";
  }

  /// Where a load's kernels came from, which says why it took long or did not.
  static String origin(LoadFigures figures) {
    if (figures.kernels() <= 0) {
      return "";
    }
    long cached = figures.kernels() - figures.compiled();
    return cached <= 0
        ? " (compiled)"
        : figures.compiled() == 0
            ? " (from the cache)"
            : " (%d compiled, %d from the cache)".formatted(figures.compiled(), cached);
  }

  private static String ofAllShapes(SpecialisationStatistics shapes) {
    String now = shapes.kernels() == 0 ? "kernels with the first shape" : count(shapes.kernels());
    return String.format(Locale.ROOT, "%s (at most %,d)", now, shapes.mostKernels());
  }

  private static String next(LoadFigures figures) {
    return figures.nextBatch() == 0
        ? ""
        : String.format(
            Locale.ROOT, " (%d would take %,d)", figures.nextBatch(), figures.nextBytes());
  }
}
