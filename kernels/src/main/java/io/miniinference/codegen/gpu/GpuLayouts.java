package io.miniinference.codegen.gpu;

import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.layout.Movement;
import io.miniinference.lower.Consumer;
import io.miniinference.lower.Layout;
import io.miniinference.lower.Target.Operand;
import java.util.List;
import java.util.stream.IntStream;

/// Where values of images have their channels innermost: convolutions and pools make it so, what
/// comes after keeps it, and what feeds a matrix product or leaves the model is row-major at once.
final class GpuLayouts {
  static final Layout CHANNELS_LAST = new Layout.ChannelsLast();

  private GpuLayouts() {}

  /// Whether channels are innermost, and that is not row-major order.
  static boolean isChannelsLast(IndexFunction index) {
    return index.rank() >= 3
        && index.axes().get(1).stride().isSingle()
        && !index.axes().get(1).extent().isSingle()
        && !index.hasRowMajorStrides();
  }

  /// The layout of a convolution's result.
  static Layout ofConvolution(Node node, List<Consumer> consumers) {
    return readByImages(node, consumers) ? CHANNELS_LAST : Layout.ROW_MAJOR;
  }

  /// The layout of the result of an operator that keeps the order of its operands.
  static Layout kept(Node node, List<Operand> inputs, List<Consumer> consumers) {
    int rank = node.output().type().rank();
    for (int i = 0; i < inputs.size(); i++) {
      boolean image = node.inputs().get(i).type().rank() == rank && rank >= 3;
      if (image && inputs.get(i).constant() == null && isChannelsLast(inputs.get(i).index())) {
        return readByImages(node, consumers) ? CHANNELS_LAST : Layout.ROW_MAJOR;
      }
    }
    boolean convolved = rank >= 3 && consumers.stream().anyMatch(c -> isConvolved(c, rank));
    return convolved ? CHANNELS_LAST : Layout.ROW_MAJOR;
  }

  /// The layout in which the operands of a Concat are put together.
  static Layout concatenated(Node node, List<Operand> inputs) {
    boolean channelsLast =
        inputs.stream().anyMatch(o -> o.constant() == null && isChannelsLast(o.index()));
    return channelsLast && node.output().type().rank() >= 3 ? CHANNELS_LAST : Layout.ROW_MAJOR;
  }

  /// The layout in which a value is made anew for a view: where convolutions read groups of
  /// channels that are put together, these are innermost, as a convolution wants them.
  static Layout viewed(Node view, List<Consumer> consumers) {
    List<Affine> shape = view.output().type().shape();
    List<Affine> from = view.inputs().getFirst().type().shape();
    int spatial = shape.size() - 2;
    boolean isOfChannels =
        view.op() instanceof Op.View(Movement.Reshape _)
            && spatial > 0
            && from.size() > shape.size()
            && from.getFirst().equals(shape.getFirst())
            && from.subList(from.size() - spatial, from.size())
                .equals(shape.subList(2, shape.size()))
            && consumers.stream().anyMatch(GpuLayouts::isConvolution);
    return isOfChannels ? channelsInside(from.size(), spatial) : Layout.ROW_MAJOR;
  }

  private static boolean isConvolution(Consumer consumer) {
    return consumer.node().op() instanceof Op.Conv
        && wantsChannelsLast(consumer.node())
        && consumer.views().stream().allMatch(view -> view instanceof Movement.Slice);
  }

  /* The batch, spatial axes, and groups of channels. */
  private static Layout channelsInside(int rank, int spatial) {
    IntStream inner = IntStream.range(1, rank - spatial);
    IntStream outer = IntStream.concat(IntStream.of(0), IntStream.range(rank - spatial, rank));
    return new Layout.Ordered(IntStream.concat(outer, inner).boxed().toList());
  }

  /// Whether a convolution reads channels four and more at a time.
  static boolean wantsChannelsLast(Node convolution) {
    Affine channels = convolution.inputs().getFirst().type().dim(1);
    return channels.isConstant() && channels.constant() > 4;
  }

  /* Whether a convolution gains by the value's channels being innermost. Where it reads them from the
  last axis, they are so in row-major order. */
  private static boolean isConvolved(Consumer consumer, int rank) {
    return consumer.node().op() instanceof Op.Conv
        && wantsChannelsLast(consumer.node())
        && !consumer.readsLastAxisAsChannels(rank);
  }

  /* Whether a node reads the value in the shape that it has, or with its channels on the last axis:
  what it reads is row-major then. */
  private static boolean readByImages(Node node, List<Consumer> consumers) {
    int rank = node.output().type().rank();
    return consumers.stream()
        .anyMatch(c ->
            switch (c.node().op()) {
              case Op.Convolution _, Op.WindowReduce _ -> true;
              case Op.Elementwise _, Op.Concat _, Op.Reduce _, Op.RowMap _ ->
                  rank >= 3 && (c.views().isEmpty() || c.readsChannelsLast(rank));
              case Op.MatMul _ -> rank >= 3 && c.readsChannelsLast(rank);
              case Op.Indexed _, Op.Positional _, Op.View _, Op.Attention _, Op.Control _ -> false;
            });
  }
}
