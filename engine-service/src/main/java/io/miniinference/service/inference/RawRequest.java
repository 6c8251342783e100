package io.miniinference.service.inference;

import io.miniinference.ir.ElementType;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.scheduling.Terms;
import io.miniinference.service.serving.BooleanBytes;
import io.miniinference.service.serving.InferRequest;
import io.miniinference.service.serving.InputTensor;
import io.miniinference.service.serving.RequestRules;
import io.miniinference.service.serving.TensorContent;
import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/// A body that is the data of the one input of its model, without JSON. One open size of the input
/// follows from the number of bytes; if there is one beside the batch, the batch is 1. All outputs
/// are answered as binary data. Of strings it is one, as Triton has it.
final class RawRequest {
  private RawRequest() {}

  static RestRequest read(RequestBody body, RequestRules rules, Terms terms) {
    TensorSpec input = only(rules.inputs());
    MemorySegment data = new BinaryPart(body).rest();
    if (input.isOfStrings()) {
      data = code(input, data, rules);
    }
    long[] shape = input.isOfStrings() ? ones(input) : shape(input, data.byteSize());
    rules.checkInput(input.name(), input.v2Name(), shape);
    BooleanBytes.checked(input.name(), input.element(), data);
    var tensor = new InputTensor(input.name(), shape, TensorContent.of(data));
    var request =
        new InferRequest(
            null, rules.complete(Map.of(input.name(), tensor)), rules.outputs(List.of()), terms);
    return new RestRequest(request, Collections.nCopies(request.outputs().size(), true));
  }

  /* The whole body is the string, without its length. */
  private static MemorySegment code(TensorSpec input, MemorySegment data, RequestRules rules) {
    if (LongStream.of(input.declaredShape()).anyMatch(dim -> dim >= 0 && dim != 1)) {
      throw new InvalidRequestException(
          "raw requests of strings are for one element, and input '%s' is BYTES%s"
              .formatted(input.name(), Arrays.toString(input.declaredShape())));
    }
    int code = rules.strings().code(data.toArray(ValueLayout.JAVA_BYTE));
    return MemorySegment.ofArray(new int[] {code});
  }

  private static TensorSpec only(List<TensorSpec> inputs) {
    if (inputs.size() != 1) {
      throw new InvalidRequestException(
          "a raw binary request is for models with one input, and this one has " + inputs.size());
    }
    return inputs.getFirst();
  }

  private static long[] ones(TensorSpec input) {
    return LongStream.of(input.declaredShape()).map(_ -> 1).toArray();
  }

  private static long[] shape(TensorSpec input, long bytes) {
    long[] shape = oneRow(input);
    long known = knownBytes(input.element(), shape);
    int open = (int) LongStream.of(shape).filter(dim -> dim < 0).count();
    boolean fits = open == 0 ? bytes == known : open == 1 && known > 0 && bytes % known == 0;
    if (!fits) {
      throw new InvalidRequestException(
          "a raw binary request of %d bytes is no input '%s' of %s%s"
              .formatted(
                  bytes, input.name(), input.v2Name(), Arrays.toString(input.declaredShape())));
    }
    return LongStream.of(shape).map(dim -> dim < 0 ? bytes / known : dim).toArray();
  }

  /* The declared shape, with a batch of 1 where another size is open, too. */
  private static long[] oneRow(TensorSpec input) {
    long[] shape = input.declaredShape();
    boolean hasBatch =
        !input.dims().isEmpty() && input.dims().getFirst() instanceof Dimension.Batch;
    if (hasBatch && LongStream.of(shape).skip(1).anyMatch(dim -> dim < 0)) {
      shape[0] = 1;
    }
    return shape;
  }

  /* Without the open dimensions. */
  private static long knownBytes(ElementType type, long[] shape) {
    return LongStream.of(shape).filter(dim -> dim >= 0).reduce(type.bytes(), Math::multiplyExact);
  }
}
