package io.miniinference.service.serving;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.service.elements.StringElements;
import java.lang.foreign.MemorySegment;

/// One output of a response.
public sealed interface OutputTensor {

  String name();

  long[] shape();

  /// The datatype's name in the protocol.
  String datatype();

  /// The elements as the model computed them.
  ///
  /// @param bytes dense row-major elements, little-endian
  record Elements(String name, ElementType type, long[] shape, byte[] bytes)
      implements OutputTensor {
    /// The elements as memory.
    public MemorySegment data() {
      return MemorySegment.ofArray(bytes);
    }

    @Override
    public String datatype() {
      return type.v2Name();
    }
  }

  /// Strings: those that the model gave, or what the classification extension makes of numbers.
  record Strings(String name, long[] shape, StringElements elements) implements OutputTensor {
    @Override
    public String datatype() {
      return CodedType.STRING.v2Name();
    }
  }
}
