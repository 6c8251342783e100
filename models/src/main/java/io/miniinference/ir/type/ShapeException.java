package io.miniinference.ir.type;

import io.miniinference.ir.TensorType;
import java.util.List;
import java.util.stream.Collectors;

/// Operands that an operator cannot take: their element types or shapes do not fit each other or
/// its attributes. The message has the operator, the operands' types and the reason.
public final class ShapeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ShapeException(String message) {
    super(message);
  }

  public static ShapeException of(String operator, List<TensorType> operands, String reason) {
    String types = operands.stream().map(TensorType::toString).collect(Collectors.joining(", "));
    return new ShapeException(operator + "(" + types + "): " + reason);
  }
}
