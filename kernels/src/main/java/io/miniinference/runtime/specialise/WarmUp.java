package io.miniinference.runtime.specialise;

import io.miniinference.runtime.ModelClosedException;
import io.miniinference.runtime.RequestShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// Compiles a model with open sizes for some that no request asked for yet
/// ([io.miniinference.runtime.Model#warmUp]). Kernels of all shapes come with the first; the
/// further ones are for the JVM, which compiles the code that plans while it runs.
final class WarmUp {
  /// To begin with, the likeliest first: tokens of a short text, then sides of images that are
  /// halved five times.
  private static final long[] FIRST = {32, 64, 224, 8, 1};

  private static final long STEP = 8;

  /// Sizes that are tried for one that is planned.
  private static final int TRIES = 2;

  /// After which no further one begins: the JVM has compiled what it will by then.
  private static final long MOST_NANOS = 3_000_000_000L;

  private final AheadOfRequests ahead;

  WarmUp(AheadOfRequests ahead) {
    this.ahead = ahead;
  }

  /// How the sizes that a request chooses belong together: they are equal, but for one that is the
  /// sum of the others, as the keys of a decoder are those that it kept and those that come.
  ///
  /// @param first the size to begin with
  /// @param sum a symbol, or "" where all are equal
  private record Arrangement(FreeSizes sizes, long first, String sum) {

    static Stream<Arrangement> all(FreeSizes sizes) {
      List<String> sums = new ArrayList<>(List.of(""));
      if (sizes.free().size() > 1) {
        sums.addAll(sizes.free());
      }
      return LongStream.of(FIRST)
          .boxed()
          .flatMap(first -> sums.stream().map(sum -> new Arrangement(sizes, first, sum)));
    }

    /// Empty beyond what requests may ask for.
    Optional<RequestShape> larger(long by) {
      Map<String, Long> chosen = new TreeMap<>();
      for (String symbol : sizes.free()) {
        long terms = symbol.equals(sum) ? sizes.free().size() - 1 : 1;
        chosen.put(symbol, terms * (first + by));
      }
      return sizes.shape(chosen);
    }
  }

  /// @return for how many shapes the model was compiled
  int run(int shapes) {
    try {
      return shapes == 0
          ? 0
          : Arrangement.all(FreeSizes.of(ahead.open().signature()))
              .filter(it -> isCompiled(it.larger(0)))
              .findFirst()
              .map(it -> run(it, shapes))
              .orElse(0);
    } catch (ModelClosedException e) {
      return 0;
    }
  }

  /* The first is compiled. Nothing at all of a past takes kernels of its own. */
  private int run(Arrangement sizes, int shapes) {
    int compiled = 1;
    if (shapes > compiled && isCompiled(sizes.sizes().withoutPast(sizes.first()))) {
      compiled++;
    }
    int tries = ahead.open().signature().symbols().isEmpty() ? 1 : TRIES * shapes;
    long end = System.nanoTime() + MOST_NANOS;
    for (int i = 1; i < tries && compiled < shapes && System.nanoTime() - end < 0; i++) {
      compiled += isCompiled(sizes.larger(i * STEP)) ? 1 : 0;
    }
    return compiled;
  }

  private boolean isCompiled(Optional<RequestShape> shape) {
    return shape.filter(ahead::isCompiled).isPresent();
  }
}
