package io.miniinference.service.serving;

import io.miniinference.service.admission.ByteBudget;
import java.io.IOException;

/// Where a request comes from.
@FunctionalInterface
public interface RequestSource {

  /// Reads and checks the request; called once.
  ///
  /// @param rules of its model
  /// @param share takes the bytes that the request holds until it is answered
  /// @throws IOException if the client's bytes do not come
  InferRequest read(RequestRules rules, ByteBudget.Share share) throws IOException;
}
