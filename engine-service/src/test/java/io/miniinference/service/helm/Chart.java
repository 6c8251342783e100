package io.miniinference.service.helm;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The repository's chart, rendered as a release `engine` in the namespace `ml`.
final class Chart {
  static final Path FOLDER = Path.of("..", "helm");
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Chart() {}

  static LintResult lint() {
    return new Helm(FOLDER).lint().strict().call();
  }

  /// @param values what `helm --set` would be given
  static Manifests render(Map<String, String> values) {
    TemplateCommand command = command();
    values.forEach(command::set);
    return parsed(command.call());
  }

  static Manifests render(Path valuesFile) {
    return parsed(command().withValuesFile(valuesFile).call());
  }

  private static TemplateCommand command() {
    return new Helm(FOLDER).template().withName("engine").withNamespace("ml");
  }

  private static Manifests parsed(String text) {
    return new Manifests(
        StreamSupport.stream(yaml().loadAll(text).spliterator(), false)
            .map(JSON::<JsonNode>valueToTree)
            .toList());
  }

  /// One YAML document as a tree, refused if a key is there twice.
  static JsonNode tree(String text) {
    return JSON.valueToTree(yaml().load(text));
  }

  private static Yaml yaml() {
    var options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    return new Yaml(new SafeConstructor(options));
  }
}
