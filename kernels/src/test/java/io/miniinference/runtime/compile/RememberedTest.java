package io.miniinference.runtime.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RememberedTest {
  private final List<String> computed = new ArrayList<>();

  private String ask(Remembered<String, String> remembered, String key, long bytes) {
    return remembered.of(
        key,
        bytes,
        () -> {
          computed.add(key);
          return key + " result";
        });
  }

  @Test
  void aResultIsComputedOnce() {
    var remembered = new Remembered<String, String>(10);
    assertThat(ask(remembered, "a", 4)).isEqualTo("a result");
    assertThat(ask(remembered, "a", 4)).isEqualTo("a result");
    assertThat(computed).containsExactly("a");
  }

  @Test
  void whatWasNotAskedForTheLongestMakesRoom() {
    var remembered = new Remembered<String, String>(10);
    ask(remembered, "a", 5);
    ask(remembered, "b", 5);
    ask(remembered, "a", 5);
    ask(remembered, "c", 5);
    ask(remembered, "a", 5);
    ask(remembered, "b", 5);
    assertThat(computed).containsExactly("a", "b", "c", "b");
  }

  @Test
  void whatIsLargerThanAllIsNotKept() {
    var remembered = new Remembered<String, String>(10);
    ask(remembered, "a", 5);
    ask(remembered, "large", 11);
    ask(remembered, "large", 11);
    ask(remembered, "a", 5);
    assertThat(computed).containsExactly("a", "large", "large");
  }
}
