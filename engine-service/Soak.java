import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Starts the service and does for some minutes all to it that clients and hosts do, at once: good requests, wrong ones,
/// bodies that stop, models that are unloaded and loaded, a process that is stopped and goes on, and, where this process
/// may mount one, a disk for its cache that is full now and then. Then it holds the answers to the first ones, bit for
/// bit, and what the process holds to what it held before. Run by `./mie test --soak [MINUTES [DEVICE]]` as
///
///     java Soak.java JAVA JAR MINUTES DEVICE
///
/// The disk is full only between two loads: what others fill within the second in which PoCL builds ends its process,
/// which docs/threat-model.md tells of.
///
/// Not in it: faults of the device, which `DeviceLossTest` injects by the thousand, and jumps of the clock, which
/// decides over nothing (`ArchitectureTest`).
final class Soak {
  private static final String TOKEN = "soak";
  private static final Set<Integer> TURNED_AWAY = Set.of(404, 429, 503);
  private static final Set<Integer> REFUSED = Set.of(400, 401, 404, 405, 408, 413, 415, 429, 501, 503);
  private static final long STOPPED_MILLIS = 3_000;
  private static final int PATIENCE_SECONDS = 60;

  /// Kernels are compiled in it, perhaps beside much else.
  private static final int START_SECONDS = 300;

  private final ThreadLocal<Wire> wires = ThreadLocal.withInitial(Wire::new);
  private final Object disk = new Object();
  private final Path work = Files.createTempDirectory("soak");
  private final Path cache = Files.createDirectories(work.resolve("cache"));
  private final Path log = work.resolve("log");
  private final boolean smallDisk = mount();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final Map<String, AtomicLong> counts =
      Stream.of("good", "turned away", "refused", "loads", "stops", "full disks")
          .collect(Collectors.toMap(name -> name, _ -> new AtomicLong(), (a, _) -> a, LinkedHashMap::new));
  private volatile boolean over;
  private Process service;
  private int port;

  private Soak() throws IOException {}

  public static void main(String[] args) throws Exception {
    Soak soak = new Soak();
    boolean held;
    try {
      held = soak.run(args[0], args[1], Duration.ofMinutes(Long.parseLong(args[2])), args[3]);
    } finally {
      soak.end();
    }
    System.exit(held ? 0 : 1);
  }

  private boolean mount() throws IOException {
    try {
      return new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=256m", "soak", cache.toString())
              .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    } catch (IOException | InterruptedException e) {
      return false;
    }
  }

