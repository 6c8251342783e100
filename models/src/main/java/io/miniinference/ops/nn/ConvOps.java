package io.miniinference.ops.nn;

import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Convolutions; the bias is added per channel.
public final class ConvOps {
  /// The attributes of Conv.
  public static final String CONV = WindowAttributes.NAMES + " group=1";

  private ConvOps() {}

  public static void addTo(OpTable table) {
    table
        .row("Conv", 1, "2-3", CONV, ConvOps::conv)
        .row(
            "ConvTranspose",
            1,
            "2-3",
            WindowAttributes.NAMES + " group=1 output_padding output_shape",
            ConvOps::transposed);
  }

  /// The convolution of inputs 0 and 1, plus the bias of input 2.
  public static Value conv(OpContext c) {
    return biased(c, 2, conv(c, c.in(0), c.in(1)));
  }

  /// The products alone, of `x` and `w` shaped as inputs 0 and 1.
  static Value conv(OpContext c, Value x, Value w) {
    Window window = new WindowAttributes(c).forward(kernel(w.type()), false);
    return c.emit(new Op.Conv(window, groups(c)), x, w);
  }

  private static int groups(OpContext c) {
    return Math.toIntExact(c.attrInt("group"));
  }

  /// Extents of the window that weights have.
  static List<Integer> kernel(TensorType weights) {
    if (weights.rank() < 3 || !weights.isStatic()) {
      throw LoweringFault.of("takes weights [M, C, K…], not " + weights);
    }
    return weights.shape().subList(2, weights.rank()).stream()
        .map(Affine::asConstant)
        .map(Math::toIntExact)
        .toList();
  }

  /// A product plus the input that holds a bias per channel, if it is there.
  static Value biased(OpContext c, int input, Value product) {
    if (!c.has(input)) {
      return product;
    }
    Value bias = c.perChannel(c.in(input), product.type().rank());
    return c.plus(product, bias);
  }

  private static Value transposed(OpContext c) {
    var attributes = new WindowAttributes(c);
    List<Integer> taps = attributes.kernel(kernel(c.type(1)));
    List<Integer> outputPads =
        c.hasAttr("output_padding")
            ? attributes.list("output_padding", 0)
            : Collections.nCopies(attributes.rank(), 0);
    var sides = new Sides(c, attributes, taps, outputPads);
    var window = new Window(taps, sides.strides, sides.dilations, sides.begin, sides.end);
    var op = new Op.ConvTranspose(window, groups(c), sides.outputPads);
    return biased(c, 2, c.emit(op, c.in(0), c.in(1)));
  }

  /// The pads of a transposed convolution: given, or such that the result has the wanted extent
  /// ([ONNX ConvTranspose](https://onnx.ai/onnx/operators/onnx__ConvTranspose.html)).
  private static final class Sides {
    final List<Integer> strides;
    final List<Integer> dilations;
    final List<Integer> begin = new ArrayList<>();
    final List<Integer> end = new ArrayList<>();
    final List<Integer> outputPads;
    private final String mode;

    Sides(OpContext c, WindowAttributes attributes, List<Integer> taps, List<Integer> outputPads) {
      strides = attributes.list("strides", 1);
      dilations = attributes.list("dilations", 1);
      this.outputPads = new ArrayList<>(outputPads);
      mode = c.attrOneOf("auto_pad", "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID");
      boolean shaped = c.hasAttr("output_shape");
      long[] shape = c.attrInts("output_shape");
      if (shaped && shape.length < attributes.rank()) {
        throw LoweringFault.of("has attribute 'output_shape' of too few numbers");
      }
      for (int axis = 0; axis < attributes.rank(); axis++) {
        long span = (taps.get(axis) - 1L) * dilations.get(axis) + 1;
        long extent = attributes.extent(axis);
        long whole = strides.get(axis) * (extent - 1) + outputPads.get(axis) + span;
        if (shaped) {
          share(whole - shape[shape.length - attributes.rank() + axis]);
        } else if (mode.startsWith("SAME")) {
          share(whole - extent * strides.get(axis));
        } else {
          begin.add(mode.equals("VALID") ? 0 : attributes.pads(0).get(axis));
          end.add(mode.equals("VALID") ? 0 : attributes.pads(attributes.rank()).get(axis));
        }
      }
    }

    /// Half of the pads on each side, the odd one where the mode says; a negative sum lengthens the
    /// far end.
    private void share(long total) {
      int pads = Math.toIntExact(Math.max(0, total));
      int axis = begin.size();
      begin.add(mode.equals("SAME_UPPER") ? pads / 2 : pads - pads / 2);
      end.add(pads - begin.get(axis));
      outputPads.set(axis, outputPads.get(axis) + Math.toIntExact(Math.max(0, -total)));
    }
  }
}
