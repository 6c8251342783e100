package io.miniinference.service.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.miniinference.service.doubles.Client.Answer;
import io.miniinference.testing.fuzz.FuzzTarget;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// All that is wrong at once on each page: every answer is a 4xx in the protocol's words, shows
/// nothing of what is inside, and leaves nothing in the log.
final class ErrorSweepTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final String INFER = "/v2/models/PLANNED/infer";
  private static final List<String> VERBS = List.of("GET", "POST", "PUT", "DELETE", "PATCH");
  private static final String GOOD = FuzzedModel.PLANNED.json();
  private static final List<String> BODIES =
      List.of(
          "",
          "{",
          "[]",
          "null",
          "\u0000",
          "{\"inputs\":7}",
          "{\"inputs\":[{\"name\":\"x\"}]}",
          "{\"instances\":[[1,2]]}",
          "{\"instances\":{\"x\":null}}",
          GOOD.replace("FP32", "BYTES"),
          GOOD.replace("[1,3]", "[9223372036854775807,3]"),
          GOOD.replace("[1,3]", "[-1]"),
          GOOD.replace("[1,2,3]", "[1,2,1e999]"),
          GOOD.replace("[1,2,3]", "[[1,2],[3]]"),
          GOOD.replace("\"x\"", "\"" + "n".repeat(50_000) + "\""),
          "{\"x\":".repeat(3_000));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v2/models/PLANNED/infer",
        "/v2/models/PLANNED/versions/1/infer",
        "/v2/models/PLANNED/versions/9/infer",
        "/v2/models/PLANNED/versions/x%2Fy/infer",
        "/v2/models/TEXT/infer",
        "/v2/models/RESIZED/infer",
        "/v2/models/nobody/infer",
        "/v2/models/%00/infer",
        "/v2/models/..%2F..%2Fetc/infer",
        "/v2/models/PLANNED",
        "/v2/models/PLANNED/config",
        "/v2/models/PLANNED/ready",
        "/v2/models/nobody/stats",
        "/v2/models/PLANNED/trace/setting",
        "/v2/repository/index",
        "/v2/repository/models/PLANNED/load",
        "/v2/repository/models/nobody/unload",
        "/v2/systemsharedmemory/status",
        "/v2/health/nothing",
        "/v2/nothing",
        "/v1/models/PLANNED:predict",
        "/v1/models/nobody:predict",
        "/v1/models/PLANNED:explain",
        "/v1/models/PLANNED",
        "/error",
        "/nothing",
      })
  void eachWrongRequestIsRefusedWithoutAWordOfTheInside(String path) {
    for (String verb : VERBS) {
      for (String body : BODIES) {
        hold(
            verb,
            path,
            body,
            ServiceFuzz.SERVICE.client().send(verb, path, BodyPublishers.ofString(body)));
      }
    }
  }

  @Test
  void aMillionKeysCostNoMoreThanTheirBytesAllow() throws IOException {
    byte[] body =
        IntStream.range(0, 1_000_000)
            .mapToObj(i -> "\"" + Integer.toString(i, 36) + "\":1,")
            .collect(Collectors.joining("", "{", "\"inputs\":[]}"))
            .getBytes(StandardCharsets.UTF_8);
    HttpWire wire = new HttpWire(ServiceFuzz.SERVICE.port());
    wire.post(INFER, "", GOOD.getBytes(StandardCharsets.UTF_8));
    long before = THREADS.getTotalThreadAllocatedBytes();

    HttpWire.Answer answer = wire.post(INFER, "", body);

    assertThat(THREADS.getTotalThreadAllocatedBytes() - before)
        .isLessThan(FuzzTarget.FREE_BYTES + (long) FuzzTarget.BYTES_PER_BYTE * body.length);
    assertThat(answer.status()).isEqualTo(400);
  }

  private static void hold(String verb, String path, String body, Answer answer) {
    byte[] sent = (path + body).getBytes(StandardCharsets.UTF_8);
    boolean good = ServiceFuzz.check(answer.status(), answer.body(), sent);
    if (!good) {
      assertThat(answer.status()).as("%s %s %s", verb, path, body).isIn(400, 401, 404, 405, 501);
      if (path.startsWith("/v2") && !answer.body().isEmpty()) {
        assertThat(answer.error()).isNotBlank().hasSizeLessThan(2_100);
      }
    }
  }
}
