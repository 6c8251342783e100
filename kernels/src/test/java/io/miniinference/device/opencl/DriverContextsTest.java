package io.miniinference.device.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.TestCache;
import io.miniinference.device.host.Counters;
import java.util.List;
import org.jocl.CL;
import org.jocl.Pointer;
import org.jocl.Sizeof;
import org.jocl.cl_context;
import org.jocl.cl_device_id;
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
  void aContextWhoseQueuesFailedIsNotGivenAgain() {
    cl_context failed = DriverContexts.open(target);
    CL.clRetainContext(failed); // to compare it with another
    List<cl_device_id> devices = List.of(target.devices().getFirst(), new cl_device_id());
    assertThatThrownBy(() -> OpenClContext.queues(failed, devices, new Counters()))
        .hasMessageContaining("clCreateCommandQueueWithProperties");
    int[] users = {0};
    CL.clGetContextInfo(
        failed, CL.CL_CONTEXT_REFERENCE_COUNT, Sizeof.cl_uint, Pointer.to(users), null);
    assertThat(users[0]).isEqualTo(1);
    cl_context other = DriverContexts.open(target);
    assertThat(other).isNotEqualTo(failed);
    DriverContexts.close(failed);
    DriverContexts.close(other);
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
