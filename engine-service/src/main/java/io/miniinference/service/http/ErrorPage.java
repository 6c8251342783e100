package io.miniinference.service.http;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// What the container refuses while a request is read, such as a broken chunk, in the words of the
/// protocol.
@RestController
final class ErrorPage implements ErrorController {

  @RequestMapping("/error")
  ResponseEntity<Map<String, String>> error(HttpServletRequest request) {
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    HttpStatus known = status instanceof Integer code ? HttpStatus.resolve(code) : null;
    String message =
        known == null ? "there is nothing at " + request.getRequestURI() : known.getReasonPhrase();
    return ResponseEntity.status(known == null ? HttpStatus.NOT_FOUND : known)
        .contentType(MediaType.APPLICATION_JSON)
        .body(Map.of("error", message));
  }
}
