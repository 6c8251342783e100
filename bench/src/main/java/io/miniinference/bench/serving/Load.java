package io.miniinference.bench.serving;

import io.miniinference.bench.suite.BenchException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;

/// Connections to a service that each send the next request when the last was answered, all on one
/// thread, so that the client takes as little of the machine as it can.
final class Load implements AutoCloseable {
  private static final int ROOM = 1 << 17;
  private static final long PATIENCE_MILLIS = 30_000;

  private final Selector selector;
  private long[] nanos = new long[1 << 16];
  private byte[] body = new byte[0];
  private int answered;

  private Load(Selector selector) {
    this.selector = selector;
  }

  /// What a slice showed.
  ///
  /// @param rate answers a second
  /// @param median latency in µs
  /// @param tail 99th percentile of latencies in µs
  /// @param body of the last answer
  record Seen(double rate, double median, double tail, byte[] body) {}

  /// Asks a service for a time, and until one answer at least.
  static Seen run(int port, Supplier<Exchange> exchanges, int connections, Duration time) {
    try (var load = new Load(Selector.open())) {
      for (int i = 0; i < connections; i++) {
        load.connect(port, exchanges.get());
      }
      return load.run(time.toNanos());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// One connection.
  private static final class Connection {
    private final SocketChannel channel;
    private final Exchange exchange;
    private final ByteBuffer in = ByteBuffer.allocate(ROOM);
    private long sent;

    Connection(SocketChannel channel, Exchange exchange) {
      this.channel = channel;
      this.exchange = exchange;
    }

    void send(long now) {
      sent = now;
      write(exchange.next());
    }

    void write(ByteBuffer bytes) {
      try {
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    boolean isAnswered() throws IOException {
      if (channel.read(in) < 0) {
        throw new BenchException("the service closed a connection");
      }
      boolean ended = exchange.take(in.flip(), bytes -> write(ByteBuffer.wrap(bytes)));
      in.compact();
      return ended;
    }
  }

  private void connect(int port, Exchange exchange) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    SocketChannel channel = SocketChannel.open(address);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    var connection = new Connection(channel, exchange);
    channel.register(selector, SelectionKey.OP_READ, connection);
    connection.write(ByteBuffer.wrap(exchange.opening()));
  }

  private Seen run(long length) throws IOException {
    long start = System.nanoTime();
    selector.keys().forEach(key -> ((Connection) key.attachment()).send(start));
    while (answered == 0 || System.nanoTime() - start < length) {
      if (selector.select(this::ready, PATIENCE_MILLIS) == 0) {
        throw new BenchException("no answer in " + PATIENCE_MILLIS / 1000 + " s");
      }
    }
    return seen(System.nanoTime() - start);
  }

  private void ready(SelectionKey key) {
    Connection connection = (Connection) key.attachment();
    try {
      if (connection.isAnswered()) {
        long now = System.nanoTime();
        add(now - connection.sent);
        body = connection.exchange.body();
        connection.send(now);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(long latency) {
    nanos = answered == nanos.length ? Arrays.copyOf(nanos, 2 * answered) : nanos;
    nanos[answered++] = latency;
  }

  private Seen seen(long length) {
    long[] sorted = Arrays.copyOf(nanos, answered);
    Arrays.sort(sorted);
    return new Seen(
        answered / (length / 1e9),
        sorted[answered / 2] / 1e3,
        sorted[(int) (answered * 0.99)] / 1e3,
        body);
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
  }
}
