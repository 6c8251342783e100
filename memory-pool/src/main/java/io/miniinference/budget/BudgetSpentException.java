package io.miniinference.budget;

/// A load took more than its [LoadLimits]. It says which limit and what was going on.
public final class BudgetSpentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BudgetSpentException(String message) {
    super(message);
  }
}
