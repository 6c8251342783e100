package io.miniinference.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// `docs/settings.md` shows all properties as their Javadoc describes them.
final class SettingsPageTest {
  private static final Path PAGE = Path.of("../docs/settings.md");

  @Test
  void thePageIsWhatThePropertiesSay() throws IOException {
    if (Boolean.getBoolean("mie.settings.write")) {
      Files.writeString(PAGE, SettingsPage.text());
    }

    assertThat(PAGE)
        .as(
            "to write it anew: mvn -pl engine-service -am test -Dtest=SettingsPageTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dmie.settings.write=true")
        .hasContent(SettingsPage.text());
  }
}
