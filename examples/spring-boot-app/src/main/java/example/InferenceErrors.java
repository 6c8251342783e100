package example;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.RequestFailedException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What a caller is told of a request that a model does not answer. */
@RestControllerAdvice
class InferenceErrors {
  /**
   * It does not fit the model, or {@code Tensor.of} its shape, or rows of it failed by their own
   * data: the caller's.
   */
  @ExceptionHandler({
    InvalidRequestException.class,
    IllegalArgumentException.class,
    RequestFailedException.class
  })
  ProblemDetail badRequest(RuntimeException error) {
    return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, error.getMessage());
  }

  /** The pool has no room for a request of that shape, which only models with open sizes ask for. */
  @ExceptionHandler
  ProblemDetail noRoom(LoadRefusedException error) {
    return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, error.getMessage());
  }
}
