package io.miniinference.service.doubles;

import io.miniinference.service.MiniInferenceEngine;
import java.nio.file.Path;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// The whole service on a free port, over a [HeapEngine] with models that all load. Subclasses
/// share one service.
@SpringBootTest(
    classes = MiniInferenceEngine.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "engine.batching.max-size=8",
      "engine.pool.capacity=1MB",
      "engine.http.max-body-size=64KB",
      "engine.queue.max-bytes=128KB",
      "engine.metrics.triton-names=true",
    })
@Import(HeapEngineConfiguration.class)
public abstract class HeapServiceTest {
  private static final Path REPOSITORY =
      Repositories.of(
          "adder/3",
          "adder/12",
          "adder/notes",
          "picker/1",
          "scalar/1",
          "empty/1",
          "same-bool/1",
          "same-f16/1",
          "same-bf16/1",
          "same-f32/1",
          "same-f64/1",
          "same-i8/1",
          "same-i16/1",
          "same-i32/1",
          "same-i64/1",
          "same-string/1",
          "same-u8/1",
          "same-u16/1",
          "same-u32/1",
          "same-u64/1");

  @LocalServerPort private int port;

  @DynamicPropertySource
  static void repository(DynamicPropertyRegistry registry) {
    registry.add("engine.models.repository", REPOSITORY::toString);
  }

  protected final int port() {
    return port;
  }

  protected final Client client() {
    return new Client(port);
  }
}
