import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// Attacks a running service and tells what a good client sees of each attack: run as
///
///     java bench/Overload.java http://localhost:8080 mnist-cnn Input3 --seconds 10 [--only NAME]
///
/// A good client asks for one image every 5 ms on a connection of its own, four such clients at a time,
/// before each attack (quiet) and while it runs. The last rows offer ten times the service's capacity, open
/// loop, and ask from 5,000 connections without a pause; their good requests are those that were let in.
final class Overload {
  private static final int PIXELS = 28 * 28;
  private static final int GOOD_CLIENTS = 4;
  private static final long GAP_NANOS = 5_000_000;
  private static final int PATIENCE_MILLIS = 30_000;

  private static URI base;
  private static String path;
  private static byte[] good;
  private static double seconds = 10;

  private Overload() {}

  /// What clients saw.
  private static final class Seen {
    final ConcurrentLinkedQueue<Long> answered = new ConcurrentLinkedQueue<>();
    final ConcurrentLinkedQueue<Long> refused = new ConcurrentLinkedQueue<>();
    final AtomicInteger failed = new AtomicInteger();

    void add(int status, long nanos) {
      switch (status) {
        case 200 -> answered.add(nanos);
        case 429, 503 -> refused.add(nanos);
        default -> failed.incrementAndGet();
      }
    }
  }

  /// Does harm until it is told to stop.
  private interface Attack {
    void run(AtomicBoolean stop) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    if (args.length < 3) {
      throw new IllegalArgumentException("usage: java Overload.java URL MODEL INPUT [--seconds S] [--only NAME]");
    }
    base = URI.create(args[0]);
    path = "/v2/models/" + args[1] + "/infer";
    good = goodRequest(args[2]);
    String only = "";
    for (int i = 3; i + 1 < args.length; i += 2) {
      switch (args[i]) {
        case "--seconds" -> seconds = Double.parseDouble(args[i + 1]);
        case "--only" -> only = args[i + 1];
        default -> throw new IllegalArgumentException("unknown option " + args[i]);
      }
    }
    warmUp();
    attack(only, "dripping bodies", _ -> held(2_000, head(1 << 20) + "{", true));
    attack(only, "declared and empty", _ -> held(1_000, head(60 << 20), false));
    attack(only, "slow headers", _ -> held(200, "POST " + path + " HTTP/1.1\r\nX-A: ", true));
    attack(only, "20 x 64 MB", Overload::large);
    attack(only, "10^6 keys", Overload::keys);
    capacity(only);
  }

  private static byte[] goodRequest(String input) {
    var image = new Random(1).doubles(PIXELS).mapToObj(value -> (float) value).toList();
    String json =
        "{\"inputs\":[{\"name\":\"%s\",\"shape\":[1,1,28,28],\"datatype\":\"FP32\",\"data\":%s}]}".formatted(input, image);
    return (head(json.length()) + json).getBytes(StandardCharsets.US_ASCII);
  }

  private static String head(int length) {
    return "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n".formatted(path, base.getHost(), length);
  }

  private static void warmUp() throws Exception {
    System.out.printf("warming up for %.0f s%n", seconds);
    clients(64, 0, new Seen(), deadline());
  }

  private static long deadline() {
    return System.nanoTime() + (long) (seconds * 1e9);
  }

  private static void attack(String only, String name, Attack attack) throws Exception {
    if (!only.isEmpty() && !only.equals(name)) {
      return;
    }
    Seen quiet = new Seen();
    clients(GOOD_CLIENTS, GAP_NANOS, quiet, deadline());
    var stop = new AtomicBoolean();
    Thread attacker = Thread.ofPlatform().start(() -> quietly(() -> attack.run(stop)));
    Seen under = new Seen();
    clients(GOOD_CLIENTS, GAP_NANOS, under, deadline());
    stop.set(true);
    STOP.set(true);
    attacker.interrupt();
    attacker.join();
    STOP.set(false);
    System.out.printf(
        Locale.ROOT,
        "%-20s good p99 %.1f ms, was %.1f ms (%.1fx); %d answered, %d refused, %d failed%n",
        name,
        p(under.answered, 0.99),
        p(quiet.answered, 0.99),
        p(under.answered, 0.99) / p(quiet.answered, 0.99),
        under.answered.size(),
        under.refused.size(),
        under.failed.get());
  }

  private static final AtomicBoolean STOP = new AtomicBoolean();

  private interface Work {
    void run() throws Exception;
  }

  private static void quietly(Work work) {
    try {
      work.run();
    } catch (Exception e) {
      if (!STOP.get()) {
        System.err.println("the attack ended: " + e);
      }
    }
  }

