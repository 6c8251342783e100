package io.miniinference.codegen.cpu.winograd;

import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import java.util.Optional;
import java.util.function.ToLongFunction;

/// Whether a convolution is computed in Winograd's form, F(2×2, 3×3) or F(4×4, 3×3).
///
/// @param tiling how, empty where it is not
/// @param why it is not, empty where it could not be
public record Choice(Optional<Tiling> tiling, String why) {
  /// Pixels along an open axis, between the sides of a network's first images and of its last: work
  /// items for many more tiles would be too few of a small image, those of fewer read the factors
  /// of a large one more often.
  private static final long TYPICAL = 32;

  /// @param tilings empty where the form may not be taken at all
  public static Choice of(Node node, Op.Conv op, Optional<Tilings> tilings) {
    if (!fits(op)) {
      return not("");
    }
    if (op.exact()) {
      return not("Winograd's form rounds, and its sums are integers");
    }
    if (tilings.isEmpty()) {
      return not("Winograd's form is not allowed");
    }
    return tilings
        .get()
        .of(typical(node))
        .map(Choice::ifWorthIt)
        .orElseGet(() -> not("Winograd's form of a tile is more than a core's cache holds"));
  }

  private static Choice not(String why) {
    return new Choice(Optional.empty(), why);
  }

  private static Choice ifWorthIt(Tiling tiling) {
    return tiling.isWorthIt()
        ? new Choice(Optional.of(tiling), "")
        : not("Winograd's form would take about %d %% of its time".formatted(tiling.percent()));
  }

  /* 3×3, each tap a neighbour. */
  private static boolean fits(Op.Conv op) {
    return op.groups() == 1
        && op.window().rank() == 2
        && op.window().kernel().stream().allMatch(k -> k == 3)
        && op.window().strides().stream().allMatch(s -> s == 1)
        && op.window().dilations().stream().allMatch(d -> d == 1);
  }

  /// Sizes of a convolution that has this form.
  public static Tiling.Sizes sizes(Node node) {
    return sizes(node, Affine::asConstant);
  }

  /* Those that the choice is made for, the same for all sizes of an open image. */
  private static Tiling.Sizes typical(Node node) {
    return sizes(node, pixels -> pixels.isOpen() ? TYPICAL : pixels.asConstant());
  }

  private static Tiling.Sizes sizes(Node node, ToLongFunction<Affine> pixels) {
    TensorType out = node.output().type();
    long channels = node.inputs().getFirst().type().dim(1).asConstant();
    return new Tiling.Sizes(
        channels,
        out.dim(1).asConstant(),
        pixels.applyAsLong(out.dim(2)),
        pixels.applyAsLong(out.dim(3)));
  }
}
