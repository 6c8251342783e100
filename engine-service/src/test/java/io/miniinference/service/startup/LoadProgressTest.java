package io.miniinference.service.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.KernelBuild;
import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;

final class LoadProgressTest {
  private static final Optional<KernelBuild> NONE = Optional.empty();

  @Test
  void theBarIsAsFullAsModelsAreLoaded() {
    List<CatalogEntry> entries =
        List.of(
            new CatalogEntry.Failed("a", "1", "damaged"),
            new CatalogEntry.Loading("b", "1"),
            new CatalogEntry.Loading("c", "1"));

    assertThat(LoadProgress.bar(entries, NONE, 14))
        .isEqualTo("[########                ] 1 of 3 models, 14 s: b");
    assertThat(LoadProgress.bar(entries.subList(0, 1), NONE, 15))
        .isEqualTo("[########################] 1 of 1 models, 15 s");
  }

  @Test
  void theLineSaysHowManyModelsAreLoadedAndWhichIsNext() {
    List<CatalogEntry> entries =
        List.of(new CatalogEntry.Failed("a", "1", "damaged"), new CatalogEntry.Loading("b", "1"));

    assertThat(LoadProgress.line(entries, NONE, 10))
        .isEqualTo("loading for 10 s: 1 of 2 models done, b is next");
    assertThat(LoadProgress.line(entries.subList(0, 1), NONE, 15))
        .isEqualTo("loading for 15 s: 1 of 1 models done");
  }

  @Test
  void bothSayWhatIsBeingBuilt() {
    List<CatalogEntry> entries = List.of(new CatalogEntry.Loading("b", "1"));

    assertThat(LoadProgress.bar(entries, Optional.of(new KernelBuild("b", 12)), 14))
        .endsWith(" 0 of 1 models, 14 s: building 12 kernels of 'b'");
    assertThat(LoadProgress.line(entries, Optional.of(new KernelBuild("b", 1)), 10))
        .isEqualTo("loading for 10 s: 0 of 1 models done, building 1 kernel of 'b'");
  }

  @Test
  void thereIsABarOnlyWhereTheScriptSawATerminal() {
    assertThat(isDrawn("--mie.progress=true")).isTrue();
    assertThat(isDrawn("--server.error.path=/error")).isFalse();
  }

  private static boolean isDrawn(String property) {
    var application =
        new SpringApplication(MiniInferenceEngine.class, HeapEngineConfiguration.class);
    try (var context =
        application.run(
            property,
            "--server.port=0",
            "--spring.grpc.server.port=0",
            "--engine.pool.capacity=1MB",
            "--engine.models.repository=" + Repositories.of("adder/1"))) {
      assertThat(context).isInstanceOf(WebServerApplicationContext.class);
      return context.getBean(LoadProgress.class).isDrawn();
    }
  }
}