  /* Connections that sent a beginning, and then a byte a second or nothing. */
  private static void held(int count, String begin, boolean drips) throws Exception {
    List<Socket> open = new ArrayList<>();
    try {
      for (int i = 0; i < count && !STOP.get(); i++) {
        var socket = new Socket(base.getHost(), base.getPort());
        socket.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
        open.add(socket);
      }
      while (!STOP.get()) {
        Thread.sleep(1_000);
        for (Socket socket : drips ? open : List.<Socket>of()) {
          quietly(() -> socket.getOutputStream().write('a'));
        }
      }
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  private static void large(AtomicBoolean stop) throws Exception {
    byte[] body = new byte[64 << 20];
    Arrays.fill(body, (byte) ' ');
    repeat(20, stop, head(body.length).getBytes(StandardCharsets.US_ASCII), body);
  }

  private static void keys(AtomicBoolean stop) throws Exception {
    var text = new StringBuilder("{");
    for (int i = 0; i < 1_000_000; i++) {
      text.append(i == 0 ? "" : ",").append("\"k").append(i).append("\":0");
    }
    byte[] body = text.append('}').toString().getBytes(StandardCharsets.US_ASCII);
    repeat(1, stop, head(body.length).getBytes(StandardCharsets.US_ASCII), body);
  }

  private static void repeat(int clients, AtomicBoolean stop, byte[] head, byte[] body) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < clients; i++) {
        threads.submit(() -> {
          while (!stop.get()) {
            quietly(() -> {
              try (var socket = new Socket(base.getHost(), base.getPort())) {
                socket.setSoTimeout(PATIENCE_MILLIS);
                socket.getOutputStream().write(head);
                socket.getOutputStream().write(body);
                answer(new BufferedInputStream(socket.getInputStream()));
              }
            });
          }
        });
      }
    }
  }

  private static void capacity(String only) throws Exception {
    if (!only.isEmpty() && !only.equals("capacity")) {
      return;
    }
    Seen full = new Seen();
    clients(64, 0, full, deadline());
    double rate = full.answered.size() / seconds;
    System.out.printf(Locale.ROOT, "at capacity (64)     %,.0f answered/s, p99 %.1f ms%n", rate, p(full.answered, 0.99));
    tell("5,000 connections", rate, full, closed(5_000));
    tell("10x, open loop", rate, full, open(10 * rate));
  }

  private static void tell(String name, double rate, Seen full, Seen seen) {
    System.out.printf(
        Locale.ROOT,
        "%-20s %,.0f answered/s (%.0f %%), p99 %.1f ms (%.1fx); %d refused, median %.1f ms; %d failed%n",
        name,
        seen.answered.size() / seconds,
        100 * seen.answered.size() / seconds / rate,
        p(seen.answered, 0.99),
        p(seen.answered, 0.99) / p(full.answered, 0.99),
        seen.refused.size(),
        p(seen.refused, 0.5),
        seen.failed.get());
  }

  private static Seen closed(int connections) throws Exception {
    Seen seen = new Seen();
    clients(connections, 0, seen, deadline());
    return seen;
  }

  /* Requests leave at their times whether or not others were answered, on up to 5,000 connections; a request
  that finds none free counts as failed: the client, not the service, was too slow. */
  private static Seen open(double rate) throws Exception {
    Seen seen = new Seen();
    var free = new ConcurrentLinkedQueue<Client>();
    var room = new Semaphore(5_000);
    long end = deadline();
    long start = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (long i = 0; System.nanoTime() < end; i++) {
        long due = start + (long) (i * 1e9 / rate);
        while (System.nanoTime() < due) {
          Thread.onSpinWait();
        }
        if (room.tryAcquire()) {
          threads.submit(() -> {
            Client client = free.poll();
            try {
              client = client == null ? new Client() : client;
              client.ask(seen, due);
              free.add(client);
            } catch (IOException e) {
              seen.failed.incrementAndGet();
            } finally {
              room.release();
            }
          });
        } else {
          seen.failed.incrementAndGet();
        }
      }
    }
    return seen;
  }

  private static void clients(int count, long gap, Seen seen, long end) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        threads.submit(() -> ask(gap, seen, end));
      }
      threads.shutdown();
      threads.awaitTermination(10, TimeUnit.MINUTES);
    }
  }

  private static void ask(long gap, Seen seen, long end) {
    while (System.nanoTime() < end) {
      try {
        var client = new Client();
        while (System.nanoTime() < end) {
          client.ask(seen, System.nanoTime());
          if (gap > 0) {
            TimeUnit.NANOSECONDS.sleep(gap);
          }
        }
      } catch (IOException e) {
        seen.failed.incrementAndGet();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /// One connection.
  private static final class Client {
    private final Socket socket = new Socket(base.getHost(), base.getPort());
    private final BufferedInputStream in;

    Client() throws IOException {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
    }

    void ask(Seen seen, long since) throws IOException {
      socket.getOutputStream().write(good);
      int status = answer(in);
      seen.add(status, System.nanoTime() - since);
    }
  }

  private static int answer(InputStream in) throws IOException {
    int status = Integer.parseInt(line(in).split(" ")[1]);
    int length = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Integer.parseInt(line.substring(15).strip());
      }
    }
    in.readNBytes(length);
    return status;
  }

  private static String line(InputStream in) throws IOException {
    var text = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the service closed the connection");
      }
      if (next != '\r') {
        text.append((char) next);
      }
    }
    return text.toString();
  }

  private static double p(ConcurrentLinkedQueue<Long> nanos, double part) {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[(int) (sorted.length * part)] / 1e6;
  }
}
