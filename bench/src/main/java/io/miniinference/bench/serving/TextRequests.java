package io.miniinference.bench.serving;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.miniinference.bench.peer.Feed;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.Signature;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Requests of one row and some length: binary tensors over HTTP.
///
/// @param signature of the model
/// @param symbol the size that is the length
record TextRequests(Signature signature, String symbol) {

  /// The whole request.
  byte[] request(long length) {
    List<long[]> shapes = signature.shapes(new RequestShape(1, Map.of(symbol, length)));
    List<String> inputs = new ArrayList<>();
    var data = new ByteArrayOutputStream();
    for (Feed.Input input : Feed.of(signature.inputs(), shapes, 1).inputs()) {
      Tensor tensor = input.tensor();
      byte[] bytes = tensor.data().toArray(ValueLayout.JAVA_BYTE);
      inputs.add(
          "{\"name\":\"%s\",\"shape\":%s,\"datatype\":\"%s\",\"parameters\":{\"binary_data_size\":%d}}"
              .formatted(
                  input.name(),
                  Arrays.toString(tensor.shape()),
                  tensor.element().v2Name(),
                  bytes.length));
      data.writeBytes(bytes);
    }
    byte[] json =
        ("{\"inputs\":["
                + String.join(",", inputs)
                + "],\"parameters\":{\"binary_data_output\":true}}")
            .getBytes(US_ASCII);
    String header = "Inference-Header-Content-Length: " + json.length + "\r\n";
    return Protocol.post(signature.model(), header, json, data.toByteArray());
  }
}
