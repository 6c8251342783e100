package io.miniinference.service.fuzz;

import io.miniinference.interp.fast.VectorForms;
import io.miniinference.service.fullstack.RunningService;
import io.miniinference.testing.fuzz.FuzzTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// A target that sends its inputs to a running service, one for all targets of a process. Whatever
/// is sent, the service neither fails nor shows what is inside it, and logs no defect.
abstract class ServiceFuzz implements FuzzTarget {
  private static final Set<Integer> GOOD =
      Set.of(100, 200, 400, 404, 405, 408, 409, 411, 413, 414, 415, 417, 431, 501, 503, 505);

  /// Far longer than any refusal; behind it is a tensor.
  private static final int CHECKED_CHARACTERS = 64 << 10;

  protected static final List<FuzzedModel> MODELS = List.of(FuzzedModel.values());
  private static final LoggedDefects DEFECTS = new LoggedDefects();
  protected static final RunningService SERVICE = start();

  private static RunningService start() {
    try {
      Path repository = Files.createTempDirectory("fuzzed-models");
      MODELS.forEach(model -> model.write(repository));
      VectorForms.await(); // what the JVM compiles for them beside all else takes memory
      RunningService service =
          RunningService.start(
              "engine.device=jvm",
              "engine.pool.capacity=4MB",
              "engine.batching.max-size=8",
              "engine.models.repository=" + repository);
      DEFECTS.listen();
      return service;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Holds an answer to what is promised.
  ///
  /// @param request what was sent, which an answer may repeat
  /// @return whether it is that of a good request
  static boolean check(int status, String answer, byte[] request) {
    if (!GOOD.contains(status)) {
      throw new AssertionError("status " + status + ": " + answer);
    }
    checkText(answer, request);
    return status == 200;
  }

  static void checkText(String answer, byte[] request) {
    String head = answer.substring(0, Math.min(answer.length(), CHECKED_CHARACTERS));
    new Internals(request).checkNoneIn(head);
    DEFECTS.check();
  }
}
