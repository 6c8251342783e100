package io.miniinference.service.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.tomcat.util.net.NioEndpoint;

/// Tomcat's connections, of which one address may have a number at most; a further one is closed
/// before it is read.
final class CountingEndpoint extends NioEndpoint {
  private static final int MOST_ADDRESSES = 10_000;

  private final Map<InetAddress, Set<SocketChannel>> byAddress = new ConcurrentHashMap<>();
  private int mostPerAddress;

  /// @param most 0 for any number
  void setMostPerAddress(int most) {
    mostPerAddress = most;
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
