package io.miniinference.ir;

import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A core operator. A `switch` over it has no default, so that a forgotten case does not compile;
/// it names the families below where all of a family mean the same to it, so that an operator more
/// is seen only where it matters. Result types are those of [io.miniinference.ir.type.OpType];
/// semantics are those of the interpreter.
public sealed interface Op {

  /// Operators whose accesses follow from shapes alone, and which have no expression of their own:
  /// no data makes them fail.
  sealed interface Regular extends Op permits Contraction, WindowReduce, RowOp, Attention {}

  /// Sums of products of two operands, the second of which is mostly a weight. Operands are of one
  /// type, which is the result's, or `U8` and `I8`, whose sums are `I32`.
  sealed interface Contraction extends Regular permits MatMul, Convolution {

    /// Whether operands are floats that hold integers, so small that a float holds each sum of
    /// their products, too: it is exact in any order, and a target may neither round operands nor
    /// take another form of the same sums that rounds.
    default boolean exact() {
      return false;
    }

    /// Whether factors are bytes, whose sums are integers of 32 bits.
    static boolean areBytes(ElementType left, ElementType right) {
      return left == ElementType.U8 && right == ElementType.I8;
    }

    /// Whether a node is such a product of bytes.
    static boolean isOfBytes(Node node) {
      return node.op() instanceof Contraction
          && areBytes(node.inputs().get(0).type().element(), node.inputs().get(1).type().element());
    }

    /// The type of what a node that combines elements of its first operand gives ahead of its
    /// epilogue: that of the sums if it adds up products of bytes, else that of the operand.
    static ElementType sums(Node node) {
      return isOfBytes(node) ? ElementType.I32 : node.inputs().getFirst().type().element();
    }
  }

  /// Sums of products over the windows of spatial axes.
  sealed interface Convolution extends Contraction permits Conv, ConvTranspose {}

  /// Operators that see whole rows along some axes at once; rows do not see each other.
  sealed interface RowOp extends Regular permits RowMap, Positional {

    /// The axes along which a row lies.
    List<Integer> rowAxes();
  }

  /// Rows that are mapped by what sums over them say, the order of their elements being of no
  /// account: kernels go over the operand as it lies, may gather it, and apply an epilogue.
  sealed interface RowMap extends RowOp permits Softmax, Normalize {}

  /// Rows in which the place of an element counts; none has an epilogue.
  sealed interface Positional extends RowOp
      permits Scan, TopK, NonMaxSuppression, Recurrent, TreeEnsemble {

    /// Its name in messages and printed graphs.
    String name();

    /// What is printed of it besides, in order; what is as usual is left out.
    Map<String, Object> attributes();

    /// Whether it reads and gives 32-bit floats where others are stored in 16 bits.
    default boolean staysWide() {
      return false;
    }

    /// Whether a result holds places in the rows of the operand.
    default boolean givesPlaces(int result) {
      return false;
    }
  }

  /// Operators of several results of which any can be left out.
  sealed interface Selectable extends Op permits TopK, Recurrent {

    /// The operator with some of its results alone.
    ///
    /// @param places of those results among what it gives now, ascending, one at least
    Op keeping(List<Integer> places);
  }

  /// Operators that put elements where shapes say, and compute none: lowering makes index functions
  /// and copies of them.
  sealed interface Rearrangement extends Op permits View, Concat {}

  /// Operators whose second operand says which elements of the first they mean, so that data may
  /// make them fail.
  sealed interface Indexed extends Op permits Gather, Scatter {
    Selection selection();
  }

  /// One output, `expr` at each of its indices. Operands broadcast as numpy's.
  ///
  /// @param type the result's type; its shape is the broadcast of the operands read by [Expr.Arg],
  ///   or free where computed coordinates decide it
  record Elementwise(Expr expr, TensorType type) implements Op {}

  /// Combines `map(x)` over `axes`; the accumulator starts at the kind's neutral element and, for
  /// half types, is 32 bits wide.
  ///
  /// @param map applied to each element first, [Expr.Arg] 0 being the operand
  record Reduce(ReduceKind kind, List<Integer> axes, boolean keepDims, Expr map) implements Op {
    public Reduce {
      axes = List.copyOf(axes);
    }
  }

  /// How a [Reduce] combines. `ARG_*` take one axis and give an `I64` index: the first of equals,
  /// or the last for `*_LAST`.
  enum ReduceKind {
    SUM,
    PRODUCT,
    MAX,
    MIN,
    ARG_MAX,
    ARG_MIN,
    ARG_MAX_LAST,
    ARG_MIN_LAST;

    public boolean isArg() {
      return ordinal() >= ARG_MAX.ordinal();
    }
  }

