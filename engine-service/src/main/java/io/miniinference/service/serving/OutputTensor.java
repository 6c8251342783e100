package io.miniinference.service.serving;

import io.miniinference.ir.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.List;

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

  /// The largest elements as `value:index`, one text each.
  record Texts(String name, long[] shape, List<String> texts) implements OutputTensor {
    public Texts {
      texts = List.copyOf(texts);
    }

    @Override
    public String datatype() {
      return "BYTES";
    }
  }
}
