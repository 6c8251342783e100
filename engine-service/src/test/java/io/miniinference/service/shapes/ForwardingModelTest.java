package io.miniinference.service.shapes;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.runtime.ForwardingModel;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.pad.PaddedModel;
import io.miniinference.runtime.strings.PrefixedModel;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ForwardingModelTest {
  /// What comes out of the signature, which is not the other model's.
  private static final Set<String> OF_THE_SIGNATURE = Set.of("inputs", "outputs", "maxBatch");

  /// A method of a model with a default would else be forgotten.
  @ParameterizedTest
  @ValueSource(classes = {ReshapedModel.class, PaddedModel.class, PrefixedModel.class})
  void everyMethodOfAModelIsForwardedOrItsOwn(Class<? extends ForwardingModel> model) {
    Set<String> own =
        Stream.of(ForwardingModel.class, model)
            .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
            .map(ForwardingModelTest::shown)
            .collect(Collectors.toSet());

    assertThat(Arrays.stream(Model.class.getMethods()))
        .filteredOn(method -> !Modifier.isStatic(method.getModifiers()))
        .filteredOn(method -> !OF_THE_SIGNATURE.contains(method.getName()))
        .extracting(ForwardingModelTest::shown)
        .isNotEmpty()
        .isSubsetOf(own);
  }

  private static String shown(Method method) {
    return method.getName() + Arrays.toString(method.getParameterTypes());
  }
}
