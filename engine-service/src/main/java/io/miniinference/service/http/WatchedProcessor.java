package io.miniinference.service.http;

import java.io.IOException;
import org.apache.coyote.Adapter;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.SocketWrapperBase;

/// A processor of requests that can be asked for its connection. What it reads when it looks for
/// the end of the connection stays for the next request.
final class WatchedProcessor extends Http11Processor implements ClientConnection {
  WatchedProcessor(AbstractHttp11Protocol<?> protocol, Adapter adapter) {
    super(protocol, adapter);
  }

  @Override
  public boolean isGone() {
    SocketWrapperBase<?> socket = getSocketWrapper();
    if (socket == null) {
      return true;
    }
    try {
      socket.isReadyForRead();
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
