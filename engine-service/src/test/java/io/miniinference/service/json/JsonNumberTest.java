package io.miniinference.service.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.runtime.InvalidRequestException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Numbers have the values that the JDK gives their texts, to the bit.
final class JsonNumberTest {
  private static final int NUMBERS = 300_000;

  @Test
  void randomFloatsAreTheNearest() {
    agree(random -> Float.toString(Float.intBitsToFloat(random.nextInt())));
  }

  @Test
  void randomDoublesAreTheNearestOfBothTypes() {
    agree(random -> Double.toString(Double.longBitsToDouble(random.nextLong())));
    agree(random -> Double.toString(random.nextGaussian()));
  }

  @Test
  void numbersInTheMiddleBetweenTwoFloatsAreRoundedOnce() {
    agree(random -> {
      float low = Float.intBitsToFloat(random.nextInt() & 0x5FFF_FFFF);
      var middle = new BigDecimal(low).add(new BigDecimal(Math.nextUp(low))).divide(BigDecimal.TWO);
      String text = middle.round(new java.math.MathContext(1 + random.nextInt(25))).toString();
      return text.length() > 90 ? "1" : text;
    });
  }

  @Test
  void randomDigitsAndPowersAreTheNearest() {
    agree(random -> {
      String digits = new java.math.BigInteger(1 + random.nextInt(90), random).toString();
      String fraction = random.nextBoolean() ? "." + random.nextInt(1000) : "";
      String power = random.nextBoolean() ? "E" + (random.nextInt(120) - 60) : "";
      return (random.nextBoolean() ? "-" : "") + digits + fraction + power;
    });
  }

  private static void agree(Function<Random, String> texts) {
    long seed = new Random().nextLong();
    var random = new Random(seed);
    for (int i = 0; i < NUMBERS; i++) {
      String text = texts.apply(random);
      if (!text.contains("N") && !text.contains("f")) {
        assertNearest(text, seed);
      }
    }
  }

  private static void assertNearest(String text, long seed) {
    JsonNumber number = number(text);
    assertThat(Float.floatToRawIntBits(number.toFloat()))
        .as("float of %s, seed %d", text, seed)
        .isEqualTo(Float.floatToRawIntBits(Float.parseFloat(text)));
    assertThat(Double.doubleToRawLongBits(number.toDouble()))
        .as("double of %s, seed %d", text, seed)
        .isEqualTo(Double.doubleToRawLongBits(Double.parseDouble(text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "1",
        "-1",
        "9007199254740993",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "-9223372036854775809",
        "9999999999999999999",
        "18446744073709551615",
        "18446744073709551616",
        "10000000000000000000",
        "99999999999999999999",
        "-10000000000000000000"
      })
  void wholeNumbersAreExactOrOutOfRange(String text) {
    JsonNumber number = number(text);
    var exact = new java.math.BigInteger(text);

    assertThat(number.isWhole()).isTrue();
    assertThat(number.isLong()).isEqualTo(exact.bitLength() <= 63);
    assertThat(number.isUnsignedLong()).isEqualTo(exact.signum() >= 0 && exact.bitLength() <= 64);
    if (number.isLong()) {
      assertThat(number.toLong()).isEqualTo(exact.longValue());
    }
    if (number.isUnsignedLong()) {
      assertThat(number.toUnsignedLong()).isEqualTo(exact.longValue());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"01", "-", "1.", ".5", "1e", "1e+", "-01", "+1", "1.e5", "--1", "0x1"})
  void whatIsNoNumberOfJsonIsRefused(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    var json = new JsonCursor(bytes, 0, bytes.length);

    assertThatThrownBy(
            () -> {
              json.skip();
              json.expectEnd();
            })
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("malformed JSON at line 1, column ");
  }

  private static JsonNumber number(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new JsonCursor(bytes, 0, bytes.length).number();
  }
}
