package io.miniinference.lower;

import io.miniinference.ir.Tensor;
import java.lang.foreign.MemorySegment;

/// An order in which a kernel wants a weight, made once at load. Equal packings of one weight are
/// held once, so implementations are records.
public interface Packing {

  /// Bytes of the packed weight.
  long bytes(Tensor weight);

  /// Bytes of an element of the packed weight.
  default int elementBytes(Tensor weight) {
    return weight.element().bytes();
  }

  /// Writes all [#bytes] of the packed weight.
  ///
  /// @param target zeroed
  void pack(Tensor weight, MemorySegment target);

  /// The weight as the file has it.
  record Plain() implements Packing {
    @Override
    public long bytes(Tensor weight) {
      return weight.data().byteSize();
    }

    @Override
    public void pack(Tensor weight, MemorySegment target) {
      target.copyFrom(weight.data());
    }
  }
}
