package io.miniinference.bench.serving;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.miniinference.ir.ElementBits;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.Signature;
import io.miniinference.signature.TensorSpec;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Requests of one row and some length, whose integers are ones: binary tensors over HTTP.
///
/// @param signature of the model
/// @param symbol the size that is the length
record TextRequests(Signature signature, String symbol) {

  /// The whole request.
  byte[] request(long length) {
    List<long[]> shapes = signature.shapes(new RequestShape(1, Map.of(symbol, length)));
    List<String> inputs = new ArrayList<>();
    var data = new ByteArrayOutputStream();
    for (int i = 0; i < shapes.size(); i++) {
      TensorSpec input = signature.inputs().get(i);
      byte[] ones = ones(input, shapes.get(i));
      inputs.add(
          "{\"name\":\"%s\",\"shape\":%s,\"datatype\":\"%s\",\"parameters\":{\"binary_data_size\":%d}}"
              .formatted(
                  input.name(),
                  Arrays.toString(shapes.get(i)),
                  input.element().v2Name(),
                  ones.length));
      data.writeBytes(ones);
    }
    byte[] json =
        ("{\"inputs\":["
                + String.join(",", inputs)
                + "],\"parameters\":{\"binary_data_output\":true}}")
            .getBytes(US_ASCII);
    String header = "Inference-Header-Content-Length: " + json.length + "\r\n";
    return Protocol.post(signature.model(), header, json, data.toByteArray());
  }

  private static byte[] ones(TensorSpec input, long[] shape) {
    int elements = Math.toIntExact(Arrays.stream(shape).reduce(1, Math::multiplyExact));
    byte[] data = new byte[elements * input.element().bytes()];
    long one = input.element().isFloat() ? Double.doubleToRawLongBits(1) : 1;
    for (int i = 0; i < elements; i++) {
      ElementBits.write(MemorySegment.ofArray(data), input.element(), i, one);
    }
    return data;
  }
}
