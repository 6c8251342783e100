package io.miniinference.interp.expr;

import io.miniinference.interp.expr.MixedProgram.Lift;
import io.miniinference.interp.expr.MixedProgram.Preset;
import io.miniinference.interp.expr.MixedProgram.Register;
import io.miniinference.ir.ElementType;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The registers and loops of a [MixedProgram] to be. What was computed once is found again by the
/// registers that it follows from.
final class MixedBuilder {
  /* They are kept by each thread, 4 KB each. */
  private static final int MOST_REGISTERS = 4096;

  final int rank;
  final int every;
  private final List<List<Frame.Loop>> loops = new ArrayList<>();
  private final List<Preset> presets = new ArrayList<>();
  private final List<Lift> lifts = new ArrayList<>();
  private final Map<Known, Register> known = new HashMap<>();
  private final int[] indices;
  private final int[] arguments;
  private final boolean[] sampled;
  private int floats;
  private int wholes;

  MixedBuilder(int operands, int rank) {
    this.rank = rank;
    this.every = MixedProgram.every(rank);
    this.indices = absent(rank);
    this.arguments = absent(operands);
    this.sampled = new boolean[operands];
    for (int level = MixedProgram.CONSTANT; level <= every; level++) {
      loops.add(new ArrayList<>());
    }
  }

  private static int[] absent(int length) {
    int[] numbers = new int[length];
    Arrays.fill(numbers, MixedProgram.ABSENT);
    return numbers;
  }

  /// What a register holds, and for which elements it has to.
  private record Known(Object what, @Nullable Mask mask) {}

  private record Lifted(Register from) {}

  private record Number(Affine value) {}

  private record Base(int operand) {}

  /// A loop from one register to another.
  interface Mapping {
    boolean run(Frame frame, int to, int from, int count);
  }

  MixedProgram build(Register result) {
    Register last = lift(result, every);
    return new MixedProgram(
        loops, presets, lifts, indices, arguments, sampled, floats, wholes, last);
  }

  /// The register that holds something, made if there is none.
  Register once(Object what, Supplier<Register> make) {
    return once(what, null, make);
  }

  /// As [#once(Object, Supplier)], of what has to have a value for some elements only. What has one
  /// for more of them will do.
  Register once(Object what, @Nullable Mask mask, Supplier<Register> make) {
    Register found = known.get(new Known(what, mask));
    for (Mask m = mask; found == null && m != null; m = m.around()) {
      found = known.get(new Known(what, m.around()));
    }
    if (found != null) {
      return found;
    }
    Register made = make.get();
    known.put(new Known(what, mask), made);
    return made;
  }

  Register next(ElementType type, int level) {
    Unsuited.require(type != ElementType.F64 && floats + wholes < MOST_REGISTERS);
    return new Register(type.isFloat() ? floats++ : wholes++, type, level);
  }

  void add(int level, Frame.Loop loop) {
    loops.get(level - MixedProgram.CONSTANT).add(loop);
  }

  int join(Register a, Register b) {
    return MixedProgram.join(a.level(), b.level(), rank);
  }

  /// What follows from one register, at its level.
  Register map(Register from, ElementType type, Mapping mapping) {
    Register result = next(type, from.level());
    int to = result.number();
    int a = from.number();
    add(result.level(), (f, n) -> mapping.run(f, to, a, n));
    return result;
  }

  /// The number of a register as loops of a level read it.
  int at(Register from, int level) {
    return lift(from, level).number();
  }

  private Register lift(Register from, int level) {
    if (from.level() == level || from.level() == MixedProgram.CONSTANT) {
      return from;
    }
    return once(
        new Lifted(from),
        () -> {
          Register to = next(from.type(), every);
          lifts.add(new Lift(from, to));
          return to;
        });
  }

  Register argument(int k, ElementType type) {
    Register to = next(type, every);
    arguments[k] = to.number();
    return to;
  }

  Register index(int axis) {
    Register to = next(ElementType.I64, axis);
    indices[axis] = to.number();
    return to;
  }

  /// A size, which may depend on the batch.
  Register number(Affine value) {
    return once(new Number(value), () -> number(value, ElementType.I64));
  }

  Register number(Affine value, ElementType type) {
    Register to = next(type, MixedProgram.CONSTANT);
    presets.add(new Preset.Whole(to.number(), value));
    return to;
  }

  Register real(float value, ElementType type) {
    Register to = next(type, MixedProgram.CONSTANT);
    presets.add(new Preset.Real(to.number(), value));
    return to;
  }

  /// The offset of the first element of an operand that is read at computed coordinates.
  Register base(int operand) {
    return once(
        new Base(operand),
        () -> {
          sampled[operand] = true;
          Register to = next(ElementType.I64, MixedProgram.CONSTANT);
          presets.add(new Preset.Base(to.number(), operand));
          return to;
        });
  }
}
