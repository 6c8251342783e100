package io.miniinference.ops.control;

import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.BodyDraft;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.Ex;
import java.util.ArrayList;
import java.util.List;

/// A loop of as many iterations as an axis has elements, with a body that a rule writes.
public final class CountedLoop {
  private CountedLoop() {}

  /// Adds the loop; its results, which are what is carried, then for each further result of the
  /// body its rows along a new axis 0.
  ///
  /// @param body its parameters are the number of the iteration, and what is carried
  /// @param results of the body: what is carried, as `initial`, then rows
  /// @param initial what is carried into the first iteration
  /// @param extent the number of iterations
  public static List<Value> emit(
      Emitter emitter, BodyDraft body, List<Value> results, List<Value> initial, Affine extent) {
    List<Value> outputs = new ArrayList<>(List.of(LoopRule.truth(emitter.into(body.draft()))));
    outputs.addAll(results);
    List<Value> captured = List.copyOf(body.captured(outputs));
    List<Value> operands = new ArrayList<>(List.of(trips(emitter, extent)));
    operands.add(LoopRule.truth(emitter));
    operands.addAll(initial);
    operands.addAll(captured);
    return emitter.emit(
        new Op.Loop(body.close("body", captured, outputs), initial.size(), extent), operands);
  }

  private static Value trips(Emitter emitter, Affine extent) {
    return extent.isConstant()
        ? LoopRule.whole(emitter, extent.constant())
        : emitter.fill(Ex.size(extent), List.of());
  }
}
