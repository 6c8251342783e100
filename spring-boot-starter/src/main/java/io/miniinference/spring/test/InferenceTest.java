package io.miniinference.spring.test;

import io.miniinference.spring.EngineAutoConfiguration;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.PropertyMapping;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/// A test of models alone: the engine on the JVM device, which needs no driver and starts at once,
/// with the models of the application's properties or those named here, and no other beans.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(SpringExtension.class)
@ContextConfiguration(
    classes = InferenceTest.Models.class,
    initializers = ConfigDataApplicationContextInitializer.class)
@TestPropertySource(properties = "engine.device=jvm")
@PropertyMapping("engine.models")
public @interface InferenceTest {

  /// Models that are loaded, as `engine.models.names`; those of the application's properties if
  /// empty.
  @PropertyMapping(skip = PropertyMapping.Skip.ON_DEFAULT_VALUE)
  String[] names() default {};

  /// Nothing but the engine and its models.
  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(EngineAutoConfiguration.class)
  class Models {}
}
