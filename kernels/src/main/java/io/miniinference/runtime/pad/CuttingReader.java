package io.miniinference.runtime.pad;

import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.signature.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Reads of a padded request's outputs what the request asked for.
///
/// @param own sizes of the request
record CuttingReader<T>(Padding padding, RequestShape own, ResponseReader<T> reader)
    implements ResponseReader<T> {
  /// What elements of any type are aligned to.
  private static final long ALIGNMENT_BYTES = 64;

  @Override
  public T read(List<Output> outputs) {
    try (Arena memory = Arena.ofConfined()) {
      return reader.read(cut(outputs, memory));
    }
  }

  @Override
  public void failed(List<Output> outputs, List<FailureReport> failures) {
    try (Arena memory = Arena.ofConfined()) {
      reader.failed(cut(outputs, memory), failures);
    }
  }

  private List<Output> cut(List<Output> outputs, Arena memory) {
    List<Output> cut = new ArrayList<>(outputs.size());
    for (int i = 0; i < outputs.size(); i++) {
      cut.add(cut(padding.signature().outputs().get(i), outputs.get(i), memory));
    }
    return cut;
  }

  private Output cut(TensorSpec spec, Output output, Arena memory) {
    long[] shape = padding.cut(spec, own, output.shape());
    var block = new PaddedBlock(shape, output.shape(), spec.element().bytes());
    return block.isWhole() ? output : new Output(shape, cut(block, output.data(), memory));
  }

  private static MemorySegment cut(PaddedBlock block, MemorySegment data, Arena memory) {
    if (block.isPrefix()) {
      return data.asSlice(0, block.bytes());
    }
    MemorySegment own = memory.allocate(block.bytes(), ALIGNMENT_BYTES);
    block.cut(data, own);
    return own;
  }
}
