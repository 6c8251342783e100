package io.miniinference.service.serving;

import io.miniinference.service.admission.Admission;
import io.miniinference.service.admission.ByteBudget;
import java.io.IOException;

/// Where a request comes from.
@FunctionalInterface
public interface RequestSource {

  /// Reads and checks the request; called once.
  ///
  /// @param rules of its model
  /// @param holds what the request holds
  /// @throws IOException if the client's bytes do not come
  InferRequest read(RequestRules rules, Holds holds) throws IOException;

  /// What a request holds.
  ///
  /// @param share takes its bytes, until it is answered
  /// @param reading while it is read
  record Holds(ByteBudget.Share share, Admission.Reading reading) {}
}