  /// The operand under other indices.
  record View(Movement map) implements Rearrangement {}

  /// Operands one after the other along `axis`.
  record Concat(int axis) implements Rearrangement {}

  /// Elements of the data that indices name: operands data and indices (integers). An index outside
  /// the bounds fails the request (see `docs/architecture.md`, failures), and zero is read there.
  record Gather(Selection selection, IndexBounds bounds) implements Indexed {
    public Gather(Selection selection) {
      this(selection, IndexBounds.EITHER_END);
    }
  }

  /// The data with updates combined into it where indices say: operands data, indices (integers)
  /// and updates, whose shape is what a Gather of that selection would give. Updates are taken in
  /// row-major order, so that of several at one place the last one stays, or all are combined in
  /// that order. A bad index fails the request, and its update is left out.
  record Scatter(Selection selection, ScatterKind kind) implements Indexed {}

  /// How a [Scatter] combines what is there with an update.
  enum ScatterKind {
    REPLACE,
    ADD,
    MUL,
    MIN,
    MAX;

    /// The combination of what is there, [Expr.Arg] 0, with the update, [Expr.Arg] 1.
    public Expr combine() {
      Expr there = new Expr.Arg(0);
      Expr update = new Expr.Arg(1);
      return switch (this) {
        case REPLACE -> update;
        case ADD -> new Expr.Binary(Expr.BinaryOp.ADD, there, update);
        case MUL -> new Expr.Binary(Expr.BinaryOp.MUL, there, update);
        case MIN -> new Expr.Binary(Expr.BinaryOp.MIN, there, update);
        case MAX -> new Expr.Binary(Expr.BinaryOp.MAX, there, update);
      };
    }
  }

  /// Matrix product over the last two axes, leading axes broadcast (numpy's `matmul`, operands of
  /// rank 2 and up; a transposed operand is swapped in its last two axes first).
  record MatMul(boolean transposeA, boolean transposeB, boolean exact) implements Contraction {
    public MatMul(boolean transposeA, boolean transposeB) {
      this(transposeA, transposeB, false);
    }
  }

  /// Attention: `softmax(scale · Q × Kᵀ + mask) × V` over the last two axes, leading axes
  /// broadcast. Operands queries `[…, L, D]`, keys `[…, S, D]` (or `[…, D, S]`, where they are not
  /// `rowsOfKeys`), values `[…, S, E]` and maybe a mask that broadcasts to `[…, L, S]`; the result
  /// is `[…, L, E]`. The softmax is along `S`
  /// ([Attention](https://onnx.ai/onnx/operators/onnx__Attention.html)).
  record Attention(boolean rowsOfKeys, double scale, Blind blind) implements Regular {
    /// What a row is that sees no key: its scores are all −∞, of which a softmax makes NaN.
    public enum Blind {
      /// NaN.
      NAN,

      /// Zero, as each row whose softmax is NaN.
      ZERO_FOR_NAN,

      /// Zero; a row with a score that is no number is NaN.
      ZERO
    }

    /// The place of the mask among the operands.
    public static final int MASK = 3;
  }

  /// Convolution: operands X `[N, C, D…]` and W `[M, C/groups, K…]`. Bias and activation are
  /// epilogue.
  record Conv(Window window, int groups, boolean exact) implements Convolution {
    public Conv(Window window, int groups) {
      this(window, groups, false);
    }
  }

  /// Transposed convolution: operands X `[N, C, D…]` and W `[C, M/groups, K…]`. `window` is that of
  /// the forward convolution whose gradient this is; `outputPads` adds to the far end of the
  /// result.
  record ConvTranspose(Window window, int groups, List<Integer> outputPads) implements Convolution {
    public ConvTranspose {
      outputPads = List.copyOf(outputPads);
    }
  }

  /// Pooling over spatial windows of X `[N, C, D…]`.
  record WindowReduce(PoolKind kind, Window window, boolean ceilMode) implements Regular {}

  /// How a [WindowReduce] combines; padding never takes part in `MAX`, takes part in the divisor
  /// only of `AVERAGE_WITH_PADDING`.
  enum PoolKind {
    MAX,
    AVERAGE,
    AVERAGE_WITH_PADDING,
    SUM
  }

  /// `exp(x−max)/Σexp(x−max)` along `axis`; its logarithm if `log`.
  record Softmax(int axis, boolean log) implements RowMap {
    @Override
    public List<Integer> rowAxes() {
      return List.of(axis);
    }
  }

  /// `(x−mean)/sqrt(variance+epsilon)` over `axes` (`centered`), or `x/sqrt(mean(x²)+epsilon)`.
  /// Scale and bias are epilogue.
  record Normalize(List<Integer> axes, double epsilon, boolean centered) implements RowMap {
    public Normalize {
      axes = List.copyOf(axes);
    }

