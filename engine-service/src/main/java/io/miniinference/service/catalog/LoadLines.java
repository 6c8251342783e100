package io.miniinference.service.catalog;

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
        "model %s version %s loaded in %.1f s: %,d bytes, %d kernels, batches up to %d%s",
        ready.name(),
        ready.version(),
        figures.seconds(),
        ready.model().reservedBytes(),
        figures.kernels(),
        ready.model().maxBatch(),
        ready.model().specialisations().isPresent()
            ? ", memory by requests' shapes"
            : next(figures));
  }

  private static String next(LoadFigures figures) {
    return figures.nextBatch() == 0
        ? ""
        : String.format(
            Locale.ROOT, " (%d would take %,d)", figures.nextBatch(), figures.nextBytes());
  }
}
