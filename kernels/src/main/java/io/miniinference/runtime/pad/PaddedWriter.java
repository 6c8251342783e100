package io.miniinference.runtime.pad;

import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.Signature;
import io.miniinference.signature.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Writes the inputs of a request into staging of larger ones: each as the request has it first, at
/// the start of its staging, and then to where its elements belong.
///
/// @param blocks one per input
record PaddedWriter(List<PaddedBlock> blocks, InferenceRequest.Writer writer)
    implements InferenceRequest.Writer {
  PaddedWriter {
    blocks = List.copyOf(blocks);
  }

  /// A request in other sizes.
  static InferenceRequest padded(
      InferenceRequest request, Signature signature, RequestShape padded) {
    List<long[]> shapes = signature.shapes(padded);
    List<PaddedBlock> blocks = new ArrayList<>();
    for (int i = 0; i < shapes.size(); i++) {
      TensorSpec input = signature.inputs().get(i);
      blocks.add(new PaddedBlock(request.shapes().get(i), shapes.get(i), input.element().bytes()));
    }
    return request.withShapes(shapes, new PaddedWriter(blocks, request.writer()));
  }

  @Override
  public void write(int input, MemorySegment staging) {
    PaddedBlock block = blocks.get(input);
    writer.write(input, staging.asSlice(0, block.bytes()));
    if (!block.isWhole()) {
      block.spread(staging);
    }
  }
}
