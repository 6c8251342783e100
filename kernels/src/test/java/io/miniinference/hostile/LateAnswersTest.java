package io.miniinference.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.testing.fuzz.FuzzTarget;
import io.miniinference.testing.fuzz.Fuzzing;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A fuzzer's machine may stand still while an input is taken; the input is at fault only if it is
/// late again and again.
final class LateAnswersTest {

  /// Answers its only input in time after a number of times that are late.
  private abstract static class Late implements FuzzTarget {
    private int left;

    Late(int times) {
      left = times;
    }

    @Override
    public List<byte[]> seeds() {
      return List.of(new byte[] {7});
    }

    @Override
    public boolean take(byte[] input) throws SocketTimeoutException {
      if (left-- > 0) {
        throw new SocketTimeoutException("late");
      }
      return true;
    }
  }

  /// Late twice.
  public static final class Sometimes extends Late {
    public Sometimes() {
      super(2);
    }
  }

  /// Late each time.
  public static final class Always extends Late {
    public Always() {
      super(Integer.MAX_VALUE);
    }
  }

  @Test
  void anInputThatIsAnsweredInTimeAtLastBreaksNothing() throws Exception {
    assertThat(Fuzzing.run(Sometimes.class, Duration.ZERO)).isEqualTo(1);
  }

  @Test
  void anInputThatIsNeverAnsweredInTimeIsTold() {
    assertThatThrownBy(() -> Fuzzing.run(Always.class, Duration.ZERO))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("3 times")
        .hasMessageEndingWith("input 07");
  }
}
