package io.miniinference.service.http;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/// Keeps a connection open after a refusal; see [KeepAliveProtocol].
final class KeepAliveValve extends ValveBase {
  KeepAliveValve() {
    super(true);
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    getNext().invoke(request, response);
    if (!request.isAsync()) {
      KeepAliveProtocol.hideStatus(response.getCoyoteResponse());
    }
  }
}
