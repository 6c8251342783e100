package io.miniinference.service.startup;

import io.miniinference.spring.names.WrittenName;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.util.unit.DataSize;

/// Tells which value of a property cannot be read, and why, where Spring's own analyzer shows types
/// and annotations.
@Order(0)
final class UnreadableValueFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {
  /// What to do about a value that is none.
  static final String ACTION = "Correct the value; docs/settings.md says what each property takes.";

  @Override
  protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
    String problem = problem(cause);
    return problem == null ? null : new FailureAnalysis(problem, ACTION, cause);
  }

  private @Nullable String problem(BindException cause) {
    ConversionFailedException failed = findCause(cause, ConversionFailedException.class);
    if (failed != null) {
      return "%s is '%s': %s"
          .formatted(WrittenName.of(cause.getName()), failed.getValue(), why(failed));
    }
    // what a record of properties says of its values
    IllegalArgumentException wrong = findCause(cause, IllegalArgumentException.class);
    return wrong == null ? null : WrittenName.of(cause.getName()) + ": " + wrong.getMessage();
  }

  private static String why(ConversionFailedException failed) {
    Class<?> type = failed.getTargetType().getObjectType();
    if (Number.class.isAssignableFrom(type)) {
      return "it takes a number";
    }
    if (type == DataSize.class) {
      return "it takes a size such as 256MB or 1GB (B, KB, MB, GB or TB, where 1KB is 1024 bytes)";
    }
    Object[] constants = type.getEnumConstants();
    return constants == null
        ? String.valueOf(NestedExceptionUtils.getMostSpecificCause(failed).getMessage())
        : Arrays.stream(constants)
            .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", ", "it takes ", ""));
  }
}
