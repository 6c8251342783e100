package io.miniinference.service.inference;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.miniinference.ir.ElementType;
import io.miniinference.service.elements.ElementWriter;
import io.miniinference.service.json.JsonCursor;
import io.miniinference.service.json.JsonWriter;
import io.miniinference.signature.TensorSpec;
import io.miniinference.strings.Dictionary;
import io.miniinference.strings.StringTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// An image of 3 × 224 × 224 as JSON makes no objects on its way in and out, beyond the memory that
/// it is in.
final class LargeTensorTest {
  private static final long[] SHAPE = {1, 3, 224, 224};
  private static final int ELEMENTS = 3 * 224 * 224;
  private static final Supplier<StringTable> NO_STRINGS = () -> new StringTable(Dictionary.EMPTY);
  private static final int MOST_GARBAGE_BYTES = 16 << 10;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final float[] image = new float[ELEMENTS];
  private final byte[] json;

  LargeTensorTest() {
    var random = new Random(1);
    for (int i = 0; i < ELEMENTS; i++) {
      image[i] = random.nextFloat();
    }
    json = text(image).getBytes(StandardCharsets.US_ASCII);
  }

  private static String text(float[] values) {
    var text = new StringBuilder("[");
    for (float value : values) {
      text.append(text.length() == 1 ? "" : ",").append(value);
    }
    return text.append(']').toString();
  }

  @Test
  void readingTakesTheTensorsBytesAlone() {
    long garbage = Long.MAX_VALUE;
    MemorySegment read = MemorySegment.NULL;
    for (int i = 0; i < 3; i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      read = read();
      long taken = THREADS.getCurrentThreadAllocatedBytes() - before;
      garbage = Math.min(garbage, taken - read.byteSize());
    }

    assertThat(garbage).isLessThan(MOST_GARBAGE_BYTES);
    assertThat(read.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED)).containsExactly(image);
  }

  private MemorySegment read() {
    return new TensorDataReader(
            new TensorSpec("image", ElementType.F32, List.of()), SHAPE, ELEMENTS)
        .read(new JsonCursor(json, 0, json.length), json.length, NO_STRINGS);
  }

  @Test
  void writingTakesTheTextsBytesAlone() {
    long garbage = Long.MAX_VALUE;
    var out = new JsonWriter(0);
    for (int i = 0; i < 3; i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      out = new JsonWriter(json.length + 100);
      out.beginArray();
      var elements = new ElementWriter(ElementType.F32, MemorySegment.ofArray(image));
      for (int k = 0; k < ELEMENTS; k++) {
        elements.write(out, k);
      }
      out.endArray();
      long taken = THREADS.getCurrentThreadAllocatedBytes() - before;
      garbage = Math.min(garbage, taken - json.length);
    }

    assertThat(garbage).isLessThan(MOST_GARBAGE_BYTES);
    assertThat(out.toByteArray()).containsExactly(json);
  }
}
