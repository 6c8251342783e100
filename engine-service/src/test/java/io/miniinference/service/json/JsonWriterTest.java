package io.miniinference.service.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What is written is JSON that says the same.
final class JsonWriterTest {
  private final JsonWriter json = new JsonWriter(1);

  @Test
  void objectsArraysAndCommasAreWhereTheyBelong() {
    json.beginObject();
    json.property("a", "b");
    json.name("c");
    json.beginArray();
    json.beginArray();
    json.endArray();
    json.number(1);
    json.bool(true);
    json.beginObject();
    json.endObject();
    json.bool(false);
    json.endArray();
    json.property("d", -12);
    json.endObject();

    assertThat(text()).isEqualTo("{\"a\":\"b\",\"c\":[[],1,true,{},false],\"d\":-12}");
  }

  @Test
  void numbersHaveAllTheirBits() {
    long seed = new Random().nextLong();
    var random = new Random(seed);
    float[] floats = new float[10_000];
    json.beginArray();
    for (int i = 0; i < floats.length; i++) {
      floats[i] = i % 2 == 0 ? random.nextFloat() : Float.intBitsToFloat(random.nextInt());
      json.number(floats[i]);
    }
    json.endArray();

    JsonNode read = JsonMapper.shared().readTree(text());
    for (int i = 0; i < floats.length; i++) {
      float value = Float.parseFloat(read.get(i).asString());
      assertThat(Float.floatToIntBits(value)).as("seed %d", seed).isEqualTo(bits(floats[i]));
    }
  }

  private static int bits(float value) {
    return Float.floatToIntBits(value);
  }

  @Test
  void extremesAreWrittenWhole() {
    json.beginArray();
    json.number(Long.MIN_VALUE);
    json.unsigned(-1);
    json.unsigned(7);
    json.number(-0f);
    json.number(Float.MIN_VALUE);
    json.number(Double.MAX_VALUE);
    json.number(Double.NaN);
    json.number(Float.NEGATIVE_INFINITY);
    json.endArray();

    assertThat(text())
        .isEqualTo(
            "[-9223372036854775808,18446744073709551615,7,-0.0,1.4E-45,1.7976931348623157E308,"
                + "\"NaN\",\"-Infinity\"]");
  }

  @Test
  void textsAreEscapedAndComeBack() {
    String text = "a\"b\\c\n\t\u0001é€\ud83d\ude00/\u007f";
    json.beginArray();
    json.string(text);
    json.string("");
    json.endArray();

    JsonNode read = JsonMapper.shared().readTree(text());
    assertThat(read.get(0).stringValue()).isEqualTo(text);
    assertThat(read.get(1).stringValue()).isEmpty();
  }

  private String text() {
    return json.toString(StandardCharsets.UTF_8);
  }
}
