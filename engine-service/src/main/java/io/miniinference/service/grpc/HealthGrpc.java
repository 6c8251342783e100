package io.miniinference.service.grpc;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Service;

/// The standard service `grpc.health.v1.Health`: the server as a whole and the inference service
/// serve while the service is ready, and a model, by its name, while it takes requests. It looks
/// every second, so that those who watch are told.
@Service
final class HealthGrpc implements BindableService, SmartLifecycle {
  private static final long PERIOD_MILLIS = 1000;

  private final HealthStatusManager statuses = new HealthStatusManager();
  private final Readiness readiness;
  private final Catalog catalog;
  private @Nullable ScheduledExecutorService timer;

  HealthGrpc(Readiness readiness, Catalog catalog) {
    this.readiness = readiness;
    this.catalog = catalog;
    set(ServingStatus.NOT_SERVING);
  }

  @Override
  public ServerServiceDefinition bindService() {
    return statuses.getHealthService().bindService();
  }

  @Override
  public synchronized void start() {
    ScheduledExecutorService started =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("grpc-health").factory());
    started.scheduleWithFixedDelay(this::look, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    timer = started;
  }

  private void look() {
    boolean ready = readiness.isReady();
    synchronized (this) {
      set(status(ready && isRunning()));
      catalog.entries().forEach(this::set);
    }
  }

  private static ServingStatus status(boolean serves) {
    return serves ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  }

  private void set(CatalogEntry model) {
    statuses.setStatus(model.name(), status(model.readyModel() != null && isRunning()));
  }

  private void set(ServingStatus status) {
    statuses.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
    statuses.setStatus(GRPCInferenceServiceGrpc.SERVICE_NAME, status);
  }

  /// Tells those who watch before connections close.
  @Override
  public synchronized void stop() {
    ScheduledExecutorService running = timer;
    timer = null;
    if (running != null) {
      running.shutdownNow();
      set(ServingStatus.NOT_SERVING);
      catalog.entries().forEach(this::set);
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return timer != null;
  }

  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }
}
