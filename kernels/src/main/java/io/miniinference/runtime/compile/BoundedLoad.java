package io.miniinference.runtime.compile;

import com.sun.management.ThreadMXBean;
import io.miniinference.budget.BudgetSpentException;
import io.miniinference.budget.LoadBudget;
import io.miniinference.budget.LoadLimits;
import io.miniinference.layout.Affine;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.Problem;
import io.miniinference.pass.FoldingLimitException;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;

/// One model's load within the limits of the engine: what breaks them is wrong with the model, and
/// said as such.
///
/// @param model its name
public record BoundedLoad(String model, LoadLimits limits) {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /// @throws ModelException if the model takes too much, or sizes of it are beyond all numbers
  public <T> T of(Supplier<T> load) {
    try {
      return within(load);
    } catch (BudgetSpentException | FoldingLimitException e) {
      throw refused(String.valueOf(e.getMessage()));
    } catch (ArithmeticException e) {
      throw refused(Affine.fault(e));
    } catch (StackOverflowError e) {
      throw refused("is nested too deeply for the stack of the thread that loads it");
    }
  }

  /// Within the limits; what breaks is left as it is.
  public <T> T within(Supplier<T> load) {
    return LoadBudget.within(limits, THREADS::getCurrentThreadAllocatedBytes, load);
  }

  private ModelException refused(String what) {
    return new ModelException(model, Problem.of(what));
  }
}
