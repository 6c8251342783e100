import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Attacks and overloads a running service and tells what its clients see: run as
///
///     java bench/Overload.java http://localhost:8080 mnist-cnn Input3 [--seconds 10] [--only NAME]
///         [--rows 1] [--protocol json|binary] [--connections 64] [--times 10]
///
/// A good client asks for one row every 5 ms on a connection of its own, four such clients at a time, before each
/// attack (quiet) and while it runs. The last rows (`--only capacity`) find how many requests of `--rows` rows are
/// answered on `--connections` connections, then ask from 5,000 connections without a pause, and at last offer
/// `--times` that capacity, open loop. Take a model and rows that the device is busy with: of one that takes
/// microseconds, ten times the capacity is more than one machine can send, which the last row then says.
///
/// A request's time counts from the moment before its bytes are written. How late the client itself was is told as
/// `lag`: how long after its time a good request was written; or how long one turn of the loop took that asks from
/// many connections, which is as much as an answer may have waited until it was read. Attackers run in a process of
/// their own, niced, since on machines of their own they would take nothing of this one's processors.
///
/// For any JDK from 17 on, and in one file for that reason: those before 22 run no more from source. Its parts are the
/// requests, what clients saw, good clients, attacks and overload, in this order.
final class Overload {
  private static final int GOOD_CLIENTS = 4;
  private static final long GAP_NANOS = 5_000_000;
  private static final int PATIENCE_MILLIS = 30_000;
  private static final int MANY = 5_000;

  /// Between loads, for what the one before left behind.
  private static final long SETTLING_NANOS = 1_000_000_000;

  private final Options options;
  private final Requests requests;

  private Overload(Options options) throws IOException {
    this.options = options;
    this.requests = Requests.of(options);
  }

  public static void main(String[] args) throws Exception {
    Options options = parsed(args);
    Overload overload;
    try {
      overload = new Overload(options);
    } catch (IOException e) {
      System.err.println(options.base + ": " + e.getMessage());
      System.exit(1);
      return;
    }
    if (options.attack.isEmpty()) {
      overload.measure(args);
    } else {
      new Attack(options, overload.requests).run(options.attack);
    }
  }

  /* A wrong command line is told in a line. */
  private static Options parsed(String[] args) {
    try {
      return Options.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      throw e; // not reached
    }
  }

  /// What the command line says.
  private static final class Options {
    private static final String USAGE =
        "usage: java Overload.java URL MODEL INPUT [--seconds S] [--only NAME] [--rows N]"
            + " [--protocol json|binary] [--connections N] [--times N]";

    URI base = URI.create("http://localhost:8080");
    String model = "";
    String input = "";
    double seconds = 10;
    String only = "";
    int rows = 1;
    boolean binary;
    int connections = 64;
    double times = 10;
    String attack = "";

    static Options parse(String[] args) {
      if (args.length < 3 || args.length % 2 == 0) {
        throw new IllegalArgumentException(USAGE);
      }
      var options = new Options();
      options.base = URI.create(args[0]);
      options.model = args[1];
      options.input = args[2];
      for (int i = 3; i < args.length; i += 2) {
        options.set(args[i], args[i + 1]);
      }
      return options;
    }

    private void set(String name, String value) {
      switch (name) {
        case "--seconds" -> seconds = Double.parseDouble(value);
        case "--only" -> only = value;
        case "--rows" -> rows = Integer.parseInt(value);
        case "--protocol" -> binary = value.equals("binary");
        case "--connections" -> connections = Integer.parseInt(value);
        case "--times" -> times = Double.parseDouble(value);
        case "--attack" -> attack = value;
        default -> throw new IllegalArgumentException("unknown option " + name + "\n" + USAGE);
      }
    }

    long nanos() {
      return (long) (seconds * 1e9);
    }

    InetSocketAddress address() {
      return new InetSocketAddress(base.getHost(), base.getPort());
    }

    boolean wants(String name) {
      return only.isEmpty() || only.equals(name);
    }
  }

  /* --- requests --- */

  /// Requests as bytes.
  ///
  /// @param good one row
  /// @param load as many rows as are asked for
  private record Requests(String path, String host, byte[] good, byte[] load) {

