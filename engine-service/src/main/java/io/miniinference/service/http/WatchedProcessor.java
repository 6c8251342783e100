package io.miniinference.service.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.coyote.Adapter;
import org.apache.coyote.ErrorState;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11InputBuffer;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.buf.MessageBytes;
import org.apache.tomcat.util.http.MimeHeaders;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.apache.tomcat.util.res.StringManager;
import org.jspecify.annotations.Nullable;

/// A processor of requests that can be asked for its connection. What it reads when it looks for
/// the end of the connection stays for the next request. A head that is too long for its buffer is
/// refused by the status that says so, where Tomcat calls it a bad request. Names of hosts may have
/// `_` in them, as those of containers often do.
final class WatchedProcessor extends Http11Processor implements ClientConnection {
  private static final int BAD_REQUEST = 400;
  private static final int URI_TOO_LONG = 414;
  private static final int HEADERS_TOO_LONG = 431;
  private static final String TOO_LONG =
      StringManager.getManager(Http11InputBuffer.class)
          .getString("iib.requestheadertoolarge.error");

  private static final StringManager TOO_MANY = StringManager.getManager(MimeHeaders.class);

  private static final int NOTHING = 0;

  /// The status of a request whose head is too long: Tomcat goes on to look for what else of it is
  /// missing, and calls that a bad request again.
  private int tooLong;

  private final int mostHeaders;

  WatchedProcessor(AbstractHttp11Protocol<?> protocol, Adapter adapter) {
    super(protocol, adapter);
    mostHeaders = protocol.getMaxHeaderCount();
  }

  /* Tomcat takes the letters, digits and hyphens of DNS alone: it is shown a letter in place of each
  `_`, and the name is as it came again for whoever makes links of it. */
  @Override
  protected void parseHost(@Nullable MessageBytes host) {
    String name = host == null ? null : host.toString();
    if (name == null || name.indexOf('_') < 0) {
      super.parseHost(host);
      return;
    }
    byte[] shown = name.replace('_', 'x').getBytes(StandardCharsets.ISO_8859_1);
    MessageBytes plain = MessageBytes.newInstance();
    plain.setBytes(shown, 0, shown.length);
    super.parseHost(plain);
    if (!getErrorState().isError()) {
      int length = request.serverName().toString().length(); // without the port
      request.serverName().setString(name.substring(0, length));
    }
  }

  /// What stands for the connection.
  Object socket() {
    return Objects.requireNonNull(getSocketWrapper());
  }

  @Override
  protected void setErrorState(ErrorState state, @Nullable Throwable error) {
    if (!getErrorState().isError()) {
      tooLong = isTooLong(error) ? headTooLong() : hasTooMany(error) ? HEADERS_TOO_LONG : NOTHING;
    }
    if (tooLong != NOTHING && response.getStatus() == BAD_REQUEST) {
      response.setStatus(tooLong);
    }
    super.setErrorState(state, error);
  }

  private int headTooLong() {
    return request.requestURI().isNull() ? URI_TOO_LONG : HEADERS_TOO_LONG;
  }

  private boolean hasTooMany(@Nullable Throwable error) {
    boolean tooMany =
        error instanceof IllegalStateException
            && TOO_MANY.getString("headers.maxCountFail", mostHeaders).equals(error.getMessage());
    if (tooMany) {
      request.setAttribute(
          ErrorPage.WHY, "the request has more than %d headers".formatted(mostHeaders));
    }
    return tooMany;
  }

  /* It has no class of its own. */
  private static boolean isTooLong(@Nullable Throwable error) {
    return error instanceof IllegalArgumentException && TOO_LONG.equals(error.getMessage());
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

  /* A connection that broke does not wait either: what reads hears of it. */
  @Override
  public boolean hasBytes() {
    SocketWrapperBase<?> socket = getSocketWrapper();
    try {
      return socket == null || socket.isReadyForRead();
    } catch (IOException e) {
      return true;
    }
  }
}
