package io.miniinference.testing.device;

import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.AnnotationBasedArgumentsProvider;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.support.ParameterDeclarations;

/// The devices that a class asks for, without those that this run leaves out.
final class EachDevice extends AnnotationBasedArgumentsProvider<OnEachDevice> {
  @Override
  protected Stream<? extends Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context, OnEachDevice wanted) {
    return Stream.of(wanted.value()).filter(TestedDevice.ofThisRun()::contains).map(Arguments::of);
  }
}