    static Requests of(Options options) throws IOException {
      long[] row = rowShape(options);
      String path = "/v2/models/" + options.model + "/infer";
      String host = options.base.getHost();
      return new Requests(
          path, host, request(options, path, row, 1), request(options, path, row, options.rows));
    }

    /* The input's shape without its batch, of which the model's metadata tell. */
    private static long[] rowShape(Options options) throws IOException {
      String told;
      try (InputStream in = options.base.resolve("/v2/models/" + options.model).toURL().openStream()) {
        told = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
      String input = "\"name\":\"" + Pattern.quote(options.input) + "\",\"datatype\":\"FP32\",\"shape\":\\[-1,([0-9,]+)]";
      Matcher shape = Pattern.compile(input).matcher(told);
      if (!shape.find()) {
        throw new IllegalArgumentException("no input '" + options.input + "' of FP32 whose batch alone is open: " + told);
      }
      return Arrays.stream(shape.group(1).split(",")).mapToLong(Long::parseLong).toArray();
    }

    private static byte[] request(Options options, String path, long[] row, int rows) {
      int values = (int) (rows * Arrays.stream(row).reduce(1, Math::multiplyExact));
      float[] data = floats(values);
      String shape = "[" + rows + "," + Arrays.toString(row).substring(1);
      String json = "{\"inputs\":[{\"name\":\"%s\",\"shape\":%s,\"datatype\":\"FP32\",".formatted(options.input, shape);
      return options.binary ? binary(options, path, json, data) : json(options, path, json, data);
    }

    private static float[] floats(int count) {
      var random = new Random(1);
      float[] values = new float[count];
      for (int i = 0; i < count; i++) {
        values[i] = random.nextFloat();
      }
      return values;
    }

    private static byte[] json(Options options, String path, String begin, float[] data) {
      String json = begin + "\"data\":" + Arrays.toString(data) + "}]}";
      return (head(path, options.base.getHost(), json.length(), "") + json).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] binary(Options options, String path, String begin, float[] data) {
      String json =
          begin
              + "\"parameters\":{\"binary_data_size\":"
              + 4 * data.length
              + "}}],\"parameters\":{\"binary_data_output\":true}}";
      ByteBuffer bytes = ByteBuffer.allocate(4 * data.length).order(ByteOrder.LITTLE_ENDIAN);
      bytes.asFloatBuffer().put(data);
      String more = "Inference-Header-Content-Length: " + json.length() + "\r\n";
      String head = head(path, options.base.getHost(), json.length() + 4 * data.length, more);
      var request = new ByteArrayOutputStream();
      request.writeBytes((head + json).getBytes(StandardCharsets.US_ASCII));
      request.writeBytes(bytes.array());
      return request.toByteArray();
    }

    byte[] head(int length) {
      return head(path, host, length, "").getBytes(StandardCharsets.US_ASCII);
    }

    private static String head(String path, String host, int length, String more) {
      return "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n%s\r\n".formatted(path, host, length, more);
    }
  }

  /* --- what clients saw --- */

  /// Times of one kind.
  private static final class Times {
    private long[] nanos = new long[1 << 12];
    private int count;

    void add(long time) {
      nanos = count == nanos.length ? Arrays.copyOf(nanos, 2 * count) : nanos;
      nanos[count++] = time;
    }

    void addAll(Times other) {
      for (int i = 0; i < other.count; i++) {
        add(other.nanos[i]);
      }
    }

    double millis(double part) {
      long[] sorted = Arrays.copyOf(nanos, count);
      Arrays.sort(sorted);
      return count == 0 ? Double.NaN : sorted[(int) (count * part)] / 1e6;
    }
  }

  /// What some clients saw. For one thread.
  private static final class Seen {
    final Times answered = new Times();
    final Times refused = new Times();
    final Times lag = new Times();
    final Map<String, Integer> failed = new TreeMap<>();
    long unsent;

    void add(int status, long nanos) {
      switch (status) {
        case 200 -> answered.add(nanos);
        case 429, 503 -> refused.add(nanos);
        default -> fail("status " + status);
      }
    }

