package io.miniinference.runtime.specialise;

import io.miniinference.budget.BudgetSpentException;
import io.miniinference.onnx.ModelException;
import io.miniinference.pass.FoldingLimitException;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.load.MoreValuesException;
import java.util.function.Consumer;

/// Compiles a model with open sizes for shapes that no request asked for yet.
///
/// @param compiler compiles for sizes, and keeps what it made
record AheadOfRequests(OpenSignature open, Consumer<RequestSizes> compiler) {

  /// Compiles for a shape, with the batch open if the model allows that.
  ///
  /// @return false for sizes that the model does not take, or not without values
  /// @throws io.miniinference.runtime.ModelClosedException if the model is closed
  boolean isCompiled(RequestShape shape) {
    return isCompiled(open.sizes(shape)) || isCompiled(open.exactly(shape));
  }

  private boolean isCompiled(RequestSizes sizes) {
    try {
      compiler.accept(sizes);
      return true;
    } catch (ModelException
        | MoreValuesException
        | ArithmeticException
        | FoldingLimitException
        | BudgetSpentException e) {
      return false;
    }
  }
}
