package io.miniinference.service.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.ElementType;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.service.doubles.HeapServiceTest;
import io.miniinference.service.serving.InferResponse;
import io.miniinference.service.serving.OutputTensor;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The V1 protocol.
final class PredictTest extends HeapServiceTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "same-i64 | {\"instances\":[[1,2],[3,4]]} | {\"predictions\":[[1,2],[3,4]]}",
        "same-i64 | {\"instances\":[{\"x\":[1,2]},{\"x\":[3,4]}]} | {\"predictions\":[[1,2],[3,4]]}",
        "same-i64 | {\"inputs\":[[1,2]]} | {\"outputs\":[[1,2]]}",
        "same-i64 | {\"signature_name\":\"s\",\"inputs\":{\"x\":[[1,2]]}} | {\"outputs\":[[1,2]]}",
        "picker | {\"instances\":[7,8]} | {\"predictions\":[7,8]}",
        "picker | {\"instances\":[{\"indices\":7},{\"indices\":8}]} | {\"predictions\":[7,8]}",
        "scalar | {\"inputs\":2.5} | {\"outputs\":2.5}",
        "adder | {\"instances\":[{\"a\":[1,2,3],\"b\":[1,1,1]}]} | {\"predictions\":[{\"sum\":[2.0,3.0,4.0],\"difference\":[0.0,1.0,2.0]}]}",
        "adder | {\"inputs\":{\"b\":[[1,1,1]],\"a\":[[1,2,3]]}} | {\"outputs\":{\"sum\":[[2.0,3.0,4.0]],\"difference\":[[0.0,1.0,2.0]]}}",
      })
  void rowsAndColumnsAreAnsweredInTheirForm(String model, String body, String answer) {
    assertThat(predict(model, body).body()).isEqualTo(answer);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "same-i64 | {} | neither 'instances' nor 'inputs'",
        "same-i64 | {\"instances\":[[1,2]],\"inputs\":[[1,2]]} | more than one 'instances' or 'inputs'",
        "same-i64 | {\"instances\":5} | 'instances' must be an array, got 5",
        "same-i64 | {\"instances\":[[1,2],[3]]} | is ragged",
        "same-i64 | {\"instances\":[[1,2.5]]} | 2.5 is not a whole number",
        "same-i64 | {\"instnaces\":[[1,2]]} | nor 'inputs'. The key 'instnaces' means nothing here: the nearest that does is 'instances'",
        "same-i64 | {\"input\":[[1,2]]} | The key 'input' means nothing here: the nearest that does is 'inputs'",
        "same-i64 | {\"instances\":[{\"x\":[1,2]},{}]} | instance 1 of 'instances' has no 'x', and instance 0 has",
        "adder | {\"instances\":[{\"a\":[1,2,3]},{\"a\":[1,2,3]},{\"a\":[1,2,3],\"b\":[1,2,3]}]} | instance 0 of 'instances' has no 'b', and instance 2 has",
        "same-i64 | {\"instances\":[{\"x\":[1,2]},[3,4]]} | instance 1 of 'instances' is none, and the one before it is an object",
        "same-i64 | {\"instances\":[[1,2],[3,4],{\"x\":[1,2]}]} | instance 2 of 'instances' is an object, and the one before it is none",
        "same-string | {\"instances\":[[{\"b64\":\"eA==\"},\"b\"],{\"x\":1}]} | 'x'",
        "same-i64 | {\"instances\":[{\"x\":[1,2]},{\"x\":[1]}]} | has too few values",
        "same-i64 | {\"instances\":[{\"x\":[1,2],\"x\":[1,2]}]} | instance 0 of 'instances' has 'x' twice",
        "same-i64 | {\"instances\":[{\"y\":[1,2]}]} | unexpected inference input 'y'",
        "adder | {\"instances\":[[1,2,3]]} | the model has 2 inputs",
        "scalar | {\"instances\":[]} | unexpected shape",
        "same-i64 | [] | must be a JSON object",
      })
  void whatDoesNotFitIsRefused(String model, String body, String message) {
    Answer answer = predict(model, body);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.error()).contains(message);
  }

  /* As of a model that tells where values are not zero: as many places as there are axes. */
  @Test
  void outputsOfOtherRowsThanTheRequestAreNoPredictions() {
    var places = new OutputTensor.Elements("y", ElementType.U8, new long[] {2, 2}, new byte[4]);
    var answer = new InferResponse("nonzero", "1", null, List.of(places));

    assertThatThrownBy(() -> PredictResponseWriter.write(answer, 1))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("ask with 'inputs' instead of 'instances'");
    assertThat(PredictResponseWriter.write(answer, 2)).isNotNull();
  }

  @Test
  void modelsAreListedAndReady() {
    assertThat(client().get("/v1/models").body()).contains("\"adder\"", "\"picker\"");
    assertThat(client().get("/v1/models/adder").body())
        .isEqualTo("{\"name\":\"adder\",\"ready\":true}");
    assertThat(client().get("/v1/models/nobody").status()).isEqualTo(404);
    assertThat(predict("nobody", "{}").error()).contains("unknown model");
  }

  @Test
  void whatV1HasBesideIsToldByItsVerbAndAsNotThere() {
    Answer read = client().get("/v1/models/adder:predict");
    assertThat(read.status()).isEqualTo(405);
    assertThat(read.header("Allow")).isEqualTo("POST");
    for (Answer explained :
        List.of(
            client().get("/v1/models/adder:explain"),
            client().post("/v1/models/adder:explain", "{}"))) {
      assertThat(explained.status()).isEqualTo(501);
      assertThat(explained.error()).startsWith("explanations are not computed here");
    }
  }

  private Answer predict(String model, String body) {
    return client().post("/v1/models/" + model + ":predict", body);
  }
}
