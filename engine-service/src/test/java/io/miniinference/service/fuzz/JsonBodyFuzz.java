package io.miniinference.service.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Bodies of V2 in JSON: a byte for the model, then the body.
public final class JsonBodyFuzz extends ServiceFuzz {
  private final HttpWire wire = new HttpWire(SERVICE.port());

  @Override
  public List<byte[]> seeds() {
    return MODELS.stream().map(model -> input(model, model.json())).toList();
  }

  static byte[] input(FuzzedModel model, String body) {
    return ((char) model.ordinal() + body).getBytes(StandardCharsets.ISO_8859_1);
  }

  static FuzzedModel model(byte[] input) {
    return MODELS.get(input.length == 0 ? 0 : Math.floorMod(input[0], MODELS.size()));
  }

  static byte[] rest(byte[] input) {
    return input.length == 0 ? input : Arrays.copyOfRange(input, 1, input.length);
  }

  @Override
  public boolean take(byte[] input) throws IOException {
    HttpWire.Answer answer =
        wire.post("/v2/models/" + model(input).name() + "/infer", "", rest(input));
    return check(answer.status(), answer.body(), input);
  }
}
