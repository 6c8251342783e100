package io.miniinference.pass.bytes;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.pass.DeadCode;
import io.miniinference.pass.Evaluator;
import io.miniinference.pass.FusionTarget;
import io.miniinference.pass.Pass;
import io.miniinference.pass.Rewrite;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Multiplies the numbers of quantised networks as the bytes that they are, where the target has
/// units for it: `Σ (q − zero point) · w` as `Σ q · w − zero point · Σ w`, whose second sums follow
/// from the weights alone. Integers of 32 bits hold both, so that the result is the same to the
/// last bit.
///
/// So are products of what DequantizeLinear gives, once the scales of their weights are taken
/// behind them ([io.miniinference.pass.ScalesBehindProducts]), their other scale behind the sum.
///
/// Signed bytes are shifted to unsigned ones, and so is their zero point.
public final class ByteProducts implements Pass {
  private final FusionTarget target;
  private final Evaluator evaluator;

  /// @param target asked about each product
  /// @param evaluator keeps what is made of weights
  public ByteProducts(FusionTarget target, Evaluator evaluator) {
    this.target = target;
    this.evaluator = evaluator;
  }

  @Override
  public Graph apply(Graph graph) {
    return graph.nodes().stream().anyMatch(ByteProducts::isProduct)
        ? new Multiplying(graph, target, evaluator).graph()
        : graph;
  }

  private static boolean isProduct(Node node) {
    return (node.op() instanceof Op.MatMul || node.op() instanceof Op.Conv)
        && node.epilogue() == null
        && node.inputs().stream().allMatch(v -> isWide(v.type().element()));
  }

  private static boolean isWide(ElementType type) {
    return type == ElementType.I32 || type == ElementType.F32;
  }

  private static final class Multiplying {
    private final Graph graph;
    private final FusionTarget target;
    private final Evaluator evaluator;
    private final Map<Value, Node> producers = new HashMap<>();
    private final Map<Value, Value> shifted = new HashMap<>();
    private final Map<Value, Tensor> constants;
    private final List<Node> nodes = new ArrayList<>();

    Multiplying(Graph graph, FusionTarget target, Evaluator evaluator) {
      this.graph = graph;
      this.target = target;
      this.evaluator = evaluator;
      constants = new LinkedHashMap<>(graph.constants());
      graph.nodes().forEach(node -> node.outputs().forEach(v -> producers.put(v, node)));
    }

    Graph graph() {
      graph.nodes().forEach(this::rewrite);
      return new DeadCode().apply(Rewrite.nodes(graph, nodes, constants));
    }

    private void rewrite(Node node) {
      if (!isProduct(node) || !isMultiplied(node)) {
        nodes.add(node);
      }
    }

    /* Whether the product is one of bytes now. */
    private boolean isMultiplied(Node product) {
      return Optional.ofNullable(producers.get(product.inputs().getFirst()))
          .flatMap(node -> CentredBytes.of(node, constants))
          .filter(x -> x.isAlike(product.op()))
          .flatMap(x -> weights(product).filter(weights -> isMultiplied(product, x, weights)))
          .isPresent();
    }

    private boolean isMultiplied(Node product, CentredBytes x, ByteWeights weights) {
      Value unsigned = unsigned(x.bytes());
      String name = product.output().name();
      Value bytes = new Value(name + " weights", typeOf(weights.bytes()));
      Value sums = new Value(name + " of bytes", of(ElementType.I32, product.output().type()));
      Node made = Rewrite.part(product, product.op(), List.of(unsigned, bytes), sums);
      if (!target.sumsBytes(made)) {
        return false;
      }
      if (x.isSigned() && shifted.putIfAbsent(x.bytes(), unsigned) == null) {
        shift(product, x.bytes(), unsigned);
      }
      constants.put(bytes, weights.bytes());
      nodes.add(made);
      finish(product, x, sums, weights.totals());
      return true;
    }

    private Optional<ByteWeights> weights(Node product) {
      Tensor known = constants.get(product.inputs().get(1));
      return known == null
          ? Optional.empty()
          : evaluator.of(
              known,
              ByteWeights.key(product.op()),
              known.data().byteSize(),
              () -> ByteWeights.of(known, product.op()));
    }

    private Value unsigned(Value bytes) {
      if (bytes.type().element() == ElementType.U8) {
        return bytes;
      }
      Value made = new Value(bytes.name() + " unsigned", of(ElementType.U8, bytes.type()));
      return shifted.getOrDefault(bytes, made);
    }

    private static TensorType of(ElementType element, TensorType other) {
      return new TensorType(element, other.shape());
    }

    private static TensorType typeOf(Tensor tensor) {
      return new TensorType(
          tensor.element(), Arrays.stream(tensor.shape()).mapToObj(Affine::of).toList());
    }

    private void shift(Node reader, Value bytes, Value unsigned) {
      Expr moved = add(cast(ElementType.I32, arg(0)), const_(ElementType.I32, CentredBytes.SHIFT));
      Op op = new Op.Elementwise(cast(ElementType.U8, moved), unsigned.type());
      nodes.add(Rewrite.part(reader, op, List.of(bytes), unsigned));
    }

    /* What the product is, of the sums of bytes. */
    private void finish(Node product, CentredBytes x, Value sums, Tensor known) {
      List<Value> inputs = new ArrayList<>(List.of(sums));
      Expr whole = arg(0);
      if (!x.isPlain()) {
        Value totals = new Value(product.output().name() + " totals of weights", typeOf(known));
        constants.put(totals, x.times(known));
        inputs.add(totals);
        x.zeroPoint().ifPresent(inputs::add);
        whole = sub(arg(0), x.zeroPoint().isPresent() ? mul(x.point(2), arg(1)) : arg(1));
      }
      TensorType type = product.output().type();
      Expr number = type.element() == ElementType.I32 ? whole : cast(type.element(), whole);
      x.scale().ifPresent(inputs::add);
      Expr scaled = x.scale().isPresent() ? mul(number, arg(inputs.size() - 1)) : number;
      nodes.add(Rewrite.part(product, new Op.Elementwise(scaled, type), inputs, product.output()));
    }
  }
}
