package io.miniinference.codegen.cpu.winograd;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The cheapest cuts of convolutions by their sizes, so that each is found once: a model with open
/// sizes asks for the same ones in each shape. For any number of threads.
public final class Tilings {
  /// Sizes whose cut is kept.
  private static final int MOST = 4_096;

  private final Map<Tiling.Sizes, Optional<Tiling>> known = new ConcurrentHashMap<>();

  /// The cut that costs least ([Tiling#of]).
  Optional<Tiling> of(Tiling.Sizes sizes) {
    Optional<Tiling> tiling = known.get(sizes);
    return tiling == null ? found(sizes) : tiling;
  }

  private Optional<Tiling> found(Tiling.Sizes sizes) {
    Optional<Tiling> tiling = Tiling.of(sizes);
    if (known.size() < MOST) {
      known.put(sizes, tiling);
    }
    return tiling;
  }
}