    @Override
    public List<Integer> rowAxes() {
      return axes;
    }
  }

  /// Running sum or product along `axis`.
  record Scan(ScanKind kind, int axis, boolean exclusive, boolean reverse) implements Positional {
    @Override
    public List<Integer> rowAxes() {
      return List.of(axis);
    }

    @Override
    public String name() {
      return "scan_" + ExprText.lower(kind);
    }

    @Override
    public Map<String, Object> attributes() {
      Map<String, Object> shown = new LinkedHashMap<>(Map.of("axis", axis));
      if (exclusive) {
        shown.put("exclusive", true);
      }
      if (reverse) {
        shown.put("reverse", true);
      }
      return shown;
    }
  }

  /// How a [Scan] combines.
  enum ScanKind {
    SUM,
    PRODUCT
  }

  /// The first `k` elements of each row along `axis` in descending order, or in ascending order
  /// where not `largest`: their values, then their places in the row as `I64`, as far as asked for.
  /// Equal elements come in the order of their places. NaN counts as larger than all numbers and
  /// equal to itself, as NumPy sorts it; −0 equals 0.
  record TopK(int axis, long k, boolean largest, List<Part> parts)
      implements Positional, Selectable {

    /// A result.
    public enum Part {
      VALUES,
      INDICES
    }

    public TopK {
      parts = List.copyOf(parts);
    }

    public TopK(int axis, long k, boolean largest) {
      this(axis, k, largest, List.of(Part.values()));
    }

    @Override
    public List<Integer> rowAxes() {
      return List.of(axis);
    }

    @Override
    public String name() {
      return "top_k";
    }

    @Override
    public Map<String, Object> attributes() {
      Map<String, Object> shown = new LinkedHashMap<>(Map.of("axis", axis));
      shown.put("k", k);
      if (!largest) {
        shown.put("largest", false);
      }
      if (parts.size() < Part.values().length) {
        shown.put("parts", parts.stream().map(ExprText::lower).toList());
      }
      return shown;
    }

    @Override
    public boolean givesPlaces(int result) {
      return parts.get(result) == Part.INDICES;
    }

    @Override
    public TopK keeping(List<Integer> places) {
      return new TopK(axis, k, largest, places.stream().map(parts::get).toList());
    }
  }

  /// Boxes of each class that overlap no better one: operands scores `[B, C, S]`, boxes `[B, S,
  /// 4]`, the largest overlap that two may have (`[]`) and maybe a score (`[]`), all `F32`; the
  /// result is `I64[B, C, k]`. Of a row of scores those above the given one are looked at, or all
  /// numbers, in descending order, equal ones in the order of their places. A box is chosen unless
  /// the share of its common area with one chosen before in the area that both cover is more than
  /// the overlap. The result holds the places of the first `k` chosen, and [#NONE] behind the last.
  ///
  /// @param centered whether a box is its middle, width and height; else it is two opposite corners
  record NonMaxSuppression(long k, boolean centered) implements Positional {
    /// The place of the score among the operands.
    public static final int SCORE = 3;

    /// What stands behind the last place that was chosen.
    public static final long NONE = -1;

    @Override
    public List<Integer> rowAxes() {
      return List.of(2);
    }

    @Override
    public boolean staysWide() {
      return true;
    }

    @Override
    public String name() {
      return "non_max_suppression";
    }

    @Override
    public Map<String, Object> attributes() {
      Map<String, Object> shown = new LinkedHashMap<>(Map.of("k", k));
      if (centered) {
        shown.put("centered", true);
      }
      return shown;
    }
  }

