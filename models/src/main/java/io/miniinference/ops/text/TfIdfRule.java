package io.miniinference.ops.text;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.mul;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// [TfIdfVectorizer](https://onnx.ai/onnx/operators/onnx__TfIdfVectorizer.html): how often n-grams
/// of a pool occur in each row of tokens, weighted. Tokens are strings or integers.
///
/// Each token becomes its place in the pool, each window of tokens the column of its n-gram
/// ([Grams]), and ones are added up in these columns; what is no n-gram has a column behind the
/// last, which is cut off. The cost follows the tokens of a row, not the n-grams of the pool.
final class TfIdfRule {
  /// Most combinations of a size of n-grams and a distance between its tokens.
  private static final long MOST_COMBINATIONS = 64;

  /// Most tokens of an n-gram.
  private static final long MOST_TOKENS = 16;

  /// Most steps of searches in the pool for a token, over all windows that begin at it.
  private static final long MOST_STEPS = 512;

  private final OpContext c;
  private final long shortest;
  private final long longest;
  private final long skips;
  private final long[] starts;
  private final long[] columns;
  private final KnownList pool;
  private final int width;

  private TfIdfRule(OpContext c) {
    this.c = c;
    shortest = c.attrInt("min_gram_length");
    longest = c.attrInt("max_gram_length");
    skips = c.attrInt("max_skip_count");
    starts = c.attrInts("ngram_counts");
    columns = c.attrInts("ngram_indexes");
    pool = KnownList.of(c, "pool");
    check();
    width = Math.toIntExact(Arrays.stream(columns).max().orElse(-1) + 1);
  }

  static void addTo(OpTable table) {
    table.row(
        "TfIdfVectorizer",
        9,
        "1",
        "max_gram_length max_skip_count min_gram_length mode ngram_counts ngram_indexes pool_int64s pool_strings weights",
        c -> new TfIdfRule(c).lower());
  }

  private void check() {
    c.requireRank(0, 1, 2);
    if (shortest < 1 || longest < shortest || skips < 0) {
      throw LoweringFault.of(
          "counts n-grams of %d to %d tokens with up to %d skipped"
              .formatted(shortest, longest, skips));
    }
    if (longest > MOST_COMBINATIONS
        || skips > MOST_COMBINATIONS
        || (longest - shortest + 1) * (skips + 1) > MOST_COMBINATIONS) {
      throw LoweringFault.of(
          "counts n-grams of %d to %d tokens with up to %d skipped, more than %d combinations"
              .formatted(shortest, longest, skips, MOST_COMBINATIONS));
    }
    if (Arrays.stream(columns).anyMatch(it -> it < 0 || it >= Integer.MAX_VALUE)) {
      throw LoweringFault.of("has ngram_indexes that are no columns");
    }
    checkPool();
    checkSearches();
  }

  /* Sizes of n-grams behind one another, each a whole number of them, as many as columns. */
  private void checkPool() {
    long grams = 0;
    for (int size = 1; size <= starts.length; size++) {
      long tokens = end(size) - starts[size - 1];
      if (starts[size - 1] < 0 || tokens < 0 || tokens % size != 0) {
        throw LoweringFault.of(
            "has ngram_counts %s for a pool of %d tokens"
                .formatted(Arrays.toString(starts), pool.size()));
      }
      grams += tokens / size;
    }
    if (starts.length == 0 || starts[0] != 0 || grams != columns.length) {
      throw LoweringFault.of(
          "has %d n-grams in its pool, and %d ngram_indexes".formatted(grams, columns.length));
    }
  }

  /* Each token of an n-gram after the first is searched for, in as many steps as the number of
  n-grams has binary digits. */
  private void checkSearches() {
    long last = Math.min(longest, starts.length);
    long steps = 0;
    for (int size = (int) shortest; size <= last; size++) {
      long grams = (end(size) - starts[size - 1]) / size;
      steps += (size - 1) * (skips + 1) * (Long.SIZE - Long.numberOfLeadingZeros(grams));
    }
    if (last > MOST_TOKENS || steps > MOST_STEPS) {
      throw LoweringFault.of(
          "counts n-grams of %d to %d tokens with up to %d skipped in %d steps of searches for each token; up to %d tokens and %d steps are served"
              .formatted(shortest, last, skips, steps, MOST_TOKENS, MOST_STEPS));
    }
  }

  private long end(int size) {
    return size < starts.length ? starts[size] : pool.size();
  }