  private void end() throws Exception {
    if (service != null) {
      tellHowItEnded();
      service.destroyForcibly().waitFor();
    }
    if (smallDisk) {
      new ProcessBuilder("umount", cache.toString()).start().waitFor();
    }
    try (Stream<Path> files = Files.walk(work)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }

  private void tellHowItEnded() throws IOException {
    if (!service.isAlive()) {
      List<String> lines = Files.readAllLines(log);
      System.err.println("the service has ended with status " + service.exitValue() + "; its last lines:");
      lines.subList(Math.max(0, lines.size() - 20), lines.size()).forEach(System.err::println);
    }
  }

  private boolean run(String java, String jar, Duration time, String device) throws Exception {
    start(java, jar, device);
    work(Duration.ofSeconds(20), false); // what is made once is made
    Map<String, Long> before = figures();
    counts.values().forEach(count -> count.set(0));
    work(time, true);
    Map<String, Long> after = figures();
    return tell(before, after);
  }

  private void start(String java, String jar, String device) throws Exception {
    service =
        new ProcessBuilder(
                java, "-Xmx1g", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-jar", jar,
                "serve", "--server.port=0", "--engine.device=" + device, "--engine.pool.capacity=64MB",
                "--engine.repository.token=" + TOKEN, "--engine.http.body-timeout=5s",
                "--engine.cache.directory=" + cache)
            .redirectErrorStream(true).redirectOutput(log.toFile()).start();
    Pattern listening = Pattern.compile("listening on http://localhost:(\\d+)");
    for (int i = 0; i < 10 * START_SECONDS && service.isAlive(); i++) {
      String text = Files.readString(log);
      Matcher at = listening.matcher(text);
      if (text.contains(": ready after ") && at.find()) {
        port = Integer.parseInt(at.group(1));
        return;
      }
      Thread.sleep(100);
    }
    throw new IllegalStateException("the service does not start:\n" + Files.readString(log));
  }

  private interface Client {
    void once(Random random) throws Exception;
  }

  private void work(Duration time, boolean all) throws Exception {
    over = false;
    List<Thread> clients = new ArrayList<>();
    Map<String, String> first = first();
    for (int i = 0; i < 4; i++) {
      clients.add(client(random -> good(first, random)));
    }
    clients.add(client(this::bad));
    clients.add(client(this::bad));
    clients.add(client(this::stopsWithin));
    clients.add(client(this::reload));
    if (all) {
      clients.add(client(this::stopTheProcess));
      if (smallDisk) {
        clients.add(client(this::fillTheDisk));
      }
    }
    Thread.sleep(time.toMillis());
    over = true;
    for (Thread client : clients) {
      client.join();
    }
    load();
  }

  private Thread client(Client client) {
    return Thread.ofPlatform().start(() -> {
      Random random = new Random();
      while (!over) {
        try {
          client.once(random);
        } catch (Exception e) {
          wrong.add(e.toString());
        }
      }
    });
  }

  /* Good requests, and what each is answered first. */
  private Map<String, String> first() throws Exception {
    Map<String, String> first = new LinkedHashMap<>();
    for (String model : List.of("mnist-cnn", "mnist-mlp", "number-words")) {
      for (int rows = 1; rows <= 3; rows++) {
        String request = request(model, rows);
        first.put(model + " " + request, post("/v2/models/" + model + "/infer", request).body());
      }
    }
    return first;
  }

  private static String request(String model, int rows) {
    String[] spec =
        switch (model) {
          case "mnist-cnn" -> new String[] {"Input3", "FP32", "1,28,28", "784"};
          case "mnist-mlp" -> new String[] {"image", "FP32", "1,28,28", "784"};
          default -> new String[] {"characters", "INT64", "20", "20"};
        };
    String data =
        IntStream.range(0, rows * Integer.parseInt(spec[3]))
            .mapToObj(i -> Integer.toString(i * 31 % (spec[1].equals("FP32") ? 255 : 20)))
            .collect(Collectors.joining(","));
    return "{\"inputs\":[{\"name\":\"%s\",\"datatype\":\"%s\",\"shape\":[%d,%s],\"data\":[%s]}]}"
        .formatted(spec[0], spec[1], rows, spec[2], data);
  }

  private void good(Map<String, String> first, Random random) throws Exception {
    var any = List.copyOf(first.entrySet()).get(random.nextInt(first.size()));
    String[] parts = any.getKey().split(" ", 2);
    Answer answer = post("/v2/models/" + parts[0] + "/infer", parts[1]);
    if (answer.statusCode() == 200) {
      counts.get("good").incrementAndGet();
      if (!answer.body().equals(any.getValue())) {
        wrong.add(parts[0] + " was answered " + answer.body() + " and first " + any.getValue());
      }
    } else if (parts[0].equals("mnist-mlp") && TURNED_AWAY.contains(answer.statusCode())) {
      counts.get("turned away").incrementAndGet();
    } else {
      wrong.add(parts[0] + ": status " + answer.statusCode() + " " + answer.body());
    }
  }

  private void bad(Random random) throws Exception {
    String good = request("number-words", 1);
    String body =
        switch (random.nextInt(6)) {
          case 0 -> good.substring(0, random.nextInt(good.length()));
          case 1 -> good.replace("[1,20]", "[" + random.nextLong() + ",20]");
          case 2 -> good.replace("\"data\":[0", "\"data\":[" + (1_000 + random.nextInt(1_000_000)));
          case 3 -> "{\"k%d\":1,".formatted(random.nextInt()).repeat(1_000);
          case 4 -> "\u0000".repeat(random.nextInt(100_000));
          default -> good.replace("INT64", "FP" + random.nextInt());
        };
    String model = random.nextInt(10) == 0 ? "nobody" : "number-words";
    Answer answer = post("/v2/models/" + model + "/infer", body);
    counts.get("refused").incrementAndGet();
    if (!REFUSED.contains(answer.statusCode())) {
      wrong.add("a bad request: status " + answer.statusCode() + " " + answer.body());
    }
  }

  /* A body that is promised and does not come, or a connection that is broken. */
  private void stopsWithin(Random random) throws Exception {
    try (Socket socket = new Socket("localhost", port)) {
      OutputStream out = socket.getOutputStream();
      out.write(
          "POST /v2/models/mnist-cnn/infer HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n{"
              .getBytes(StandardCharsets.US_ASCII));
      if (random.nextInt(10) == 0) {
        socket.setSoTimeout(60_000);
        socket.getInputStream().read();
      }
    }
  }

  private void reload(Random random) throws Exception {
    Thread.sleep(random.nextInt(2_000));
    post("/v2/repository/models/mnist-mlp/unload", "{}");
    Thread.sleep(random.nextInt(500));
    Answer loaded = load();
    counts.get("loads").incrementAndGet();
    boolean noDisk = smallDisk && loaded.statusCode() == 409 && loaded.body().contains("the disk of the kernels' cache");
    if (loaded.statusCode() != 200 && !noDisk) {
      wrong.add("a load: status " + loaded.statusCode() + " " + loaded.body());
    }
  }

  private Answer load() throws IOException {
    synchronized (disk) {
      return post("/v2/repository/models/mnist-mlp/load", "{}");
    }
  }

  private void stopTheProcess(Random random) throws Exception {
    Thread.sleep(5_000 + random.nextInt(10_000));
    signal("STOP");
    Thread.sleep(STOPPED_MILLIS);
    signal("CONT");
    counts.get("stops").incrementAndGet();
  }

  private void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(service.pid())).start().waitFor();
  }

  private void fillTheDisk(Random random) throws Exception {
    Thread.sleep(5_000 + random.nextInt(5_000));
    Path filler = cache.resolve("filler");
    try {
      synchronized (disk) {
        fill(filler);
      }
      Thread.sleep(3_000);
      counts.get("full disks").incrementAndGet();
    } finally {
      Files.deleteIfExists(filler);
    }
  }

  private static void fill(Path filler) throws IOException {
    byte[] block = new byte[1 << 16];
    try (OutputStream out = Files.newOutputStream(filler)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      // as it is meant to be
    }
  }

  private Answer post(String path, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String head =
        "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n"
            .formatted(path, TOKEN, bytes.length);
    return wires.get().exchange(head, bytes);
  }

  private String get(String path) throws IOException {
    return wires.get().exchange("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n", new byte[0]).body();
  }

  private record Answer(int statusCode, String body) {}

  /// A connection that stays open until the service says that it ends, or until it was idle. Java's own client breaks one
  /// where an answer comes before its body has gone, and uses one again that was idle for longer than the service keeps
  /// it; with this one, what breaks is the service's doing.
  private final class Wire {
    private static final long MOST_IDLE_NANOS = 5_000_000_000L;
    private Socket socket;
    private InputStream in;
    private long usedNanos;

    Answer exchange(String head, byte[] body) throws IOException {
      if (socket != null && System.nanoTime() - usedNanos > MOST_IDLE_NANOS) {
        close();
      }
      try {
        if (socket == null) {
          socket = new Socket("localhost", port);
          socket.setSoTimeout(PATIENCE_SECONDS * 1_000);
          socket.setTcpNoDelay(true);
          in = new BufferedInputStream(socket.getInputStream());
        }
        byte[] message = Arrays.copyOf(head.getBytes(StandardCharsets.US_ASCII), head.length() + body.length);
        System.arraycopy(body, 0, message, head.length(), body.length);
        socket.getOutputStream().write(message);
        return answer();
      } catch (IOException e) {
        close();
        throw e;
      }
    }

    private Answer answer() throws IOException {
      int status = Integer.parseInt(line().split(" ")[1]);
      Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      for (String line = line(); !line.isEmpty(); line = line()) {
        String[] header = line.split(": *", 2);
        headers.put(header[0], header[1]);
      }
      String length = headers.get("Content-Length");
      byte[] body = length == null ? chunks() : in.readNBytes(Integer.parseInt(length));
      if ("close".equalsIgnoreCase(headers.get("Connection"))) {
        close();
      }
      usedNanos = System.nanoTime();
      return new Answer(status, new String(body, StandardCharsets.UTF_8));
    }

    private byte[] chunks() throws IOException {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      for (int bytes = chunk(); bytes > 0; bytes = chunk()) {
        all.write(in.readNBytes(bytes));
        line();
      }
      line();
      return all.toByteArray();
    }

    private int chunk() throws IOException {
      return Integer.parseInt(line().strip(), 16);
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int c = in.read(); c != '\n'; c = in.read()) {
        if (c < 0) {
          throw new EOFException("the service ended a connection after \"" + line + "\"");
        }
        line.append((char) c);
      }
      return line.toString().stripTrailing();
    }

    private void close() throws IOException {
      Socket open = socket;
      socket = null;
      if (open != null) {
        open.close();
      }
    }
  }

  private static final Pattern JVM_WORKER = Pattern.compile("GC Thread#|G1 (Conc|Refine)#|C[12] CompilerThre|ForkJoinPool-1-");
  private static final Map<String, Long> MOST_GROWTH =
      Map.of("pool bytes", 0L, "pool blocks", 0L, "heap kB", 16_384L, "resident kB", 131_072L, "threads", 8L,
          "file handles", 8L, "lines of defects", 0L);

  /* When clients have left and the heap is collected. */
  private Map<String, Long> figures() throws Exception {
    Thread.sleep(8_000);
    Map<String, Long> figures = new LinkedHashMap<>();
    String pool = get("/actuator/memorypool");
    figures.put("pool bytes", number(pool, "\"usedBytes\":(\\d+)"));
    figures.put("pool blocks", number(pool, "\"usedBlocks\":(\\d+)"));
    figures.put("heap kB", heap());
    Path proc = Path.of("/proc", Long.toString(service.pid()));
    String status = Files.readString(proc.resolve("status"));
    figures.put("resident kB", number(status, "VmRSS:\\s+(\\d+)"));
    figures.put("threads", threads(proc.resolve("task")));
    try (Stream<Path> handles = Files.list(proc.resolve("fd"))) {
      figures.put("file handles", handles.count());
    }
    try (Stream<String> lines = Files.lines(log)) {
      figures.put("lines of defects", lines.filter(line -> line.contains("defect") || line.startsWith("\tat ")).count());
    }
    return figures;
  }

  /* Those that the JVM starts when it needs them, up to a number that follows from the processors, are no growth. */
  private static long threads(Path tasks) throws IOException {
    try (Stream<Path> all = Files.list(tasks)) {
      return all.filter(task -> !JVM_WORKER.matcher(name(task)).lookingAt()).count();
    }
  }

  private static String name(Path task) {
    try {
      return Files.readString(task.resolve("comm"));
    } catch (IOException ended) {
      return "";
    }
  }

  private long heap() throws Exception {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    String pid = Long.toString(service.pid());
    for (int i = 0; i < 2; i++) {
      new ProcessBuilder(jcmd.toString(), pid, "GC.run").redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    }
    String info = new String(
        new ProcessBuilder(jcmd.toString(), pid, "GC.heap_info").start().getInputStream().readAllBytes(),
        StandardCharsets.UTF_8);
    return number(info, "used (\\d+)K");
  }

  private static long number(String text, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(text);
    if (!found.find()) {
      throw new IllegalStateException("there is no " + pattern + " in " + text);
    }
    return Long.parseLong(found.group(1));
  }

  private boolean tell(Map<String, Long> before, Map<String, Long> after) {
    System.out.println("done: " + counts + (smallDisk ? "" : " (no small disk could be mounted)"));
    boolean held = wrong.isEmpty() && service.isAlive();
    for (Map.Entry<String, Long> figure : after.entrySet()) {
      long growth = figure.getValue() - before.get(figure.getKey());
      boolean kept = growth <= MOST_GROWTH.get(figure.getKey());
      held &= kept;
      System.out.printf("%-18s %,14d before %,14d after%s%n", figure.getKey(), before.get(figure.getKey()),
          figure.getValue(), kept ? "" : "   GREW");
    }
    System.out.println(wrong.size() + " answers that are wrong");
    wrong.stream().limit(10).forEach(System.out::println);
    return held;
  }
}
