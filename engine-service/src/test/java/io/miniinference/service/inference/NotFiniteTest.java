package io.miniinference.service.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.service.doubles.HeapServiceTest;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Numbers that JSON does not have.
final class NotFiniteTest extends HeapServiceTest {
  private static final String DATA_LAST =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[8,2],\"datatype\":\"%s\",\"data\":[%s]}]}";
  private static final String DATA_FIRST =
      "{\"inputs\":[{\"data\":[%2$s],\"name\":\"x\",\"shape\":[8,2],\"datatype\":\"%1$s\"}]}";

  @ParameterizedTest
  @CsvSource({"f32,FP32", "f64,FP64", "f16,FP16", "bf16,BF16"})
  void comeAsTheWordsThatOthersWriteAndAsTheStringsThatAnswersHave(String type, String name) {
    String strings = fourTimes("1.5,\"NaN\",\"Infinity\",\"-Infinity\"");
    String words = strings.replace("\"", "");
    for (String data : new String[] {words, strings}) {
      for (String request : new String[] {DATA_LAST, DATA_FIRST}) {
        Answer answer =
            client().post("/v2/models/same-" + type + "/infer", request.formatted(name, data));

        assertThat(answer.body()).contains("\"data\":[" + strings + "]");
      }
    }
  }

  @Test
  void areTakenInRowsOfV1() {
    Answer answer =
        client()
            .post(
                "/v1/models/same-f32:predict",
                "{\"instances\":[[NaN,1],[\"Infinity\",-Infinity]]}");

    assertThat(answer.body())
        .isEqualTo("{\"predictions\":[[\"NaN\",1.0],[\"Infinity\",\"-Infinity\"]]}");
  }

  /* Long enough for the reader of many numbers at once. */
  private static String fourTimes(String numbers) {
    return String.join(",", Collections.nCopies(4, numbers));
  }
}
