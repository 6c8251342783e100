package io.miniinference.ir.text;

import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprText;
import io.miniinference.ir.Graph;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Op;
import io.miniinference.ir.RecurrentCell;
import io.miniinference.ir.Selection;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.TreeEnsemble;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// Reads an operator's name and what stands between its operands and its epilogue.
final class OpParser {
  private final TextCursor in;
  private final TensorType result;

  OpParser(TextCursor in, TensorType result) {
    this.in = in;
    this.result = result;
  }

  Op parse(String name, int start) {
    if (name.equals("elementwise")) {
      return new Op.Elementwise(expression(), result);
    }
    AttributeParser attributes = new AttributeParser(in);
    Op op =
        parse(name, attributes).orElseThrow(() -> in.errorAt(start, "no operator '" + name + "'"));
    attributes.close();
    return op;
  }

  /// An operator with bodies, which stand behind its attributes.
  Op control(String name, Supplier<Graph> body) {
    AttributeParser a = new AttributeParser(in);
    Function<Graph, Op> control =
        switch (name) {
          case "if" -> then -> new Op.If(then, body.get());
          case "iteration" -> iteration(a.integer("number"));
          default -> loop(a.integer("carried"), a.size("iterations", Affine.ZERO));
        };
    a.close();
    return control.apply(body.get());
  }

  private static Function<Graph, Op> iteration(long number) {
    return body -> new Op.Iteration(body, number);
  }

  private static Function<Graph, Op> loop(int carried, Affine iterations) {
    return body -> new Op.Loop(body, carried, iterations);
  }

  private Optional<Op> parse(String name, AttributeParser a) {
    if (name.startsWith("reduce_")) {
      return ExprText.byName(Op.ReduceKind.values(), name.substring(7)).map(k -> reduce(k, a));
    }
    if (name.startsWith("pool_")) {
      return ExprText.byName(Op.PoolKind.values(), name.substring(5))
          .map(k -> new Op.WindowReduce(k, a.window(), a.flag("ceil", false)));
    }
    if (name.startsWith("scan_")) {
      return ExprText.byName(Op.ScanKind.values(), name.substring(5)).map(k -> scan(k, a));
    }
    if (name.startsWith("recurrent_")) {
      return ExprText.byName(RecurrentCell.Kind.values(), name.substring(10))
          .map(k -> recurrent(k, a));
    }
    if (name.startsWith("tree_ensemble_")) {
      return ExprText.byName(TreeEnsemble.Combination.values(), name.substring(14))
          .map(k -> new TreeEnsemble(k, a.whole("outputs"), a.integer("depth")));
    }
    return Optional.ofNullable(
        switch (name) {
          case "reshape" -> new Op.View(new Movement.Reshape(result.shape()));
          case "expand" -> new Op.View(new Movement.Expand(result.shape()));
          case "transpose" -> new Op.View(new Movement.Transpose(a.integers("permutation")));
          case "slice" -> slice(a);
          case "concat" -> new Op.Concat(a.integer("axis"));
          case "top_k" -> topK(a);
          case "non_max_suppression" ->
              new Op.NonMaxSuppression(a.whole("k"), a.flag("centered", false));
          case "gather" -> gather(new Selection.Slices(a.integer("axis")), a);
          case "gather_elements" -> gather(new Selection.Elements(a.integer("axis")), a);
          case "gather_nd" -> gather(new Selection.Tuples(a.integer("batchDims", 0)), a);
          case "scatter" -> scatter(new Selection.Slices(a.integer("axis")), a);
          case "scatter_elements" -> scatter(new Selection.Elements(a.integer("axis")), a);
          case "scatter_nd" -> scatter(new Selection.Tuples(a.integer("batchDims", 0)), a);
          case "matmul" ->
              new Op.MatMul(
                  a.flag("transposeA", false), a.flag("transposeB", false), a.flag("exact", false));
          case "attention" ->
              new Op.Attention(a.flag("rowsOfKeys", false), a.number("scale"), blind(a));
          case "conv" -> new Op.Conv(a.window(), a.integer("groups", 1), a.flag("exact", false));
          case "conv_transpose" -> convTranspose(a);
          case "softmax" -> new Op.Softmax(a.integer("axis"), false);
          case "log_softmax" -> new Op.Softmax(a.integer("axis"), true);
          case "normalize" ->
              new Op.Normalize(a.integers("axes"), a.number("epsilon"), a.flag("centered", true));
          default -> null;
        });
  }

  private Op recurrent(RecurrentCell.Kind kind, AttributeParser a) {
    List<Expr> functions = new ArrayList<>();
    if (in.acceptWord("functions")) {
      while (in.lookingAt("{")) {
        functions.add(expression());
      }
    }
    return new Op.Recurrent(
        new RecurrentCell(kind, functions),
        a.flag("backwards", false),
        a.names("given", Op.Recurrent.Given.values(), List.of()),
        a.names("parts", Op.Recurrent.Part.values()));
  }

  private Op reduce(Op.ReduceKind kind, AttributeParser a) {
    Expr map = in.acceptWord("map") ? expression() : new Expr.Arg(0);
    return new Op.Reduce(kind, a.integers("axes"), a.flag("keep", false), map);
  }

  private static Op.Attention.Blind blind(AttributeParser a) {
    Op.Attention.Blind blind =
        a.optional("blind", k -> ExprText.byName(Op.Attention.Blind.values(), k).orElseThrow());
    return blind == null ? Op.Attention.Blind.NAN : blind;
  }

  private static Op gather(Selection selection, AttributeParser a) {
    if (a.flag("trusted", false)) {
      return new Op.Gather(selection, IndexBounds.TRUSTED);
    }
    Integer axis = a.optional("sizeOf", Integer::valueOf);
    return new Op.Gather(
        selection,
        new IndexBounds(
            a.flag("fromEnd", true),
            a.optional("ignored", Long::valueOf),
            axis == null ? null : new IndexBounds.Size(axis, a.integer("sizeAt"))));
  }

  private static Op scatter(Selection selection, AttributeParser a) {
    Op.ScatterKind kind =
        a.optional("kind", k -> ExprText.byName(Op.ScatterKind.values(), k).orElseThrow());
    return new Op.Scatter(selection, kind == null ? Op.ScatterKind.REPLACE : kind);
  }

  private static Op scan(Op.ScanKind kind, AttributeParser a) {
    return new Op.Scan(
        kind, a.integer("axis"), a.flag("exclusive", false), a.flag("reverse", false));
  }

  private static Op topK(AttributeParser a) {
    return new Op.TopK(
        a.integer("axis"),
        a.whole("k"),
        a.flag("largest", true),
        a.names("parts", Op.TopK.Part.values()));
  }

  private Op slice(AttributeParser a) {
    List<Affine> starts = a.sizes("starts", Collections.nCopies(result.rank(), Affine.ZERO));
    List<Long> steps = a.longs("steps", Collections.nCopies(result.rank(), 1L));
    return new Op.View(new Movement.Slice(starts, steps, result.shape()));
  }

  private static Op convTranspose(AttributeParser a) {
    Window window = a.window();
    List<Integer> none = AttributeText.all(window.rank(), 0);
    return new Op.ConvTranspose(window, a.integer("groups", 1), a.integers("outputPads", none));
  }

  private Expr expression() {
    in.expect("{");
    Expr expr = new ExprParser(in).parse();
    in.expect("}");
    return expr;
  }
}
