import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// Asks a running service for single images from a number of connections that each wait for their answer, and tells
/// requests a second and latencies: run as
///
///     java bench/Load.java http://localhost:8080 mnist-cnn Input3 --concurrency 64 --seconds 10 --protocol binary
///
/// Protocols: `binary` (tensors behind the JSON, both ways), `json`. Half of the time warms up and is not counted.
final class Load {
  private static final int PIXELS = 28 * 28;
  private static final String USAGE =
      "usage: java Load.java URL MODEL INPUT [--concurrency N] [--seconds S] [--protocol binary|json]";

  private record Options(URI base, String model, String input, int concurrency, double seconds, boolean binary) {}

  private record Samples(long[] nanos, int count) {}

  private Load() {}

  private static final long PATIENCE_SECONDS = 60;

  public static void main(String[] args) throws Exception {
    Options options = parsed(args);
    byte[] request = request(options);
    long start = System.nanoTime();
    long counted = start + (long) (options.seconds * 0.5e9);
    long end = start + (long) (options.seconds * 1e9);
    List<Future<Samples>> clients = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(options.concurrency);
    for (int i = 0; i < options.concurrency; i++) {
      clients.add(threads.submit((Callable<Samples>) () -> client(options, request, counted, end)));
    }
    threads.shutdown(); // JDKs before 21 cannot close it
    threads.awaitTermination((long) options.seconds + PATIENCE_SECONDS, TimeUnit.SECONDS);
    try {
      print(options, clients, (end - counted) / 1e9);
    } catch (ExecutionException e) {
      System.err.println(options.base + ": " + e.getCause().getMessage());
      System.exit(1);
    }
  }

  /* A wrong command line is told in a line. */
  private static Options parsed(String[] args) {
    try {
      return parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      throw e; // not reached
    }
  }

  private static Options parse(String[] args) {
    if (args.length < 3 || args.length % 2 == 0) {
      throw new IllegalArgumentException(USAGE);
    }
    int concurrency = 64;
    double seconds = 10;
    boolean binary = true;
    for (int i = 3; i < args.length; i += 2) {
      switch (args[i]) {
        case "--concurrency" -> concurrency = Integer.parseInt(args[i + 1]);
        case "--seconds" -> seconds = Double.parseDouble(args[i + 1]);
        case "--protocol" -> binary = args[i + 1].equals("binary");
        default -> throw new IllegalArgumentException("unknown option " + args[i] + "\n" + USAGE);
      }
    }
    return new Options(URI.create(args[0]), args[1], args[2], concurrency, seconds, binary);
  }

  private static byte[] request(Options options) {
    var image = new Random(1).doubles(PIXELS).mapToObj(value -> (float) value).toList();
    String head = "{\"inputs\":[{\"name\":\"%s\",\"shape\":[1,1,28,28],\"datatype\":\"FP32\",".formatted(options.input);
    String json =
        options.binary
            ? head + "\"parameters\":{\"binary_data_size\":" + 4 * PIXELS + "}}],\"parameters\":{\"binary_data_output\":true}}"
            : head + "\"data\":" + image + "}]}";
    ByteBuffer data = ByteBuffer.allocate(options.binary ? 4 * PIXELS : 0).order(ByteOrder.LITTLE_ENDIAN);
    if (options.binary) {
      image.forEach(data::putFloat);
    }
    String headers =
        "POST /v2/models/%s/infer HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n"
            .formatted(options.model, options.base.getHost(), json.length() + data.capacity());
    String length = options.binary ? "Inference-Header-Content-Length: " + json.length() + "\r\n" : "";
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes((headers + length + "\r\n" + json).getBytes(StandardCharsets.US_ASCII));
    bytes.writeBytes(data.array());
    return bytes.toByteArray();
  }

  private static Samples client(Options options, byte[] request, long counted, long end) throws IOException {
    long[] nanos = new long[1 << 16];
    int count = 0;
    try (var socket = new Socket(options.base.getHost(), options.base.getPort())) {
      socket.setTcpNoDelay(true);
      var in = new BufferedInputStream(socket.getInputStream());
      long now = System.nanoTime();
      while (now < end) {
        socket.getOutputStream().write(request);
        answer(in);
        long done = System.nanoTime();
        if (now >= counted) {
          nanos = count == nanos.length ? Arrays.copyOf(nanos, 2 * count) : nanos;
          nanos[count++] = done - now;
        }
        now = done;
      }
    }
    return new Samples(nanos, count);
  }

  private static void answer(InputStream in) throws IOException {
    String status = line(in);
    int length = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Integer.parseInt(line.substring(15).strip());
      }
    }
    byte[] body = in.readNBytes(length);
    if (!status.contains(" 200")) {
      throw new IOException(status + ": " + new String(body, StandardCharsets.UTF_8));
    }
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

  private static void print(Options options, List<Future<Samples>> clients, double seconds) throws Exception {
    int count = 0;
    for (Future<Samples> client : clients) {
      count += client.get().count;
    }
    long[] all = new long[count];
    int at = 0;
    for (Future<Samples> client : clients) {
      System.arraycopy(client.get().nanos, 0, all, at, client.get().count);
      at += client.get().count;
    }
    Arrays.sort(all);
    System.out.printf(
        Locale.ROOT,
        "%s, %s, %d at once: %,.0f requests/s, p50 %.3f ms, p99 %.3f ms%n",
        options.model,
        options.binary ? "binary" : "json",
        options.concurrency,
        count / seconds,
        all[count / 2] / 1e6,
        all[(int) (count * 0.99)] / 1e6);
  }
}