    void fail(String why) {
      failed.merge(why, 1, Integer::sum);
    }

    void addAll(Seen other) {
      answered.addAll(other.answered);
      refused.addAll(other.refused);
      lag.addAll(other.lag);
      other.failed.forEach((why, count) -> failed.merge(why, count, Integer::sum));
    }

    String failures() {
      return failed.isEmpty() ? "0 failed" : "failed: " + failed;
    }
  }

  /* --- good clients --- */

  /// A connection that waits for each answer.
  private static final class Client implements AutoCloseable {
    private final Socket socket;
    private final BufferedInputStream in;

    Client(Options options) throws IOException {
      socket = new Socket(options.base.getHost(), options.base.getPort());
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
    }

    void send(byte[] bytes) throws IOException {
      socket.getOutputStream().write(bytes);
    }

    /// The status of the answer that comes.
    int answer() throws IOException {
      String status = line();
      int length = 0;
      for (String line = line(); !line.isEmpty(); line = line()) {
        if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
          length = Integer.parseInt(line.substring(15).strip());
        }
      }
      in.readNBytes(length);
      return Integer.parseInt(status.split(" ")[1]);
    }

    private String line() throws IOException {
      var text = new StringBuilder();
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          throw new EOFException("closed");
        }
        if (next != '\r') {
          text.append((char) next);
        }
      }
      return text.toString();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private Seen goodClients() throws InterruptedException {
    long end = System.nanoTime() + options.nanos();
    List<Seen> seen = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < GOOD_CLIENTS; i++) {
      Seen own = new Seen();
      seen.add(own);
      threads.add(new Thread(() -> good(own, end)));
    }
    threads.forEach(Thread::start);
    Seen all = new Seen();
    for (int i = 0; i < GOOD_CLIENTS; i++) {
      threads.get(i).join();
      all.addAll(seen.get(i));
    }
    return all;
  }

  private void good(Seen seen, long end) {
    while (System.nanoTime() < end) {
      try (var client = new Client(options)) {
        good(client, seen, end);
      } catch (IOException e) {
        seen.fail(String.valueOf(e));
      }
    }
  }

  private void good(Client client, Seen seen, long end) throws IOException {
    for (long sent = System.nanoTime(); sent < end; sent = System.nanoTime()) {
      client.send(requests.good);
      int status = client.answer();
      long answered = System.nanoTime();
      seen.add(status, answered - sent);
      LockSupport.parkNanos(GAP_NANOS);
      seen.lag.add(System.nanoTime() - answered - GAP_NANOS);
    }
  }

  /* --- attacks --- */

  private void measure(String[] args) throws Exception {
    System.out.printf(Locale.ROOT, "warming up for %.0f s%n", options.seconds);
    try (var loop = new Loop(options.address(), requests.load)) {
      loop.run(options.nanos(), List.of(new Lane(options.connections, 0)));
    }
    goodClients();
    for (String attack : Attack.NAMES) {
      if (options.wants(attack)) {
        attacked(attack, args);
      }
    }
    if (options.wants("capacity")) {
      capacity();
    }
  }

  private void attacked(String name, String[] args) throws Exception {
    Seen quiet = goodClients();
    Process attacker = attacker(name, args);
    attacker.getInputStream().read(); // it has begun
    Seen under = goodClients();
    attacker.getOutputStream().close();
    System.out.printf(
        Locale.ROOT,
        "%-20s good p99 %.1f ms, was %.1f ms (%.1fx), p90 %.1f, median %.1f; %,d answered, %,d refused, %s; lag p99 %.1f ms, was %.1f ms; attacker: %s",
        name,
        under.answered.millis(0.99),
        quiet.answered.millis(0.99),
        under.answered.millis(0.99) / quiet.answered.millis(0.99),
        under.answered.millis(0.9),
        under.answered.millis(0.5),
        under.answered.count,
        under.refused.count,
        under.failures(),
        under.lag.millis(0.99),
        quiet.lag.millis(0.99),
        new String(attacker.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    attacker.waitFor();
  }

  /* This program again, as whoever started it did. */
  private static Process attacker(String name, String[] args) throws IOException {
    String program = System.getProperty("sun.java.command").split(" ")[1];
    List<String> command = new ArrayList<>(List.of("nice", "-n", "19"));
    command.addAll(List.of(System.getProperty("java.home") + "/bin/java", "-XX:+UseSerialGC", program));
    command.addAll(List.of(args));
    command.addAll(List.of("--attack", name));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /// One attack, which goes on until the input of its process ends.
  private static final class Attack {
    static final List<String> NAMES =
        List.of("dripping bodies", "declared and empty", "slow headers", "20 x 64 MB", "10^6 keys");
    private static final long MEGABYTE = 1 << 20;

    private final Options options;
    private final Requests requests;
    private final Map<String, Integer> outcomes = new TreeMap<>();
    private volatile boolean stopped;

    Attack(Options options, Requests requests) {
      this.options = options;
      this.requests = requests;
    }

    void run(String name) throws Exception {
      var attacker = new Thread(() -> begin(name));
      attacker.setDaemon(true);
      attacker.start();
      System.in.read();
      stopped = true;
      attacker.join(1_000);
      synchronized (outcomes) {
        System.out.println(outcomes);
      }
      System.exit(0);
    }

    private void begin(String name) {
      switch (name) {
        case "dripping bodies" -> held(2_000, with(requests.head((int) MEGABYTE), "{"), true);
        case "declared and empty" -> held(1_000, requests.head((int) (60 * MEGABYTE)), false);
        case "slow headers" -> held(200, with(new byte[0], "POST " + requests.path + " HTTP/1.1\r\nX-A: "), true);
        case "20 x 64 MB" -> repeat(20, spaces());
        case "10^6 keys" -> repeat(1, keys());
        default -> throw new IllegalArgumentException("no attack '" + name + "', there are " + NAMES);
      }
    }

    private void count(String outcome) {
      synchronized (outcomes) {
        outcomes.merge(outcome, 1, Integer::sum);
      }
    }

    private static byte[] with(byte[] head, String body) {
      byte[] bytes = Arrays.copyOf(head, head.length + body.length());
      System.arraycopy(body.getBytes(StandardCharsets.US_ASCII), 0, bytes, head.length, body.length());
      return bytes;
    }

    private byte[] spaces() {
      byte[] body = new byte[(int) (64 * MEGABYTE)];
      Arrays.fill(body, (byte) ' ');
      return with(requests.head(body.length), new String(body, StandardCharsets.US_ASCII));
    }

    private byte[] keys() {
      var text = new StringBuilder("{");
      for (int i = 0; i < 1_000_000; i++) {
        text.append(i == 0 ? "" : ",").append("\"k").append(i).append("\":0");
      }
      text.append('}');
      return with(requests.head(text.length()), text.toString());
    }

    /* Connections that send a beginning, and then a byte a second, or nothing; one that is closed is opened anew. */
    private void held(int count, byte[] begin, boolean drips) {
      SocketChannel[] open = new SocketChannel[count];
      long due = System.nanoTime();
      for (int round = 0; !stopped; round++) {
        for (int i = 0; i < count && !stopped; i++) {
          hold(open, i, begin, drips);
          due += 1_000_000_000L / count;
          LockSupport.parkNanos(due - System.nanoTime());
        }
        if (round == 0) {
          System.out.print('.');
          System.out.flush();
        }
      }
    }

    private void hold(SocketChannel[] open, int i, byte[] begin, boolean drips) {
      try {
        if (open[i] == null) {
          open[i] = SocketChannel.open(options.address());
          open[i].write(ByteBuffer.wrap(begin));
          open[i].configureBlocking(false);
          count("opened");
        } else if (isClosed(open[i])) {
          open[i].close();
          open[i] = null;
        } else if (drips) {
          open[i].write(ByteBuffer.wrap(new byte[] {'a'}));
        }
      } catch (IOException e) {
        count("broken");
        open[i] = null;
      }
    }

    private static boolean isClosed(SocketChannel channel) throws IOException {
      return channel.read(ByteBuffer.allocate(1 << 10)) < 0;
    }

    private void repeat(int clients, byte[] request) {
      System.out.print('.');
      System.out.flush();
      for (int i = 0; i < clients; i++) {
        var client = new Thread(() -> repeat(request));
        client.setDaemon(true);
        client.start();
      }
    }

    private void repeat(byte[] request) {
      while (!stopped) {
        try (var client = new Client(options)) {
          client.send(request);
          count("status " + client.answer());
        } catch (IOException e) {
          count(String.valueOf(e.getMessage()));
        }
      }
    }
  }

  /* --- overload --- */

  private void capacity() throws Exception {
    try (var loop = new Loop(options.address(), requests.load)) {
      Seen full = loop.run(options.nanos(), List.of(new Lane(options.connections, 0))).get(0);
      double rate = full.answered.count / options.seconds;
      System.out.printf(
          Locale.ROOT,
          "%-20s %,.0f answered/s, median %.1f ms, p99 %.1f ms; %s%n",
          "at capacity (" + options.connections + ")",
          rate,
          full.answered.millis(0.5),
          full.answered.millis(0.99),
          loop.busy());
      many(rate, full);
      open(rate, full);
    }
  }

  private void many(double rate, Seen full) throws Exception {
    try (var loop = new Loop(options.address(), requests.load)) {
      List<Seen> seen = loop.run(options.nanos(), List.of(new Lane(MANY, 0), new Lane(100, 50)));
      tell(MANY + " connections", rate, full, seen.get(0), loop);
      tell("  who ask once in 2 s", rate, full, seen.get(1), loop);
    }
  }

  private void open(double rate, Seen full) throws Exception {
    try (var loop = new Loop(options.address(), requests.load)) {
      double offered = options.times * rate;
      Seen seen = loop.run(options.nanos(), List.of(new Lane(MANY, offered))).get(0);
      tell("%.0fx, open loop".formatted(options.times), rate, full, seen, loop);
      long sent = seen.lag.count;
      System.out.printf(
          Locale.ROOT,
          "  offered %,.0f/s, sent %,.0f/s%s%n",
          offered,
          sent / options.seconds,
          seen.unsent == 0 ? "" : "; %,d not sent, since all connections waited for answers".formatted(seen.unsent));
    }
  }

  private void tell(String name, double rate, Seen full, Seen seen, Loop loop) {
    double answered = seen.answered.count / options.seconds;
    System.out.printf(
        Locale.ROOT,
        "%-20s %,.0f answered/s (%.0f %%), p99 %.1f ms (%.1fx); %,d refused, median %.1f ms, p99 %.1f ms; %s; %s%n",
        name,
        answered,
        100 * answered / rate,
        seen.answered.millis(0.99),
        seen.answered.millis(0.99) / full.answered.millis(0.99),
        seen.refused.count,
        seen.refused.millis(0.5),
        seen.refused.millis(0.99),
        seen.failures(),
        loop.busy());
  }

  /// Connections that behave alike: each asks again when it is answered, or they ask at a rate, the one first that was
  /// answered longest ago, whether or not others wait.
  private static final class Lane {
    final int connections;
    final double rate;
    final Seen seen = new Seen();
    final Queue<Connection> free = new ArrayDeque<>();
    long sent;

    /// @param rate requests a second; 0 for as many as are answered
    Lane(int connections, double rate) {
      this.connections = connections;
      this.rate = rate;
    }
  }

  private static final class Connection {
    final Lane lane;
    final SocketChannel channel;
    final SelectionKey key;
    ByteBuffer out = ByteBuffer.allocate(0);
    ByteBuffer in = ByteBuffer.allocate(4 << 10);
    long sent;

    Connection(Lane lane, SocketChannel channel, Selector selector) throws IOException {
      this.lane = lane;
      this.channel = channel;
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    void send(byte[] request) throws IOException {
      out = ByteBuffer.wrap(request);
      sent = System.nanoTime();
      write();
    }

    void write() throws IOException {
      channel.write(out);
      int interest = out.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
      if (key.interestOps() != interest) {
        key.interestOps(interest);
      }
    }

    /// Reads on; the status once the answer is there, 0 before.
    int read() throws IOException {
      if (channel.read(in) < 0) {
        throw new EOFException("closed");
      }
      int whole = length();
      if (whole < 0 || in.position() < whole) {
        in = in.hasRemaining() ? in : ByteBuffer.allocate(2 * in.capacity()).put(in.flip());
        return 0;
      }
      int status = 100 * (in.get(9) - '0') + 10 * (in.get(10) - '0') + in.get(11) - '0';
      in.clear();
      return status;
    }

    /* Of head and body; −1 while the head is not there. */
    private int length() {
      String text = new String(in.array(), 0, in.position(), StandardCharsets.ISO_8859_1);
      int end = text.indexOf("\r\n\r\n");
      if (end < 0) {
        return -1;
      }
      int at = text.toLowerCase(Locale.ROOT).indexOf("content-length:");
      int body = at < 0 || at > end ? 0 : Integer.parseInt(text.substring(at + 15, text.indexOf('\r', at)).strip());
      return end + 4 + body;
    }
  }

  /// One thread that asks from many connections.
  private static final class Loop implements AutoCloseable {
    private final InetSocketAddress address;
    private final byte[] request;
    private final Selector selector;
    private final Times turns = new Times();
    private double share;

    Loop(InetSocketAddress address, byte[] request) throws IOException {
      this.address = address;
      this.request = request;
      this.selector = Selector.open();
    }

    List<Seen> run(long nanos, List<Lane> lanes) throws IOException {
      for (Lane lane : lanes) {
        for (int i = 0; i < lane.connections; i++) {
          lane.free.add(new Connection(lane, SocketChannel.open(address), selector));
        }
      }
      LockSupport.parkNanos(SETTLING_NANOS);
      long cpu = cpuNanos();
      long start = System.nanoTime();
      long turn = start;
      while (turn - start < nanos) {
        for (Lane lane : lanes) {
          sendDue(lane, turn - start);
        }
        selector.select(this::answered, 1);
        long now = System.nanoTime();
        turns.add(now - turn);
        turn = now;
      }
      share = (cpuNanos() - cpu) / (double) (System.nanoTime() - start);
      return lanes.stream().map(lane -> lane.seen).toList();
    }

    private static long cpuNanos() {
      return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private void sendDue(Lane lane, long nanos) {
      long due = lane.rate == 0 ? Long.MAX_VALUE : (long) (lane.rate * nanos / 1e9);
      while (lane.sent + lane.seen.unsent < due && !lane.free.isEmpty()) {
        lane.seen.lag.add(nanos - (long) ((lane.sent + lane.seen.unsent) * 1e9 / lane.rate));
        lane.sent++;
        send(lane.free.remove());
      }
      if (lane.rate > 0) {
        lane.seen.unsent += due - lane.sent - lane.seen.unsent;
      } else {
        for (int i = lane.free.size(); i > 0; i--) {
          send(lane.free.remove());
        }
      }
    }

    private void send(Connection connection) {
      try {
        connection.send(request);
      } catch (IOException e) {
        reopen(connection, e);
      }
    }

    private void answered(SelectionKey key) {
      var connection = (Connection) key.attachment();
      try {
        if (key.isWritable()) {
          connection.write();
        }
        int status = key.isReadable() ? connection.read() : 0;
        if (status != 0) {
          connection.lane.seen.add(status, System.nanoTime() - connection.sent);
          connection.lane.free.add(connection);
        }
      } catch (IOException e) {
        reopen(connection, e);
      }
    }

    private void reopen(Connection broken, IOException why) {
      broken.lane.seen.fail(String.valueOf(why));
      try {
        broken.channel.close();
        broken.lane.free.add(new Connection(broken.lane, SocketChannel.open(address), selector));
      } catch (IOException e) {
        broken.lane.seen.fail("no connection: " + e.getMessage());
      }
    }

    /// How busy this client was.
    String busy() {
      return String.format(Locale.ROOT, "client: %.2f processors, lag p99 %.1f ms", share, turns.millis(0.99));
    }

    @Override
    public void close() throws IOException {
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
      selector.close();
    }
  }
}
