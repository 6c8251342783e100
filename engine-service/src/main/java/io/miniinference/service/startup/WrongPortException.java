package io.miniinference.service.startup;

/// A property does not name a port, or that of another server.
final class WrongPortException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  WrongPortException(String property, String value) {
    super(
        "%s is '%s': it takes a port, from 0 (any that is free) to 65535"
            .formatted(property, value));
  }

  WrongPortException(String property, String other, int port) {
    super(
        "%s and %s are both %d, and each server has a port of its own (that of gRPC is the one after server.port if none is set)"
            .formatted(property, other, port));
  }
}
