package io.miniinference.service.config;

import io.miniinference.testing.fuzz.FuzzTarget;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.validation.ValidationBindHandler;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyNameException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.validation.beanvalidation.LocalValidatorFactoryBean;

/// The engine's properties, as lines `name=value`: they are taken, or the start is refused.
public final class PropertiesFuzz implements FuzzTarget {
  private final LocalValidatorFactoryBean validator = new LocalValidatorFactoryBean();

  public PropertiesFuzz() {
    validator.afterPropertiesSet();
  }

  @Override
  public List<byte[]> seeds() {
    return Stream.of(
            "engine.pool.capacity=256MB\nengine.device=jvm\nengine.instances=2",
            "engine.batching.max-size=32\nengine.batching.max-delay=2ms\nengine.batching.enabled=true",
            "engine.models.names=a,b\nengine.models.required=any\nengine.models.repository=models",
            "engine.models.settings.m.prepare=batch=1,s=2; batch=8\nengine.models.settings.m.versions=latest:2",
            "engine.models.settings[a.b].dimensions.s=3\nengine.models.settings.m.labels.y=l.txt",
            "engine.http.max-body-size=64MB\nengine.http.body-timeout=60s\nengine.queue.full-status=429",
            "engine.loading.max-time=2m\nengine.loading.max-work=5\nengine.loading.max-memory=1GB",
            "engine.precision=tf32\nengine.opencl.codegen=gpu\nengine.opencl.device=0",
            "engine.repository.poll=5s\nengine.repository.token=x\nengine.specialisations.max=4")
        .map(text -> text.getBytes(StandardCharsets.ISO_8859_1))
        .toList();
  }

  @Override
  public boolean take(byte[] input) throws IOException {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(new String(input, StandardCharsets.ISO_8859_1)));
      new Binder(new MapConfigurationPropertySource(properties))
          .bindOrCreate("engine", EngineProperties.class)
          .cacheDirectory();
      new Binder(new MapConfigurationPropertySource(properties))
          .bindOrCreate(
              "engine", Bindable.of(EngineProperties.class), new ValidationBindHandler(validator));
      return true;
    } catch (BindException | InvalidConfigurationPropertyNameException e) {
      return false;
    } catch (IllegalArgumentException e) {
      if (String.valueOf(e.getMessage()).contains("Malformed \\uxxxx encoding")) {
        return false; // no file of properties
      }
      throw e;
    }
  }
}
