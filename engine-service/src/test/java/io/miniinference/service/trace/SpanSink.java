package io.miniinference.service.trace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A collector on a free port of this host: it takes what is exported as OTLP over HTTP.
final class SpanSink implements AutoCloseable {
  private final HttpServer server;
  private final Queue<ResourceSpans> taken = new ConcurrentLinkedQueue<>();
  private final Queue<String> authorizations = new ConcurrentLinkedQueue<>();

  SpanSink() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/traces", this::take);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
      taken.addAll(
          ExportTraceServiceRequest.parseFrom(exchange.getRequestBody()).getResourceSpansList());
      exchange.sendResponseHeaders(200, -1);
    }
  }

  String endpoint() {
    return "http://localhost:" + server.getAddress().getPort() + "/v1/traces";
  }

  List<ResourceSpans> taken() {
    return List.copyOf(taken);
  }

  List<String> authorizations() {
    return List.copyOf(authorizations);
  }

  List<Span> spans() {
    return taken.stream()
        .flatMap(of -> of.getScopeSpansList().stream())
        .flatMap(scope -> scope.getSpansList().stream())
        .toList();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
