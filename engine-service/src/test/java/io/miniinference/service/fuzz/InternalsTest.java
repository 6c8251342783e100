package io.miniinference.service.fuzz;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class InternalsTest {
  private static Internals of(String request) {
    return new Internals(request.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "failed: java.lang.Foo",
        "NullPointerException",
        "at Foo.bar(Foo.java:7)",
        "segment 0x7f2271bff000",
        "Object@1b6d3586",
      })
  void whatTheServiceSaysOfItselfIsFound(String answer) {
    assertThatThrownBy(() -> of("{\"name\":\"x\"}").checkNoneIn(answer))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the answer shows");
  }

  @ParameterizedTest
  @CsvSource({
    "no input 'a@12345', {\"a@12345\":1}",
    "no input '\\u0000a@12345', {\"\\u0000a@12345\":1}",
    "no input 'a@12345', {\"\\u0061@12345\":1}",
    "no input '\\\"a@12345', {\"\\\"a@12345\":1}",
    "no model 'a@12345', GET /v2/models/a%4012345",
    "no model 'a@12345', GET /v2/models/%61@12345?x=%",
    "no type 'bad@12345', Content-Type: Bad@12345",
  })
  void whatAClientSaidItselfIsNot(String answer, String request) {
    assertThatCode(() -> of(request).checkNoneIn(answer)).doesNotThrowAnyException();
  }

  @Test
  void whatAClientSaidInTwoChunksIsNot() {
    assertThatCode(() -> of("a@12\r\n3\r\n345\r\n").checkNoneIn("no input 'a@12345'"))
        .doesNotThrowAnyException();
  }
}
