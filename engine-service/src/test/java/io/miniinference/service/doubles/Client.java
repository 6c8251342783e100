package io.miniinference.service.doubles;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A plain HTTP client of a service on this host. It sends no Content-Type unless told to.
public final class Client {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpClient http = HttpClient.newHttpClient();
  private final String base;

  public Client(int port) {
    base = "http://localhost:" + port;
  }

  /// A response's status and text.
  public record Answer(HttpResponse<String> response) {
    public int status() {
      return response.statusCode();
    }

    public String body() {
      return response.body();
    }

    public JsonNode json() {
      return JSON.readTree(body());
    }

    /// The protocol's error; fails if the body has anything beside it.
    public String error() {
      JsonNode json = json();
      if (json.size() != 1 || !json.path("error").isString()) {
        throw new AssertionError("not an error of the protocol: " + body());
      }
      return json.path("error").stringValue();
    }

    public String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }
  }

  public Answer get(String path, String... headers) {
    return send(request(path, headers).GET().build());
  }

  public Answer post(String path, String body, String... headers) {
    return post(path, BodyPublishers.ofString(body), headers);
  }

  public Answer post(String path, BodyPublisher body, String... headers) {
    return send(request(path, headers).POST(body).build());
  }

  public Answer method(String verb, String path) {
    return send(request(path).method(verb, BodyPublishers.noBody()).build());
  }

  public Answer send(String verb, String path, BodyPublisher body) {
    return send(request(path).method(verb, body).build());
  }

  /// Posts to a model's `infer`.
  public Answer infer(String model, String body, String... headers) {
    return post("/v2/models/" + model + "/infer", body, headers);
  }

  private HttpRequest.Builder request(String path, String... headers) {
    var builder = HttpRequest.newBuilder(URI.create(base + path));
    if (headers.length > 0) {
      builder.headers(headers);
    }
    return builder;
  }

  private Answer send(HttpRequest request) {
    try {
      return new Answer(http.send(request, BodyHandlers.ofString()));
    } catch (IOException e) {
      throw new AssertionError("no answer from " + request.uri(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