  /// One direction of a recurrent layer over all steps of its sequences, each row of the batch by
  /// itself: operands X, the product of all inputs and their weights with biases added, `[steps,
  /// batch, gates · hidden]`, the recurrent weights R `[gates · hidden, hidden]`, and what else is
  /// `given`. Results are the hidden states `[steps, batch, hidden]` and the states after the last
  /// step, `[1, batch, hidden]` each, as far as asked for. A row that has fewer steps than there
  /// are keeps its states behind its last one, and has hidden states of zero there; backwards it
  /// begins at its own last step.
  ///
  /// @param given further operands, in the order of [Given]
  /// @param parts results, in the order of [Part]
  record Recurrent(RecurrentCell cell, boolean backwards, List<Given> given, List<Part> parts)
      implements Positional, Selectable {

    /// An operand that may be left out.
    public enum Given {
      /// What is added to the candidate's product of the state before it is reset, `[hidden]`.
      BIAS,

      /// Weights of the cell state, for the input, output and forget gate: `[3 · hidden]`.
      PEEPHOLES,

      /// The hidden state ahead of the first step, `[1, batch, hidden]`; else zero.
      HIDDEN,

      /// The cell state likewise.
      CELL,

      /// Steps of each row, `I32` or `I64`, `[1, batch, 1]`: none below 0, all above `steps`.
      LENGTHS
    }

    /// A result.
    public enum Part {
      STATES,
      HIDDEN,
      CELL
    }

    /// The place of R among the operands.
    public static final int WEIGHTS = 1;

    public Recurrent {
      given = List.copyOf(given);
      parts = List.copyOf(parts);
    }

    /// The place of an operand; −1 where it is not given.
    public int place(Given operand) {
      int place = given.indexOf(operand);
      return place < 0 ? -1 : WEIGHTS + 1 + place;
    }

    @Override
    public List<Integer> rowAxes() {
      return List.of(0, 2);
    }

    @Override
    public boolean staysWide() {
      return true;
    }

    @Override
    public String name() {
      return "recurrent_" + ExprText.lower(cell.kind());
    }

    @Override
    public Map<String, Object> attributes() {
      Map<String, Object> shown = new LinkedHashMap<>();
      if (backwards) {
        shown.put("backwards", true);
      }
      if (!given.isEmpty()) {
        shown.put("given", given.stream().map(ExprText::lower).toList());
      }
      shown.put("parts", parts.stream().map(ExprText::lower).toList());
      return shown;
    }

    @Override
    public Recurrent keeping(List<Integer> places) {
      return new Recurrent(cell, backwards, given, places.stream().map(parts::get).toList());
    }
  }

  /// An operator that runs graphs. A body is closed: what it reads from around it are its inputs,
  /// to which operands of the node are bound, so that a body means the same wherever it stands.
  /// Constants that it needs are its own. Its values may have the batch symbol of the graph around
  /// it.
  sealed interface Control extends Op permits If, Loop, Iteration {
    List<Graph> bodies();

    /// Operand `k` is bound to input `k − shift()` of each body.
    int shift();

    /// The first operand that is bound to inputs alone: neither condition, trip count nor carried.
    int firstCaptured();

    /// The same operator with other bodies.
    ///
    /// @param bodies as many as [#bodies] has
    Control withBodies(List<Graph> bodies);
  }

  /// Runs one of two bodies: operand 0 is the condition (`BOOL[]`), the others are the inputs of
  /// both. The results are the outputs of the body that ran.
  record If(Graph then, Graph otherwise) implements Control {
    @Override
    public List<Graph> bodies() {
      return List.of(then, otherwise);
    }

    @Override
    public int shift() {
      return 1;
    }

    @Override
    public int firstCaptured() {
      return 1;
    }

    @Override
    public If withBodies(List<Graph> bodies) {
      return new If(bodies.get(0), bodies.get(1));
    }
  }

  /// Runs its body again and again, while fewer than operand 0 (`I64[]`) iterations are done and
  /// the condition holds: operand 1 (`BOOL[]`) before the first one, then output 0 (`BOOL[]`) of
  /// the body. Both are constants where the loop has no such bound.
  ///
  /// ```
  /// operands  trip count, condition, carried…, captured…
  /// body      (iteration: I64[], carried…, captured…) → (condition, carried…, rows…)
  /// results   carried…, rows of all iterations…
  /// ```
  ///
  /// @param carried number of values that each iteration hands to the next
  /// @param iterations axis 0 of the results made of rows: the number of iterations, which is known
  ///   at load where there are such results, else of no meaning
  record Loop(Graph body, int carried, Affine iterations) implements Control {
    @Override
    public List<Graph> bodies() {
      return List.of(body);
    }

    /* The trip count has no input, and input 0, the iteration, no operand. */
    @Override
    public int shift() {
      return 1;
    }

    @Override
    public int firstCaptured() {
      return 2 + carried;
    }

    @Override
    public Loop withBodies(List<Graph> bodies) {
      return new Loop(bodies.getFirst(), carried, iterations);
    }
  }

  /// Runs its body once: one iteration of a loop that was unrolled at load. Operands are the body's
  /// inputs, results its outputs.
  ///
  /// @param number of the iteration, from 0, for messages
  record Iteration(Graph body, long number) implements Control {
    @Override
    public List<Graph> bodies() {
      return List.of(body);
    }

    @Override
    public int shift() {
      return 0;
    }

    @Override
    public int firstCaptured() {
      return 0;
    }

    @Override
    public Iteration withBodies(List<Graph> bodies) {
      return new Iteration(bodies.getFirst(), number);
    }
  }
}
