package io.miniinference.service.fuzz;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Whole connections of HTTP: request lines, headers, chunks, requests in a row, on all paths.
public final class HttpWireFuzz extends ServiceFuzz {
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})");
  private static final int PATIENCE_MILLIS = 10_000;

  @Override
  public List<byte[]> seeds() {
    String json = FuzzedModel.PLANNED.json();
    String infer = "POST /v2/models/PLANNED/infer HTTP/1.1\r\nHost: x\r\n";
    return Stream.of(
            infer + "Content-Length: " + json.length() + "\r\n\r\n" + json,
            infer
                + "Transfer-Encoding: chunked\r\n\r\n"
                + Integer.toHexString(json.length())
                + "\r\n"
                + json
                + "\r\n0\r\n\r\n",
            infer
                + "Expect: 100-continue\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
            infer
                + "Inference-Header-Content-Length: 9\r\nAccept-Encoding: gzip;q=0.5, br\r\n"
                + "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n"
                + "X-Request-Id: 7\r\nAuthorization: Bearer x\r\nContent-Length: 2\r\n\r\n{}",
            get("/v2") + get("/v2/models/PLANNED") + get("/v2/models/PLANNED/config"),
            get("/v2/models/stats")
                + get("/v2/models/PLANNED/versions/1/stats")
                + get("/v2/health/ready"),
            get("/v2;a=%41/models") + get("/v2/models;%zz") + get("/actuator;%/health"),
            get("/v1/models/PLANNED") + get("/v2/repository/index") + get("/"),
            get("/actuator/health")
                + get("/actuator/memorypool")
                + get("/actuator/plans/PLANNED?batch=2"),
            get("/actuator/plans/PLANNED?format=text")
                + get("/actuator/metrics/engine.requests?tag=model:PLANNED"),
            "POST /v2/repository/index HTTP/1.1\r\nHost: x\r\nContent-Length: 14\r\n\r\n{\"ready\":true}",
            "POST /v2/repository/models/PLANNED/load HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
            "POST /v1/models/PLANNED:predict HTTP/1.1\r\nHost: x\r\nContent-Length: 23\r\n\r\n{\"instances\":[[1,2,3]]}")
        .map(text -> text.getBytes(StandardCharsets.ISO_8859_1))
        .toList();
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
  }

  @Override
  public boolean take(byte[] input) throws IOException {
    String answers = answers(input);
    Matcher status = STATUS.matcher(answers);
    boolean good = false;
    while (status.find()) {
      good |= check(Integer.parseInt(status.group(1)), "", input);
    }
    if (!answers.contains("/actuator")) {
      checkText(answers, input);
    }
    return good;
  }

  private static String answers(byte[] input) throws IOException {
    try (Socket socket = new Socket("localhost", SERVICE.port())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      OutputStream out = socket.getOutputStream();
      try {
        out.write(input);
        socket.shutdownOutput();
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      } catch (SocketException e) {
        return ""; // it refused to read on
      }
    }
  }
}
