package io.miniinference.service.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Numbers that are read in one go have the bits of the JDK's parser, and what is no plain number
/// is left where it is.
final class PlainFloatsTest {
  private static final int ARRAYS = 3_000;
  private static final int NUMBERS = 100;

  @Test
  void randomArraysHaveTheBitsOfTheJdk() {
    long seed = new Random().nextLong();
    var random = new Random(seed);
    for (int i = 0; i < ARRAYS; i++) {
      List<String> texts = new ArrayList<>();
      for (int n = 0; n < NUMBERS; n++) {
        texts.add(number(random));
      }
      agree(texts, random.nextBoolean() ? "," : ", ", seed);
    }
  }

  private static String number(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> Float.toString(random.nextFloat());
      case 1 -> Double.toString(random.nextGaussian());
      case 2 -> Integer.toString(random.nextInt());
      case 3 -> Long.toString(random.nextLong());
      case 4 -> Double.toString((double) random.nextFloat());
      case 5 -> Float.toString((random.nextInt() - (1 << 30)) * 1e-4f);
      case 6 -> "-0." + "0".repeat(random.nextInt(30)) + random.nextInt(1 << 20);
      default -> random.nextInt(256) + "." + Math.abs(random.nextLong());
    };
  }

  private static void agree(List<String> texts, String comma, long seed) {
    byte[] json = bytes("[" + String.join(comma, texts) + "]");
    MemorySegment floats = MemorySegment.ofArray(new float[texts.size()]);
    var cursor = new JsonCursor(json, 0, json.length);
    long position = 0;
    boolean more = cursor.openArray();
    while (more) {
      position += cursor.floats(floats, position, texts.size() - position);
      floats.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, position++, cursor.number().toFloat());
      more = cursor.anotherElement();
    }
    assertThat(position).isEqualTo(texts.size());
    for (int i = 0; i < texts.size(); i++) {
      int bits = floats.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
      assertThat(bits)
          .as("%s, seed %d", texts.get(i), seed)
          .isEqualTo(Float.floatToRawIntBits(Float.parseFloat(texts.get(i))));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "01,2",
        "1.,2",
        ".5,2",
        "-,2",
        "1e3,2",
        "1x,2",
        "1 ,2",
        "1,  2",
        "1,,2",
        "1]",
        "NaN,2",
        "+1,2",
        "12345678901234567890,2",
        "0.12345678901234567890,2",
        "[1,2",
        "\"1\",2",
        "1,]",
        "--1,2"
      })
  void whatIsNoPlainNumberStaysWhereItIs(String text) {
    byte[] json = bytes(text + " ".repeat(100));
    var cursor = new JsonCursor(json, 0, json.length);

    assertThat(cursor.floats(MemorySegment.ofArray(new float[4]), 0, 4)).isZero();
    assertThat(cursor.position()).isZero();
  }

  @Test
  void noMoreAreReadThanThereIsRoomFor() {
    byte[] json = bytes("1,2,3,4,5,6" + " ".repeat(100));
    float[] floats = new float[6];
    var cursor = new JsonCursor(json, 0, json.length);

    assertThat(cursor.floats(MemorySegment.ofArray(floats), 1, 2)).isEqualTo(2);
    assertThat(floats).containsExactly(0, 1, 2, 0, 0, 0);
    assertThat(cursor.number().toFloat()).isEqualTo(3);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
