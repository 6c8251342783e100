package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/// The examples in README and the pages of `docs` do what the pages say: commands are run, Java is
/// compiled, settings are served with. A block that no test here knows fails; those that cannot be
/// run are listed with the reason.
final class DocumentExamplesTest {
  private static final String ESTIMATORS = "sklearn.md";

  /// Commands that are not run here, and why.
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "./mie test", "runs all tests, this one among them",
          "./mie bench ", "its module has tests of its command line, and its figures take minutes",
          "./mie verify ", "runs networks that are not at hand; VerifyProgressTest has some",
          "python3 ", "needs PyTorch",
          "docker ", "needs Docker; ImageTest looks at what they ask of the image",
          "./mie bundle", "its archive is held to its promises by Check.java",
          "kubectl ", "needs a cluster; KServeTest looks at what it applies",
          "export LD_PRELOAD=", "sets variables of a shell; all tests run with them",
          "mvn ", "tests for minutes, or publishes what the examples are built against");

  /// Blocks of other languages, and why nothing is done with them here.
  private static final Map<String, Predicate<PageBlock>> LISTED =
      Map.of(
          "EmbedPageTest finds each in an application of examples, which is built and run",
          block -> block.isIn("embed.md"),
          "the answer of the command before, which is compared with it",
          block -> block.language().equals("json"),
          "Python's client is not at hand; BinaryTest sends the bytes that it sends",
          block -> block.isIn("serve.md") && block.language().equals("python"),
          "needs PyTorch",
          block -> block.isIn("pytorch.md") && block.language().equals("python"),
          "needs Keras",
          block -> block.isIn("keras.md") && block.language().equals("python"),
          "needs scikit-learn",
          block -> block.isIn(ESTIMATORS) && block.language().equals("python"),
          "C of a kernel for a device that is made up",
          block -> block.isIn("adding-a-device.md") && block.language().equals("c"),
          "drawings of a tree of files and of the way through the modules",
          block -> block.isIn("architecture.md", "repository.md") && block.language().isEmpty());

  private static final String ALERTS = "operate.md";
  private static final String SETTINGS_OF_A_MODEL = "repository.md";

  @TempDir private Path folder;
  private PageFiles files;
  private PageShell shell;

  @BeforeEach
  void writeFiles() throws IOException {
    files = PageFiles.in(folder);
    shell = new PageShell(files);
  }

  @Test
  void everyBlockIsKnown() throws IOException {
    assertThat(PageBlock.all()).hasSizeGreaterThan(20).allMatch(DocumentExamplesTest::isKnown);
    assertThat(commands())
        .allMatch(command ->
            isElsewhere(command) || command.matches("(curl|\\./mie (serve|plan|run))( .*)?"));
  }

  private static boolean isKnown(PageBlock block) {
    return switch (block.language()) {
      case "sh" -> true;
      case "java" -> block.isIn("README.md", "embed.md");
      case "yaml" -> block.isIn("embed.md", ALERTS, SETTINGS_OF_A_MODEL, "kserve.md", "serve.md");
      default -> LISTED.values().stream().anyMatch(listed -> listed.test(block));
    };
  }

  private static boolean isElsewhere(String command) {
    return ELSEWHERE.keySet().stream().anyMatch(command::startsWith);
  }

  private static TreeSet<String> commands() throws IOException {
    TreeSet<String> commands = new TreeSet<>();
    blocks("sh").forEach(block -> commands.addAll(block.commands()));
    return commands;
  }

  private static List<PageBlock> blocks(String language) throws IOException {
    return PageBlock.all().stream().filter(block -> block.language().equals(language)).toList();
  }

  @Test
  void commandsThatPlanAndRunEndWell() throws IOException {
    List<String> run =
        commands().stream().filter(command -> command.matches("\\./mie (plan|run) .*")).toList();

    assertThat(run).hasSizeGreaterThanOrEqualTo(7);
    run.forEach(shell::mie);
    assertThat(folder.resolve("plan.svg")).content().startsWith("<svg");
  }

  @Test
  void commandsThatServeBecomeReady() throws IOException {
    List<String> serve =
        commands().stream().filter(command -> command.startsWith("./mie serve")).toList();

    assertThat(serve).hasSizeGreaterThanOrEqualTo(4);
    for (String command : serve) {
      try (RunningService service = shell.serve(command)) {
        assertThat(service.isReady()).as(command).isTrue();
      }
    }
  }

  @Test
  void requestsOfTheReadmeAreAnsweredAsItShows() throws IOException, InterruptedException {
    try (RunningService service = shell.serve("./mie serve")) {
      int sent = 0;
      for (PageBlock block : blocks("sh")) {
        if (block.isIn("README.md")) {
          sent += send(block, service);
        }
      }
      assertThat(sent).isEqualTo(4);
    }
  }

  @Test
  void whatThePageOnRepositoriesSetsAndSendsIsUnderstood()
      throws IOException, InterruptedException {
    PageBlock yaml =
        blocks("yaml").stream().filter(b -> b.isIn(SETTINGS_OF_A_MODEL)).findFirst().orElseThrow();
    String repository = "engine.models.repository=" + files.repository(yaml.text());
    try (RunningService service = shell.serve("./mie serve", repository)) {
      var configuration = service.client().get("/v2/models/mnist/config").json();
      assertThat(configuration.get("max_batch_size").intValue()).isEqualTo(32);
      assertThat(service.client().get("/v2/models/mnist/versions/1/ready").status()).isEqualTo(200);
      int sent = 0;
      for (PageBlock block : blocks("sh")) {
        if (block.isIn(SETTINGS_OF_A_MODEL)) {
          sent += send(block, service);
        }
      }
      assertThat(sent).isEqualTo(2);
    }
  }

  @Test
  void rowsOfThePageOnEstimatorsAreAnswered() throws IOException, InterruptedException {
    List<PageBlock> shells = blocks("sh").stream().filter(b -> b.isIn(ESTIMATORS)).toList();
    assertThat(shells).hasSize(1);
    List<String> commands = shells.getFirst().commands();
    try (RunningService service = shell.serve(commands.getFirst())) {
      shell.curl(commands.getLast(), "", service);
    }
  }

  @Test
  void noOtherPageSendsRequests() throws IOException {
    assertThat(blocks("sh"))
        .filteredOn(block -> block.text().contains("curl "))
        .allMatch(block -> block.isIn("README.md", SETTINGS_OF_A_MODEL, ESTIMATORS));
  }

  private int send(PageBlock block, RunningService service)
      throws IOException, InterruptedException {
    List<String> requests = block.commands().stream().filter(c -> c.startsWith("curl ")).toList();
    for (String request : requests) {
      shell.curl(request, requests.size() == 1 ? block.next() : "", service);
    }
    return requests.size();
  }

  @Test
  void alertsAreWellFormed() throws IOException {
    for (PageBlock block : blocks("yaml")) {
      if (block.isIn(ALERTS)) {
        List<Map<String, Object>> alerts = new Yaml().load(block.text());
        assertThat(alerts)
            .hasSizeGreaterThan(2)
            .allSatisfy(alert -> {
              assertThat(alert).containsKeys("alert", "expr");
              assertThat(List.of("alert", "expr", "for")).containsAll(alert.keySet());
            });
      }
    }
  }

  @Test
  void javaOfTheReadmeCompiles() throws IOException {
    List<PageBlock> java = blocks("java").stream().filter(b -> b.isIn("README.md")).toList();

    assertThat(java).isNotEmpty().allSatisfy(block -> assertThat(errors(block)).isEmpty());
  }

  private List<Diagnostic<? extends JavaFileObject>> errors(PageBlock block) {
    String source =
        """
        import io.miniinference.engine.*;
        import io.miniinference.ir.Tensor;
        import java.nio.file.Path;
        import java.util.*;

        class Example {
          void example(float[] pixels) {
            %s
          }
        }
        """
            .formatted(block.text());
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    var found = new DiagnosticCollector<JavaFileObject>();
    List<String> options = new ArrayList<>(List.of("-proc:none", "-d", folder.toString()));
    options.addAll(List.of("--class-path", System.getProperty("java.class.path")));
    compiler.getTask(null, null, found, options, null, List.of(new Source(source))).call();
    return found.getDiagnostics();
  }

  /// A file that is nowhere.
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("string:///Example.java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreErrors) {
      return text;
    }
  }
}
