package io.miniinference.service.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tomcat's connections, of which one address may have a number at most; a further one is closed
/// before it is read. Its port is closed before the thread that accepts is stopped: in the other
/// order, Tomcat's, the system goes on connecting clients for a while, and resets them.
final class CountingEndpoint extends NioEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(CountingEndpoint.class);
  private static final int MOST_ADDRESSES = 10_000;

  private final Map<InetAddress, Set<SocketChannel>> byAddress = new ConcurrentHashMap<>();
  private final RefusedConnections refused = new RefusedConnections();
  private int mostPerAddress;
  private volatile @Nullable PortEnd end;

  /// Those that are read later.
  RefusedConnections refused() {
    return refused;
  }

  @Override
  public void setHandler(Handler<NioChannel> handler) {
    super.setHandler(new PausingHandler(handler, refused));
  }

  /// @param most 0 for any number
  void setMostPerAddress(int most) {
    mostPerAddress = most;
  }

  /// Closes the port: whoever connects from now on is refused, and all who had connected are
  /// served.
  void closePort() {
    var closing = new PortEnd();
    end = closing;
    try {
      doCloseServerSocket();
    } catch (IOException e) {
      LOG.warn("the port could not be closed", e);
    }
    closing.awaitLast();
    closeServerSocketGraceful();
    closing.stopped();
  }

  @Override
  protected SocketChannel serverSocketAccept() throws Exception {
    try {
      return super.serverSocketAccept();
    } catch (Exception e) {
      PortEnd closing = end;
      if (closing == null) {
        throw e;
      }
      return closing.afterLast();
    }
  }

  /* There is no port to connect to, which is how a thread that accepts is woken. */
  @Override
  protected void unlockAccept() {
    if (end == null) {
      super.unlockAccept();
    }
  }

  @Override
  protected void initServerSocket() throws Exception {
    end = null;
    super.initServerSocket();
  }

  @Override
  protected boolean setSocketOptions(SocketChannel socket) {
    if (mostPerAddress == 0 || isWithinBound(socket)) {
      return super.setSocketOptions(socket);
    }
    destroySocket(socket);
    return false;
  }

  /* Closed ones are forgotten when their address opens another. */
  private boolean isWithinBound(SocketChannel socket) {
    try {
      InetAddress address = ((InetSocketAddress) socket.getRemoteAddress()).getAddress();
      return enter(address, socket);
    } catch (IOException e) {
      return false;
    }
  }

  private boolean enter(InetAddress address, SocketChannel socket) {
    boolean[] entered = {false};
    byAddress.compute(
        address,
        (_, known) -> {
          Set<SocketChannel> open = known == null ? new HashSet<>() : known;
          if (open.size() >= mostPerAddress) {
            open.removeIf(channel -> !channel.isOpen());
          }
          entered[0] = open.size() < mostPerAddress && open.add(socket);
          return open;
        });
    forgetIdle();
    return entered[0];
  }

  private void forgetIdle() {
    if (byAddress.size() > MOST_ADDRESSES) {
      byAddress.values().removeIf(channels -> channels.stream().noneMatch(SocketChannel::isOpen));
    }
  }
}
