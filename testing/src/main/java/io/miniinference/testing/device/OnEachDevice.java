package io.miniinference.testing.device;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/// Runs all tests of a class on each device in turn. The class has a field for the [TestedDevice],
/// with `@Parameter`. Reports number the devices in their order.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ParameterizedClass(name = "on {0}")
@ArgumentsSource(EachDevice.class)
@ExtendWith(KernelsOfDevice.class)
@Tag("device")
public @interface OnEachDevice {
  /// Which; a class without [TestedDevice#JVM] has the tag `opencl`, too.
  TestedDevice[] value() default {TestedDevice.JVM, TestedDevice.CPU, TestedDevice.GPU};

  /// Whether the CPU writer's kernels are built as users have them. Where a test asks who is told
  /// what, or what is held and built, and other tests ask what these kernels compute, they are
  /// built without optimisation, in a third of the time ([UnoptimisedKernels]).
  boolean optimised() default true;
}
