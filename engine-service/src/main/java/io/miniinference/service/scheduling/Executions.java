package io.miniinference.service.scheduling;

import io.miniinference.runtime.Model;

/// Hears of every batch that ran.
public interface Executions {

  /// @param rows of all requests of the batch
  /// @param times of the batch as a whole
  void ran(Model model, int rows, RequestTimes times);
}
