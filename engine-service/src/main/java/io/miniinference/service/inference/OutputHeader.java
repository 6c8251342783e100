package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.serving.Parameters;
import io.miniinference.service.serving.RequestedOutput;
import org.jspecify.annotations.Nullable;

/// What has been read so far of one output that a request asks for.
final class OutputHeader {
  @Nullable String name;
  Parameters parameters = new Parameters("an output");

  RequestedOutput requested() {
    if (name == null) {
      throw new InvalidRequestException("each of outputs needs a 'name'");
    }
    return new RequestedOutput(name, parameters);
  }
}
