package io.miniinference.codegen.cpu.lanes;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// The texts of tiles that were written, so that equal tiles are written once: those of layers that
/// are alike, and those of a model with open sizes in all its shapes. For any number of threads.
public final class WrittenTiles {
  /// Characters that are kept, some hundred tiles; a model has a few.
  private static final long MOST_CHARACTERS = 4 << 20;

  private final Map<ProductTile, String> texts = new ConcurrentHashMap<>();
  private final AtomicLong characters = new AtomicLong();

  /// The text of a tile.
  public String text(ProductTile tile) {
    String known = texts.get(tile);
    return known == null ? written(tile) : known;
  }

  private String written(ProductTile tile) {
    String text = tile.text();
    if (characters.addAndGet(text.length()) <= MOST_CHARACTERS) {
      texts.put(tile, text);
    }
    return text;
  }
}
