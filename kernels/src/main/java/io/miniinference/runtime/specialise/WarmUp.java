package io.miniinference.runtime.specialise;

import io.miniinference.budget.BudgetSpentException;
import io.miniinference.onnx.ModelException;
import io.miniinference.pass.FoldingLimitException;
import io.miniinference.runtime.ModelClosedException;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.Signature;
import io.miniinference.runtime.load.MoreValuesException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
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

  private final OpenSignature open;
  private final Consumer<RequestSizes> compiler;

  /// @param compiler compiles for sizes
  WarmUp(OpenSignature open, Consumer<RequestSizes> compiler) {
    this.open = open;
    this.compiler = compiler;
  }

  /// How the sizes of symbols belong together: they are equal, but for one that is the sum of the
  /// others, as the keys of a decoder are those that it kept and those that come.
  ///
  /// @param first the size to begin with
  /// @param sum a symbol, or "" where all are equal
  private record Arrangement(Signature signature, long first, String sum) {

    static Stream<Arrangement> all(Signature signature) {
      List<String> sums = new ArrayList<>(List.of(""));
      if (signature.symbols().size() > 1) {
        sums.addAll(signature.symbols());
      }
      return LongStream.of(FIRST)
          .boxed()
          .flatMap(first -> sums.stream().map(sum -> new Arrangement(signature, first, sum)));
    }

    /// Empty beyond what requests may ask for.
    Optional<RequestShape> larger(long by) {
      Map<String, Long> sizes = new TreeMap<>();
      for (String symbol : signature.symbols()) {
        long terms = symbol.equals(sum) ? signature.symbols().size() - 1 : 1;
        sizes.put(symbol, terms * (first + by));
      }
      boolean isAllowed =
          signature.bounds().entrySet().stream()
              .allMatch(bound -> sizes.getOrDefault(bound.getKey(), 0L) <= bound.getValue());
      return isAllowed ? Optional.of(new RequestShape(1, sizes)) : Optional.empty();
    }
  }

  /// @return for how many shapes the model was compiled
  int run(int shapes) {
    try {
      return shapes == 0
          ? 0
          : Arrangement.all(open.signature())
              .filter(it -> isCompiled(it.larger(0)))
              .findFirst()
              .map(it -> run(it, shapes))
              .orElse(0);
    } catch (ModelClosedException e) {
      return 0;
    }
  }

  /* The first is compiled. */
  private int run(Arrangement sizes, int shapes) {
    int compiled = 1;
    int tries = open.signature().symbols().isEmpty() ? 1 : TRIES * shapes;
    long end = System.nanoTime() + MOST_NANOS;
    for (int i = 1; i < tries && compiled < shapes && System.nanoTime() - end < 0; i++) {
      compiled += isCompiled(sizes.larger(i * STEP)) ? 1 : 0;
    }
    return compiled;
  }

  private boolean isCompiled(Optional<RequestShape> shape) {
    return shape
        .filter(it -> isCompiled(open.sizes(it)) || isCompiled(open.exactly(it)))
        .isPresent();
  }

  /* False for sizes that the model does not take, or not without values. */
  private boolean isCompiled(RequestSizes sizes) {
    try {
      compiler.accept(sizes);
      return true;
    } catch (ModelException
        | MoreValuesException
        | ArithmeticException
        | FoldingLimitException
        | BudgetSpentException e) {
      return false;
    }
  }
}
