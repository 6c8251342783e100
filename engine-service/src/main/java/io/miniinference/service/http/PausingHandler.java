package io.miniinference.service.http;

import org.apache.tomcat.util.net.AbstractEndpoint;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;

/// Tomcat's handler of connections, behind a pause for those that were refused in a flood: they
/// wait before Tomcat takes buffers for their next request, of which thousands would fill the heap.
final class PausingHandler implements AbstractEndpoint.Handler<NioChannel> {
  private final AbstractEndpoint.Handler<NioChannel> handler;
  private final RefusedConnections refused;

  PausingHandler(AbstractEndpoint.Handler<NioChannel> handler, RefusedConnections refused) {
    this.handler = handler;
    this.refused = refused;
  }

  @Override
  public SocketState process(SocketWrapperBase<NioChannel> socket, SocketEvent event) {
    if (event == SocketEvent.OPEN_READ) {
      refused.awaitReading(socket);
    }
    return handler.process(socket, event);
  }

  @Override
  public Object getGlobal() {
    return handler.getGlobal();
  }

  @Override
  public void release(SocketWrapperBase<NioChannel> socket) {
    refused.forget(socket);
    handler.release(socket);
  }

  @Override
  public void pause() {
    handler.pause();
  }

  @Override
  public void recycle() {
    handler.recycle();
  }
}
