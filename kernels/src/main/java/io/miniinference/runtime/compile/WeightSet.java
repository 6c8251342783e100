package io.miniinference.runtime.compile;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.Packing;
import io.miniinference.lower.Weight;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// The weights of a program by what they contain, so that equal ones are told to be the same,
/// whichever programs and models they are of.
///
/// @param parts one for each weight of the program, in its order
public record WeightSet(List<Part> parts) {
  private static final long ALIGNMENT = 256;

  /// A digest takes buffers below 2 GiB.
  private static final long CHUNK = 1 << 30;

  public WeightSet {
    parts = List.copyOf(parts);
  }

  /// What makes weights the same: type, shape, elements by their SHA-256, and how they are packed.
  public record Content(ElementType type, List<Long> shape, String digest, Packing packing) {
    static Content of(Weight weight, OtherShapes others) {
      Tensor tensor = weight.tensor();
      List<Long> shape = Arrays.stream(tensor.shape()).boxed().toList();
      return new Content(
          tensor.element(),
          shape,
          others.digest(tensor.data(), WeightSet::sha256),
          weight.packing());
    }
  }

  /// A weight and its content.
  ///
  /// @param bytes that it takes of the pool
  public record Part(Weight weight, Content content, long bytes) {
    static Part of(Weight weight, OtherShapes others) {
      long packed = weight.packing().bytes(weight.tensor());
      return new Part(
          weight, Content.of(weight, others), Math.ceilDiv(packed, ALIGNMENT) * ALIGNMENT);
    }
  }

  static WeightSet of(LoweredProgram program, OtherShapes others) {
    return new WeightSet(
        program.weights().stream().map(weight -> Part.of(weight, others)).toList());
  }

  /// Bytes of the pool that they take, equal ones once.
  public long bytes() {
    return sum(byContent().values());
  }

  /// Bytes by content, each content once.
  public Map<Content, Long> byContent() {
    Map<Content, Long> bytes = HashMap.newHashMap(parts.size());
    parts.forEach(part -> bytes.put(part.content, part.bytes));
    return bytes;
  }

  /// Those that others have, too, all of them.
  public WeightSet alsoIn(List<WeightSet> others) {
    List<Map<Content, Long>> contents = others.stream().map(WeightSet::byContent).toList();
    return new WeightSet(
        parts.stream()
            .filter(part -> contents.stream().allMatch(all -> all.containsKey(part.content)))
            .toList());
  }

  /// Bytes of those that are not among others.
  public long bytesBeside(WeightSet others) {
    Map<Content, Long> own = byContent();
    own.keySet().removeAll(others.byContent().keySet());
    return sum(own.values());
  }

  private static long sum(Collection<Long> bytes) {
    return bytes.stream().mapToLong(Long::longValue).reduce(0, Math::addExact);
  }

  private static String sha256(MemorySegment data) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (long at = 0; at < data.byteSize(); at += CHUNK) {
        ByteBuffer part = data.asSlice(at, Math.min(CHUNK, data.byteSize() - at)).asByteBuffer();
        digest.update(part);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
