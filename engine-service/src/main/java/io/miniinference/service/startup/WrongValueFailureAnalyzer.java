package io.miniinference.service.startup;

import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.context.properties.bind.validation.ValidationErrors;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.annotation.Order;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;

/// Tells which values are out of their bounds, by the names that users write, where Spring's own
/// analyzer shows the class that they are bound to.
@Order(0)
final class WrongValueFailureAnalyzer extends AbstractFailureAnalyzer<BindValidationException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, BindValidationException cause) {
    ValidationErrors errors = cause.getValidationErrors();
    return new FailureAnalysis(
        errors.getAllErrors().stream()
            .map(error -> problem(errors, error))
            .collect(Collectors.joining("\n")),
        UnreadableValueFailureAnalyzer.ACTION,
        cause);
  }

  private static String problem(ValidationErrors errors, ObjectError error) {
    return error instanceof FieldError field
        ? "%s is '%s': %s".formatted(name(errors, field), field.getRejectedValue(), why(field))
        : errors.getName() + ": " + why(error);
  }

  private static String why(ObjectError error) {
    return String.valueOf(error.getDefaultMessage());
  }

  /* As it was written, if it was. */
  private static String name(ValidationErrors errors, FieldError field) {
    return Origin.from(field) instanceof PropertySourceOrigin written
        ? written.getPropertyName()
        : errors.getName() + "." + DataObjectPropertyName.toDashedForm(field.getField());
  }
}
