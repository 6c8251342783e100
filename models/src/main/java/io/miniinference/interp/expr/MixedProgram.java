package io.miniinference.interp.expr;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.layout.Affine;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// An expression over floats, integers and booleans at any indices, its own or computed ones, as
/// loops over arrays ("registers"), one per distinct subexpression. Floats (all but `F64`) are held
/// in arrays of floats, all else in arrays of longs.
///
/// What follows from the index along one axis alone, as most coordinates do, is computed once per
/// index of that axis ([AxisTables]), not once per element.
///
/// @param loops by level: [#CONSTANT] first, then each axis, then [#every]
/// @param indices by axis the register that holds the index along it, or [#ABSENT]
/// @param arguments by operand the register that holds it at the output's index, or [#ABSENT]
/// @param sampled by operand whether it is read at computed coordinates
@SuppressWarnings("ArrayRecordComponent")
public record MixedProgram(
    List<List<Frame.Loop>> loops,
    List<Preset> presets,
    List<Lift> lifts,
    int[] indices,
    int[] arguments,
    boolean[] sampled,
    int floats,
    int wholes,
    Register result) {
  /// The level of what is the same at each index. An axis is a level too.
  static final int CONSTANT = -1;

  static final int ABSENT = -1;

  /// Where the values of a subexpression are.
  ///
  /// @param number among the arrays of floats or those of longs
  /// @param level what they follow from
  record Register(int number, ElementType type, int level) {}

  /// A register that is the same throughout a run.
  sealed interface Preset {
    record Real(int register, float value) implements Preset {}

    record Whole(int register, Affine value) implements Preset {}

    /// The offset of an operand's first element.
    record Base(int register, int operand) implements Preset {}
  }

  /// Takes the values of a register from indices of an axis to elements.
  record Lift(Register from, Register to) {}

  /// The program, if the expression touches no `F64`.
  ///
  /// @param rank axes of the output
  public static Optional<MixedProgram> of(Expr expr, List<ElementType> types, int rank) {
    try {
      return Optional.of(new MixedCompiler(types, rank).program(expr));
    } catch (Unsuited _) {
      return Optional.empty();
    }
  }

  int rank() {
    return indices.length;
  }

  /// The level of what follows from several axes, or is read at the output's index.
  static int every(int rank) {
    return rank;
  }

  /// The level of what follows from two others.
  static int join(int a, int b, int rank) {
    if (a == b || b == CONSTANT) {
      return a;
    }
    return a == CONSTANT ? b : every(rank);
  }

  boolean reads(int operand) {
    return arguments[operand] != ABSENT;
  }

  /// Computes what belongs to one level.
  ///
  /// @return whether all of it has a value
  boolean run(int level, Frame frame, int count) {
    List<Frame.Loop> steps = loops.get(level - CONSTANT);
    for (int i = 0; i < steps.size(); i++) {
      if (!steps.get(i).run(frame, count)) {
        return false;
      }
    }
    return true;
  }

  /// Sets the registers that never change.
  ///
  /// @return whether what follows from them alone has a value
  boolean prepare(Frame frame, long n, int count) {
    for (Preset preset : presets) {
      switch (preset) {
        case Preset.Real(int register, float value) -> Arrays.fill(frame.floats()[register], value);
        case Preset.Whole(int register, Affine value) ->
            Arrays.fill(frame.wholes()[register], value.constant() + value.perBatch() * n);
        case Preset.Base(int register, int operand) ->
            Arrays.fill(frame.wholes()[register], frame.views().get(operand).strides().base());
      }
    }
    return run(CONSTANT, frame, count);
  }
}
