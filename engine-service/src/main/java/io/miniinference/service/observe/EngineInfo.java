package io.miniinference.service.observe;

import io.miniinference.device.DeviceInfo;
import io.miniinference.service.engine.RunningEngine;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.stereotype.Component;

/// What runs, and on what: `GET /actuator/info`.
@Component
final class EngineInfo implements InfoContributor {
  private static final String UNKNOWN = "unknown";

  private final RunningEngine engine;
  private final Properties build = new Properties();

  EngineInfo(RunningEngine engine) throws IOException {
    this.engine = engine;
    try (InputStream in = EngineInfo.class.getResourceAsStream("/mie-build.properties")) {
      if (in != null) {
        build.load(in);
      }
    }
  }

  @Override
  public void contribute(Info.Builder builder) {
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("version", of("version"));
    about.put("commit", of("commit"));
    about.put("java", Runtime.version().toString());
    builder.withDetail("engine", about);
    if (engine.isRunning()) {
      builder.withDetail("device", device(engine.engine().device()));
    }
  }

  private String of(String key) {
    @Nullable String value = build.getProperty(key);
    return value == null || value.isBlank() ? UNKNOWN : value;
  }

  private static Map<String, Object> device(DeviceInfo info) {
    Map<String, Object> device = new LinkedHashMap<>();
    device.put("name", info.name());
    device.put("kind", info.kind());
    device.put("platform", info.platform());
    device.put("driver", info.driver());
    device.put("workers", info.workers());
    return device;
  }
}
