package io.miniinference.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.runtime.Model;
import io.miniinference.runtime.SpecialisationStatistics;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What is planned in the background, and in which order.
final class WarmUpsTest {
  private static final int SHAPES = 5;
  private static final int SIZES = 3;

  private final List<String> planned = new CopyOnWriteArrayList<>();
  private final CountDownLatch allBegun = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(2);

  /* Notes what is asked of it, and takes so many sizes and shapes. */
  private Model model(String name, int shapes, int sizes) {
    var specialised =
        Optional.of(new SpecialisationStatistics(0, 1, 0, 0, 0, 0, 0, 0, Optional.empty()));
    int[] asked = {0};
    return (Model)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Model.class},
            (_, method, arguments) ->
                switch (method.getName()) {
                  case "name" -> name;
                  case "specialisations" -> specialised;
                  case "warmUp" -> warmUp(name, Math.min(shapes, (int) arguments[0]));
                  case "planAhead" ->
                      planAhead(name, ++asked[0], Math.min(sizes, (int) arguments[0]));
                  default -> throw unexpected(method);
                });
  }

  private static AssertionError unexpected(Method method) {
    return new AssertionError("no model is asked for " + method.getName());
  }

  private int warmUp(String name, int shapes) throws InterruptedException {
    allBegun.await();
    planned.add(name + ": " + shapes + " shapes");
    if (shapes == 0) {
      ended.countDown();
    }
    return shapes;
  }

  private boolean planAhead(String name, int size, int most) {
    if (size > most) {
      ended.countDown();
      return false;
    }
    planned.add(name + ": size " + size);
    return true;
  }

  private void warmUp(Model... models) throws InterruptedException {
    try (WarmUps ups = new WarmUps(SHAPES, SIZES)) {
      List.of(models).forEach(ups::begin);
      allBegun.countDown();
      assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void sizesAreBehindAllShapesAndTakeTurns() throws InterruptedException {
    warmUp(model("a", 9, 9), model("b", 4, 1));
    assertThat(planned)
        .containsExactly(
            "a: 5 shapes", "b: 4 shapes", "a: size 1", "b: size 1", "a: size 2", "a: size 3");
  }

  @Test
  void aModelThatTakesNoShapeIsNotPlannedForSizes() throws InterruptedException {
    warmUp(model("a", 0, 9), model("b", 0, 9));
    assertThat(planned).containsExactly("a: 0 shapes", "b: 0 shapes");
  }
}