  private Value lower() {
    boolean isRow = c.rank(0) == 1;
    Value x = isRow ? c.unsqueeze(c.in(0), 0, 1) : c.in(0);
    Value counted = weighted(counts(x));
    return isRow ? c.reshape(counted, width) : counted;
  }

  private Value counts(Value x) {
    Affine length = x.type().dim(1);
    if (!length.isConstant()) {
      throw LoweringFault.specialisable(
          "counts n-grams of %s tokens; fix the batch".formatted(length));
    }
    List<Value> windows = windows(x, length.constant());
    Affine rows = x.type().dim(0);
    Expr zero = const_(ElementType.F32, 0.0);
    if (windows.isEmpty()) {
      return c.fill(zero, List.of(rows, Affine.of(width)));
    }
    Value places = c.concat(1, windows);
    Value sums = c.fill(zero, List.of(rows, Affine.of(width + 1L)));
    Value ones = c.fill(const_(ElementType.F32, 1.0), places.type().shape());
    Op count = new Op.Scatter(new Selection.Elements(1), Op.ScatterKind.ADD);
    return c.slice(c.emit(count, sums, places, ones), 1, Affine.ZERO, Affine.of(width));
  }

  /* The columns of all windows, `[rows, windows]` each. */
  private List<Value> windows(Value x, long length) {
    KnownList distinct = distinct();
    long[] inPool = inPool(distinct);
    Value given = pool.coded().isPresent() ? x : c.cast(x, ElementType.I64);
    Value tokens = Places.of(c, given, distinct);
    List<Value> windows = new ArrayList<>();
    for (int size = (int) shortest; size <= Math.min(longest, starts.length); size++) {
      Grams grams = grams(size, inPool, distinct.size());
      for (long step = 1; step <= (size == 1 ? 1 : skips + 1); step++) {
        long count = length - (size - 1) * step;
        if (count > 0 && grams.columns().length > 1) {
          windows.add(window(tokens, grams, step, count, distinct.size()));
        }
      }
    }
    return windows;
  }

  private KnownList distinct() {
    long[] distinct = Arrays.stream(SmallTensors.integers(pool.elements())).distinct().toArray();
    return new KnownList(
        SmallTensors.of(pool.elements().element(), new long[] {distinct.length}, distinct),
        pool.coded());
  }

  /* The tokens of the pool by their places. */
  private long[] inPool(KnownList distinct) {
    Map<Long, Integer> places = new HashMap<>();
    long[] own = SmallTensors.integers(distinct.elements());
    for (int i = 0; i < own.length; i++) {
      places.put(own[i], i);
    }
    return Arrays.stream(SmallTensors.integers(pool.elements())).map(places::get).toArray();
  }

  private Grams grams(int size, long[] inPool, int tokens) {
    int first = 0;
    for (int smaller = 1; smaller < size; smaller++) {
      first += (int) (end(smaller) - starts[smaller - 1]) / smaller;
    }
    int from = (int) starts[size - 1];
    int to = (int) end(size);
    return Grams.of(
        size,
        Arrays.copyOfRange(inPool, from, to),
        Arrays.copyOfRange(columns, first, first + (to - from) / size),
        tokens,
        width);
  }

  private Value window(Value tokens, Grams grams, long step, long count, long known) {
    Value found = c.slice(tokens, 1, Affine.ZERO, Affine.of(count));
    for (int k = 1; k < grams.size(); k++) {
      Value next = c.slice(tokens, 1, Affine.of(k * step), Affine.of(count));
      Value key = c.map(add(mul(arg(0), const_(known + 1)), arg(1)), found, next);
      found = Places.of(c, key, KnownList.longs(grams.keys().get(k - 1)));
    }
    return c.rows(KnownList.longs(grams.columns()).constant(c), found);
  }

  private Value weighted(Value counts) {
    String mode = c.attrOneOf("mode", "TF", "IDF", "TFIDF");
    List<Float> weights = c.attributes().reals("weights");
    Value occurring =
        mode.equals("IDF")
            ? c.map(cast(ElementType.F32, gt(arg(0), const_(ElementType.F32, 0.0))), counts)
            : counts;
    return mode.equals("TF") || weights.isEmpty()
        ? occurring
        : c.map(mul(arg(0), arg(1)), occurring, byColumn(weights));
  }

  /* As ONNX's reference and ONNX Runtime take them. */
  private Value byColumn(List<Float> weights) {
    if (weights.size() < width) {
      throw LoweringFault.of("has %d weights for %d columns".formatted(weights.size(), width));
    }
    return KnownList.floats(weights.subList(0, width)).constant(c);
  }
}
