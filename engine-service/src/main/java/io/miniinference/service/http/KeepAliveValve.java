package io.miniinference.service.http;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/// Keeps a connection open after a refusal (see [KeepAliveProtocol]), and tells the client to close
/// it when the service ends.
final class KeepAliveValve extends ValveBase {
  private final Drain drain;

  KeepAliveValve(Drain drain) {
    super(true);
    this.drain = drain;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    closeAtTheEnd(response);
    getNext().invoke(request, response);
    closeAtTheEnd(response);
    if (!request.isAsync()) {
      KeepAliveProtocol.hideStatus(request.getCoyoteRequest(), response.getCoyoteResponse());
    }
  }

  /* Before, since a whole answer is sent at once; and after, since errors begin anew. */
  private void closeAtTheEnd(Response response) {
    if (drain.isClosing() && !response.isCommitted()) {
      response.setHeader("Connection", "close");
    }
  }
}
