package io.miniinference.service.http;

import io.miniinference.service.config.EngineProperties;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// The first step of the end: no connection is accepted any more, and each that is open gets
/// `Connection: close` with its next answer, so that clients leave without losing a request: one
/// that comes back finds the port closed already. It ends when all have left, or after a time; what
/// is in flight then is waited for by the steps after it.
@Component
final class Drain implements SmartLifecycle {
  private static final long LOOK_MILLIS = 5;

  private final long mostNanos;
  private final List<KeepAliveProtocol> protocols = new CopyOnWriteArrayList<>();
  private volatile boolean running;
  private volatile boolean closing;

  Drain(EngineProperties properties) {
    mostNanos = properties.http().drainTime().toNanos();
  }

  void watch(KeepAliveProtocol protocol) {
    protocols.add(protocol);
  }

  /// Whether the service ends, and each answer is to be the last of its connection.
  boolean isClosing() {
    return closing;
  }

  @Override
  public void start() {
    running = true;
    closing = false;
  }

  @Override
  public void stop() {
    running = false;
    if (mostNanos > 0) {
      protocols.forEach(KeepAliveProtocol::closePort);
    }
    closing = true;
    if (mostNanos > 0) {
      awaitLeaving(System.nanoTime() + mostNanos);
    }
  }

  private void awaitLeaving(long deadline) {
    try {
      while (hasConnections() && System.nanoTime() < deadline) {
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean hasConnections() {
    return protocols.stream().anyMatch(protocol -> protocol.connections() > 0);
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }
}
