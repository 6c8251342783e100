package io.miniinference.service.startup;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConversionFailedException;

/// Tells which value of an `engine.*` property cannot be read, and why, where Spring's own analyzer
/// shows types and annotations.
@Order(0)
final class UnreadableValueFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {
  private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("engine");

  @Override
  protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
    ConversionFailedException failed = findCause(cause, ConversionFailedException.class);
    return failed == null || !OURS.isAncestorOf(cause.getName())
        ? null
        : new FailureAnalysis(
            "%s is '%s': %s".formatted(cause.getName(), failed.getValue(), why(failed)),
            "Correct the value; docs/settings.md says what each property takes.",
            cause);
  }

  private static String why(ConversionFailedException failed) {
    Object[] constants = failed.getTargetType().getType().getEnumConstants();
    return constants == null
        ? String.valueOf(NestedExceptionUtils.getMostSpecificCause(failed).getMessage())
        : Arrays.stream(constants)
            .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", ", "it takes ", ""));
  }
}
