package io.miniinference.service.config;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/// Bounds of a data size, in bytes.
@Constraint(validatedBy = SizeRange.Validator.class)
@Target({ElementType.FIELD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@interface SizeRange {
  String message() default "must be from {min} to {max} bytes";

  Class<?>[] groups() default {};

  Class<? extends Payload>[] payload() default {};

  long min();

  long max() default Long.MAX_VALUE;

  /// Checks the bounds; a missing value is another constraint's matter.
  final class Validator implements ConstraintValidator<SizeRange, DataSize> {
    private long min;
    private long max;

    @Override
    public void initialize(SizeRange range) {
      min = range.min();
      max = range.max();
    }

    @Override
    public boolean isValid(@Nullable DataSize size, ConstraintValidatorContext context) {
      return size == null || (size.toBytes() >= min && size.toBytes() <= max);
    }
  }
}
