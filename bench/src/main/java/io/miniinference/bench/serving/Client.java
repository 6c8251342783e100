package io.miniinference.bench.serving;

import module java.base;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Spread;

/// All connections of a load, on the calling thread: a thread each, woken for each answer, would
/// take from the services much more of the machine that they share with it.
final class Client implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;
  private static final int FIRST_ROOM = 1 << 14;

  private final Selector selector;
  private final DoubleStream.Builder micros = DoubleStream.builder();
  private byte[] body = {};
  private int waiting;

  Client(Selector selector) {
    this.selector = selector;
  }

  /// A connection with nothing to send, or with a request that is not answered yet.
  private static final class Connection {
    private final SocketChannel channel;
    private final Exchange exchange;
    private ByteBuffer in = ByteBuffer.allocate(FIRST_ROOM);
    private long sent;

    Connection(SocketChannel channel, Exchange exchange) {
      this.channel = channel;
      this.exchange = exchange;
    }

    void send() throws IOException {
      sent = System.nanoTime();
      write(exchange.next());
    }

    /* A socket takes a whole request at once, but for very large ones. */
    private void write(byte[] bytes) throws IOException {
      ByteBuffer out = ByteBuffer.wrap(bytes);
      while (out.hasRemaining()) {
        channel.write(out);
      }
    }

    Optional<byte[]> read() throws IOException {
      if (!in.hasRemaining()) {
        in = ByteBuffer.allocate(2 * in.capacity()).put(in.flip());
      }
      if (channel.read(in) < 0) {
        throw new BenchException("the service closed a connection");
      }
      var replies = new ByteArrayOutputStream();
      Optional<byte[]> answer = exchange.take(in.flip(), replies);
      in.compact();
      write(replies.toByteArray());
      return answer;
    }
  }

  void connect(int port, Exchange exchange) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    SocketChannel channel = SocketChannel.open(address);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, new Connection(channel, exchange));
  }

  /// Asks on each connection again and again, and waits for what is under way when time is over, so
  /// that who comes next finds an idle machine.
  ///
  /// @param weight what an answer counts
  Load.Seen ask(long millis, double weight) throws IOException {
    long start = System.nanoTime();
    long end = start + TimeUnit.MILLISECONDS.toNanos(millis);
    for (SelectionKey key : selector.keys()) {
      ((Connection) key.attachment()).send();
      waiting++;
    }
    while (waiting > 0) {
      if (selector.select(PATIENCE_MILLIS) == 0) {
        throw new BenchException("no answer in " + PATIENCE_MILLIS / 1000 + " s");
      }
      for (SelectionKey key : selector.selectedKeys()) {
        read((Connection) key.attachment(), end);
      }
      selector.selectedKeys().clear();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    double[] sorted = Spread.sorted(micros.build().toArray());
    return new Load.Seen(weight * sorted.length / seconds, sorted, body);
  }

  private void read(Connection connection, long end) throws IOException {
    Optional<byte[]> answer = connection.read();
    if (answer.isPresent()) {
      long now = System.nanoTime();
      micros.add((now - connection.sent) / 1e3);
      body = answer.get();
      if (now < end) {
        connection.send();
      } else {
        waiting--;
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
  }
}
