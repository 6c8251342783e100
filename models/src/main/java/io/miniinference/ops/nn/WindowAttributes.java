package io.miniinference.ops.nn;

import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// The attributes that convolutions and pools share: kernel, strides, dilations, pads.
final class WindowAttributes {
  static final String NAMES = "auto_pad=NOTSET dilations kernel_shape pads strides";

  private final OpContext c;
  private final List<Affine> extents;
  private final int rank;

  WindowAttributes(OpContext c) {
    this.c = c;
    TensorType x = c.type(0);
    if (x.rank() < 3) {
      throw LoweringFault.of("takes [N, C, D…], not " + x);
    }
    this.extents = x.shape().subList(2, x.rank());
    this.rank = extents.size();
  }

  /// The window of a forward operator.
  ///
  /// @param kernel the extents, if the attribute does not give them
  Window forward(List<Integer> kernel, boolean ceil) {
    List<Integer> taps = kernel(kernel);
    List<Integer> strides = list("strides", 1);
    List<Integer> dilations = list("dilations", 1);
    String mode = c.attrOneOf("auto_pad", "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID");
    List<Integer> begin = new ArrayList<>();
    List<Integer> end = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      int pads = mode.startsWith("SAME") ? same(axis, taps, strides, dilations) : 0;
      begin.add(mode.equals("SAME_LOWER") ? pads - pads / 2 : pads / 2);
      end.add(pads - begin.get(axis));
    }
    return mode.equals("NOTSET")
        ? new Window(taps, strides, dilations, pads(0), pads(rank))
        : new Window(taps, strides, dilations, begin, end);
  }

  /// The window that a pool had whose elements are put back: without dilations.
  Window unpooled() {
    List<Integer> ones = Collections.nCopies(rank, 1);
    return new Window(kernel(List.of()), list("strides", 1), ones, pads(0), pads(rank));
  }

  /// The extents of the window, from the attribute or the weights.
  List<Integer> kernel(List<Integer> otherwise) {
    if (c.hasAttr("kernel_shape") || otherwise.isEmpty()) {
      return list("kernel_shape", 0);
    }
    if (otherwise.size() != rank) {
      throw LoweringFault.of("has a kernel %s for %d spatial axes".formatted(otherwise, rank));
    }
    return otherwise;
  }

  /// Padding that makes the result `⌈extent / stride⌉` long.
  private int same(int axis, List<Integer> taps, List<Integer> strides, List<Integer> dilations) {
    long extent = extent(axis);
    long stride = Math.max(1, strides.get(axis));
    long span = (taps.get(axis) - 1L) * dilations.get(axis) + 1;
    long results = Math.ceilDiv(extent, stride);
    return Math.toIntExact(Math.max(0, (results - 1) * stride + span - extent));
  }

  long extent(int axis) {
    Affine extent = extents.get(axis);
    if (!extent.isConstant()) {
      throw LoweringFault.specialisable(
          "walks over spatial axis %d of %s; fix the batch".formatted(axis, extent));
    }
    return extent.constant();
  }

  int rank() {
    return rank;
  }

  /// Pads from entry `from` of the attribute on.
  List<Integer> pads(int from) {
    if (!c.hasAttr("pads")) {
      return Collections.nCopies(rank, 0);
    }
    long[] pads = c.attrInts("pads");
    if (pads.length != 2 * rank) {
      throw LoweringFault.of(
          "has attribute 'pads' = %s for %d spatial axes".formatted(Arrays.toString(pads), rank));
    }
    return Arrays.stream(pads, from, from + rank).mapToObj(Math::toIntExact).toList();
  }

  /// A list of one entry per spatial axis.
  ///
  /// @param otherwise each entry where there is no such attribute; 0 if there must be one
  List<Integer> list(String name, int otherwise) {
    long[] values = c.attrInts(name);
    if (values.length == 0 && otherwise > 0) {
      return Collections.nCopies(rank, otherwise);
    }
    if (values.length != rank) {
      throw LoweringFault.of(
          "has attribute '%s' = %s for %d spatial axes"
              .formatted(name, Arrays.toString(values), rank));
    }
    return Arrays.stream(values).mapToObj(Math::toIntExact).toList();
  }
}
