package io.miniinference.service.startup;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.Model;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.signature.TensorSpec;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/// A request of zeros that a shell can send.
final class ExampleRequest {
  private static final int MOST_WRITTEN_OUT = 8;

  private ExampleRequest() {}

  /// A line for a POSIX shell with `curl`, `printf` and `seq`.
  ///
  /// @param guard for whom inference is: where it wants a token, the line has a place for that, and
  ///   not the token
  static String curl(String base, Model model, EngineProperties.Inference guard) {
    String inputs =
        model.inputs().stream().map(ExampleRequest::input).collect(Collectors.joining(","));
    String token = guard.token() == null ? "" : "-H 'Authorization: Bearer TOKEN' ";
    return "curl -s %s%s/v2/models/%s/infer -d '{\"inputs\":[%s]}'"
        .formatted(token, base, segment(model.name()), inputs);
  }

  /* Nothing in it means something to a shell. */
  private static String segment(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String input(TensorSpec input) {
    long[] shape = input.shapeAt(1);
    return "{\"name\":\"%s\",\"shape\":%s,\"datatype\":\"%s\",\"data\":[%s]}"
        .formatted(
            input.name(),
            Arrays.toString(shape).replace(" ", ""),
            input.v2Name(),
            zeros(Tensor.elements(shape), zero(input)));
  }

  private static String zero(TensorSpec input) {
    if (input.isOfStrings()) {
      return "\"\"";
    }
    return input.element() == ElementType.BOOL ? "false" : "0";
  }

  private static String zeros(long count, String zero) {
    return count <= MOST_WRITTEN_OUT
        ? (zero + ",").repeat((int) Math.max(0, count - 1)) + (count == 0 ? "" : zero)
        : zero + "'$(printf '," + zero + "%.0s' $(seq " + (count - 1) + "))'";
  }
}
