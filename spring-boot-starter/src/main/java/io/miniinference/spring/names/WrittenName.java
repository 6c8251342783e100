package io.miniinference.spring.names;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/// Names of properties for messages.
public final class WrittenName {
  private WrittenName() {}

  /// A name as it was written, where Spring's own text of it lacks underscores.
  public static String of(ConfigurationPropertyName name) {
    var text = new StringBuilder();
    for (int i = 0; i < name.getNumberOfElements(); i++) {
      String element = name.getElement(i, Form.ORIGINAL);
      boolean isIndexed = name.chop(i + 1).isLastElementIndexed();
      text.append(isIndexed ? "[" + element + "]" : (i == 0 ? "" : ".") + element);
    }
    return text.toString();
  }
}
