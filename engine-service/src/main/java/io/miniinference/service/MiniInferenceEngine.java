package io.miniinference.service;

import io.miniinference.service.cli.CommandLines;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.startup.Carriers;
import io.miniinference.service.startup.EarlyStart;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;

/// The program: `serve` starts the service, all other commands run without Spring.
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@ComponentScan(
    resourcePattern = MiniInferenceEngine.OWN_CLASSES,
    excludeFilters = {
      @Filter(type = FilterType.CUSTOM, classes = TypeExcludeFilter.class),
      @Filter(ManagementContextConfiguration.class)
    })
@EnableConfigurationProperties(EngineProperties.class)
public final class MiniInferenceEngine {
  /// Those of the packages right below this one; the hundreds of generated ones, further below, are
  /// not read at each start.
  static final String OWN_CLASSES = "*/*.class";

  private MiniInferenceEngine() {}

  public static void main(String[] args) {
    int status = CommandLines.execute(args, MiniInferenceEngine::serve);
    boolean serves = args.length > 0 && args[0].equals("serve");
    if (status != 0 || !serves) {
      System.exit(status);
    }
  }

  private static void serve(List<String> properties) {
    Carriers.widen();
    var application = new SpringApplication(MiniInferenceEngine.class);
    var early = new EarlyStart();
    application.addListeners(early);
    application.addInitializers(early);
    application.run(properties.toArray(String[]::new));
  }
}
