package io.miniinference.interp.expr;

import io.miniinference.interp.expr.MixedProgram.Register;
import io.miniinference.interp.memory.Strides;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr.BinaryOp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads at computed coordinates, in a [MixedProgram].
final class MixedReads {
  private final MixedBuilder builder;
  private final MixedFunctions functions;

  MixedReads(MixedBuilder builder, MixedFunctions functions) {
    this.builder = builder;
    this.functions = functions;
  }

  /// The offset `before`, moved along an axis of an operand.
  private record Along(int operand, int axis, Register before, Register index) {}

  private record Read(int operand, Register offset) {}

  /// Operand `k` at some coordinates, which have to be in bounds where a mask is.
  Register read(int k, ElementType type, List<Register> coordinates, @Nullable Mask mask) {
    Register offset = offset(k, coordinates, mask);
    return builder.once(new Read(k, offset), () -> read(k, type, offset));
  }

  private Register read(int k, ElementType type, Register offset) {
    return type.isFloat()
        ? builder.map(
            offset,
            type,
            (f, to, at, n) -> MixedLoops.read(f.views().get(k), f.floats()[to], f.wholes()[at], n))
        : builder.map(
            offset,
            type,
            (f, to, at, n) -> MixedLoops.read(f.views().get(k), f.wholes()[to], f.wholes()[at], n));
  }

  /* Axis by axis of the output first, each on its own, and then what follows from several. */
  private Register offset(int k, List<Register> places, @Nullable Mask mask) {
    Register offset = builder.base(k);
    for (int level = MixedProgram.CONSTANT; level < builder.every; level++) {
      Register zero = functions.zero();
      Register part = along(k, places, level, zero, mask);
      offset = part == zero ? offset : functions.whole(BinaryOp.ADD, offset, part);
    }
    return along(k, places, builder.every, offset, mask);
  }

  /* By the coordinates that are of one level. */
  private Register along(
      int k, List<Register> places, int level, Register before, @Nullable Mask mask) {
    Register offset = before;
    for (int axis = 0; axis < places.size(); axis++) {
      Register place = places.get(axis);
      if (level(place, mask) == level) {
        offset = along(new Along(k, axis, offset, place), mask);
      }
    }
    return offset;
  }

  private int level(Register place, @Nullable Mask mask) {
    return MixedProgram.join(place.level(), Mask.level(mask, builder.rank), builder.rank);
  }

  private Register along(Along what, @Nullable Mask mask) {
    return builder.once(
        what,
        mask,
        () -> {
          int level = MixedProgram.join(what.before.level(), level(what.index, mask), builder.rank);
          int before = builder.at(what.before, level);
          int index = builder.at(what.index, level);
          int among = functions.mask(mask, level);
          Register result = builder.next(ElementType.I64, level);
          int to = result.number();
          builder.add(
              level,
              (f, n) -> {
                Strides strides = f.views().get(what.operand).strides();
                long step = strides.steps()[what.axis];
                long extent = strides.extents()[what.axis];
                long[][] w = f.wholes();
                return MixedLoops.along(w[to], w[before], w[index], step, extent, f.mask(among), n);
              });
          return result;
        });
  }
}
