package io.miniinference.device.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.TestCache;
import org.jocl.cl_context;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("opencl")
final class DriverContextsTest {
  private final OpenClTarget target = OpenClTargets.find(TestCache.FOLDER).targets().getFirst();

  @Test
  void devicesOfPoclThatAreOpenedOneAfterTheOtherHaveOneContext() {
    cl_context first = DriverContexts.open(target);
    DriverContexts.close(first);
    cl_context second = DriverContexts.open(target);
    DriverContexts.close(second);
    assertThat(second.equals(first)).isEqualTo(target.isPocl());
  }

  @Test
  void aContextThatFailedIsNotGivenAgain() {
    cl_context failed = DriverContexts.open(target);
    DriverContexts.forget(failed);
    DriverContexts.forget(failed);
    cl_context other = DriverContexts.open(target);
    assertThat(other).isNotEqualTo(failed);
    DriverContexts.close(failed);
    DriverContexts.close(other);
  }
}
