package io.miniinference.service.startup;

import java.net.BindException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.core.annotation.Order;

/// Tells that a port cannot be had: that of HTTP, of Actuator or of gRPC.
@Order(0)
final class UsedPortFailureAnalyzer implements FailureAnalyzer {
  private static final String ACTION =
      "End the process that listens there, or take other ports with server.port,"
          + " spring.grpc.server.port and management.server.port.";

  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    String last = String.valueOf(failure.getMessage());
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof PortInUseException used) {
        return new FailureAnalysis("port " + used.getPort() + " is in use", ACTION, cause);
      }
      if (cause instanceof BindException bind) {
        return new FailureAnalysis(last + ": " + bind.getMessage(), ACTION, cause);
      }
      last = String.valueOf(cause.getMessage());
    }
    return null;
  }
}
