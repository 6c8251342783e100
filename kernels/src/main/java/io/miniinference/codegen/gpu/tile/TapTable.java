package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.Template;
import io.miniinference.ir.Window;
import io.miniinference.layout.IndexFunction;
import java.util.Optional;

/// Where the tap and the channel of each depth are, written to local memory once: images of few
/// channels are loaded element by element, and to work out the place of each takes longer than to
/// multiply it.
///
/// @param entries depths, those of whole panels
/// @param items work items that share the writing
record TapTable(int entries, int items) {
  /// Pixels from the window's first tap down to that of depth `k`.
  static final String DY = "(taps_near[k] >> 16)";

  /// Pixels from the window's first tap along to that of depth `k`.
  static final String DX = "(taps_near[k] & 0xffff)";

  /// Elements from the window's first tap to the element of depth `k`.
  static final String PLACE = "taps_place[k]";

  /// Depths that fit beside the panels into the least local memory that a device has.
  private static final int MOST_ENTRIES = 256;

  private static final Template FILL =
      Template.of(
          "table of taps",
          """
          @shared int taps_near[$entries], taps_place[$entries];
          for (int k = t; k < $entries; k += $items) {
            $tap
            taps_near[k] = dy << 16 | dx;
            taps_place[k] = (int)place;
          }
          @barrier;
          """);

  /// A table for a window over an image, unless that needs more memory or wider numbers.
  ///
  /// @param channels that the window reads
  /// @param depth of the window, all channels
  /// @param panel depth of a panel
  static Optional<TapTable> of(
      Window window, IndexFunction index, long channels, long depth, int panel, int items) {
    if (window.rank() > 2) {
      return Optional.empty();
    }
    long entries = Math.ceilDiv(depth, (long) panel) * panel;
    Spatial y = Spatial.of(window, index, 1);
    Spatial x = Spatial.of(window, index, 0);
    long last = (channels - 1) * Math.abs(index.axes().get(1).stride().asConstant());
    // Depths of the last panel may be as much as a panel beyond the window.
    long down = y.reach() + (long) panel * y.dilation();
    long reach = down * Math.abs(y.step()) + x.reach() * Math.abs(x.step()) + last;
    boolean fits = entries <= MOST_ENTRIES && down < 1 << 15 && x.reach() < 1 << 15;
    return fits && reach < 1 << 30
        ? Optional.of(new TapTable((int) entries, items))
        : Optional.empty();
  }

  /// Statements that fill it, to whose end all work items come.
  ///
  /// @param tap statements that declare `dy`, `dx` and `place` of depth `k`
  String fill(String tap) {
    return FILL.with("entries", entries).with("items", items).with("tap", tap).text();
  }
}
