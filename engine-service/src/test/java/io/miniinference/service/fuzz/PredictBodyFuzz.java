package io.miniinference.service.fuzz;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/// Bodies of V1: a byte for the model, then the body.
public final class PredictBodyFuzz extends ServiceFuzz {
  private final HttpWire wire = new HttpWire(SERVICE.port());

  @Override
  public List<byte[]> seeds() {
    return MODELS.stream().map(model -> JsonBodyFuzz.input(model, body(model))).toList();
  }

  private static String body(FuzzedModel model) {
    boolean hasRows = model.ordinal() % 2 == 0 && model.inputs().size() == 1;
    return hasRows
        ? "{\"instances\":[" + model.inputs().getFirst()[3] + "]}"
        : model.inputs().stream()
            .map(input -> "\"%s\":%s".formatted(input[0], nested(input)))
            .collect(Collectors.joining(",", "{\"inputs\":{", "}}"));
  }

  /* Lists of one row are nested, scalars are bare. */
  private static String nested(String[] input) {
    return switch (input[2].split(",").length + (input[2].equals("[]") ? 0 : 1)) {
      case 1 -> input[3].substring(1, input[3].length() - 1);
      case 2 -> input[3];
      default -> "[" + input[3] + "]";
    };
  }

  @Override
  public boolean take(byte[] input) throws IOException {
    String path = "/v1/models/" + JsonBodyFuzz.model(input).name() + ":predict";
    HttpWire.Answer answer = wire.post(path, "", JsonBodyFuzz.rest(input));
    return check(answer.status(), answer.body(), input);
  }
}
