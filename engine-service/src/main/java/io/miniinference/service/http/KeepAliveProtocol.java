package io.miniinference.service.http;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.SocketEvent;
import org.jspecify.annotations.Nullable;

/// Tomcat's HTTP/1.1, but a connection stays open after an application has answered with status
/// 400, 413, 500, 501 or 503. Tomcat closes it, for fear that the rest of a body that was not
/// understood is taken for a request; here an application answers only requests whose end Tomcat
/// knows, and the rest of a body is read up to `maxSwallowSize`, beyond which Tomcat closes all the
/// same. Requests that Tomcat itself refuses never come here.
///
/// Tomcat decides when it writes the head, by the status at that moment, asks then for the name of
/// the server, and takes the status again to write it. So when the application has returned
/// ([KeepAliveValve]) the status becomes another one that is no reason to close, until the server's
/// name is asked for. (An answer whose last byte was written is sent at once if its length was set:
/// errors leave that to Tomcat.) Tomcat decides once more at the end, and sees success.
///
/// A connection that goes over to HTTP/2 (`server.http2.enabled`) needs none of this, since there a
/// refusal ends a stream: its requests come without a [ClientConnection].
public final class KeepAliveProtocol extends Http11NioProtocol {
  private static final Set<Integer> KEPT = Set.of(400, 413, 500, 501, 503);
  private static final int HARMLESS = 422;

  /// The status of a request whose body does not come: Tomcat closes the connection, and need not
  /// wait for the rest once more.
  private static final int TOO_SLOW = 408;

  private static final ThreadLocal<@Nullable Head> HEAD = new ThreadLocal<>();

  private final CountingEndpoint endpoint;

  public KeepAliveProtocol() {
    this(new CountingEndpoint());
  }

  private KeepAliveProtocol(CountingEndpoint endpoint) {
    super(endpoint);
    this.endpoint = endpoint;
  }

  /// @param most connections that one address may have; 0 for any number
  void setMostPerAddress(int most) {
    endpoint.setMostPerAddress(most);
  }

  /// @param longest pause of a connection that asks too soon in a flood; zero for none
  void setRefusedPause(Duration longest) {
    endpoint.refused().setLongest(longest);
  }

  /// Refuses further connections; those that are open stay so.
  void closePort() {
    endpoint.closePort();
  }

  /// Connections that are open now.
  int connections() {
    return endpoint.getConnections().size();
  }

  /// A head that is about to be written.
  private record Head(Response response, int status) {
    void restore() {
      response.setStatus(status);
      HEAD.remove();
    }
  }

  /// Hides the status of an answer that nothing was sent of, until its head is written.
  static void hideStatus(Request request, Response response) {
    if (request.getAttribute(ClientConnection.ATTRIBUTE) != null
        && !response.isCommitted()
        && KEPT.contains(response.getStatus())) {
      HEAD.set(new Head(response, response.getStatus()));
      response.setStatus(HARMLESS);
    }
  }

  private static void restoreStatus() {
    Head head = HEAD.get();
    if (head != null) {
      head.restore();
    }
  }

  @Override
  public @Nullable String getServer() {
    restoreStatus();
    return super.getServer();
  }

  @Override
  protected Processor createProcessor() {
    var adapter = new KeepingAdapter(getAdapter(), endpoint.refused(), getMaxSwallowSize());
    var processor = new WatchedProcessor(this, adapter);
    adapter.processor = processor;
    return processor;
  }

  private static final class KeepingAdapter implements Adapter {
    private final Adapter adapter;
    private final RefusedConnections refused;
    private final long mostBytes;
    private @Nullable WatchedProcessor processor;

    KeepingAdapter(Adapter adapter, RefusedConnections refused, long mostBytes) {
      this.adapter = adapter;
      this.refused = refused;
      this.mostBytes = mostBytes;
    }

    @Override
    public void service(Request request, Response response) throws Exception {
      WatchedProcessor connection = Objects.requireNonNull(processor);
      if (connection.getRequest() != request) { // a stream of HTTP/2, which this one went over to
        adapter.service(request, response);
        return;
      }
      refused.awaitReading(connection.socket()); // of a request that came with the one before
      request.setAttribute(ClientConnection.ATTRIBUTE, connection);
      try {
        adapter.service(request, response);
      } finally {
        restoreStatus();
      }
      if (response.getStatus() == TOO_SLOW) {
        request.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
      } else {
        RestOfBody.read(request, connection, mostBytes);
      }
      refused.answered(connection.socket(), response.getStatus(), System.nanoTime());
      if (KEPT.contains(response.getStatus())) {
        response.setStatus(200);
      }
    }

    @Override
    public boolean prepare(Request request, Response response) throws Exception {
      return adapter.prepare(request, response);
    }

    @Override
    public boolean asyncDispatch(Request request, Response response, SocketEvent event)
        throws Exception {
      return adapter.asyncDispatch(request, response, event);
    }

    @Override
    public void log(Request request, Response response, long time) {
      adapter.log(request, response, time);
    }

    @Override
    public void checkRecycled(Request request, Response response) {
      adapter.checkRecycled(request, response);
    }

    @Override
    public String getDomain() {
      return adapter.getDomain();
    }
  }
}
