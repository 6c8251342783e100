package io.miniinference.service.inference;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.serving.ErrorKind;
import io.miniinference.service.serving.ServingException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/// How a body is compressed: the codings of HTTP that the protocol's clients use.
enum Encoding {
  IDENTITY,
  GZIP,
  /// With the frame of zlib, as HTTP defines it.
  DEFLATE;

  /// The coding of a request's body. Several lines of `Content-Encoding` are one list, and what
  /// lists no coding but one has that one.
  ///
  /// @throws ServingException if it is none of these, or several
  static Encoding ofContent(HttpServletRequest request) {
    List<String> lines = Collections.list(request.getHeaders(HttpHeaders.CONTENT_ENCODING));
    String names =
        lines.stream()
            .flatMap(line -> Arrays.stream(line.split(",")))
            .map(String::strip)
            .filter(name -> !name.isEmpty() && !name.equalsIgnoreCase("identity"))
            .collect(Collectors.joining(", "));
    return switch (names.toLowerCase(Locale.ROOT)) {
      case "" -> IDENTITY;
      case "gzip", "x-gzip" -> GZIP;
      case "deflate" -> DEFLATE;
      default ->
          throw new ServingException(
              ErrorKind.UNKNOWN_ENCODING,
              "Content-Encoding '%s' is not supported; use gzip, deflate or none"
                  .formatted(names.length() > 40 ? names.substring(0, 40) + "…" : names));
    };
  }

  /// The coding that a client likes best for its answer.
  ///
  /// @param header value of `Accept-Encoding`, if there is one
  static Encoding accepted(@Nullable String header) {
    if (header == null) {
      return IDENTITY;
    }
    return Arrays.stream(header.split(",", 16))
        .map(Preference::of)
        .filter(p -> p.weight > 0)
        .max(Comparator.comparingDouble(Preference::weight))
        .map(Preference::encoding)
        .orElse(IDENTITY);
  }

  private record Preference(Encoding encoding, double weight) {
    static Preference of(String part) {
      String[] words = part.strip().toLowerCase(Locale.ROOT).split("\\s*;\\s*", 2);
      double weight = words.length == 1 ? 1 : weight(words[1]);
      return switch (words[0]) {
        case "gzip", "x-gzip" -> new Preference(GZIP, weight);
        case "deflate" -> new Preference(DEFLATE, weight);
        case "identity" -> new Preference(IDENTITY, weight);
        default -> new Preference(IDENTITY, 0);
      };
    }

    private static double weight(String text) {
      try {
        return text.startsWith("q=") ? Double.parseDouble(text.substring(2)) : 0;
      } catch (NumberFormatException e) {
        return 0;
      }
    }
  }

  /// Reads what is in this coding.
  ///
  /// @param reader takes the plain bytes
  /// @throws InvalidRequestException if it is not in this coding
  <T> T read(InputStream in, Reader<T> reader) throws IOException {
    if (this == IDENTITY) {
      return reader.read(in);
    }
    try (InputStream plain = plain(in)) {
      return reader.read(plain);
    } catch (ZipException | EOFException e) {
      throw new InvalidRequestException("the request's body is not " + header() + ": " + reason(e));
    }
  }

  /// Takes the plain bytes of a body.
  interface Reader<T> {
    T read(InputStream plain) throws IOException;
  }

  private static String reason(IOException error) {
    return error instanceof EOFException ? "it ends too early" : String.valueOf(error.getMessage());
  }

  private InputStream plain(InputStream in) throws IOException {
    return switch (this) {
      case IDENTITY -> in;
      case GZIP -> new GZIPInputStream(in, 8 << 10);
      case DEFLATE -> new InflaterInputStream(in);
    };
  }

  /// The bytes in this coding.
  ByteArrayOutputStream encoded(ByteArrayOutputStream plain) throws IOException {
    if (this == IDENTITY) {
      return plain;
    }
    var bytes = new ByteArrayOutputStream(plain.size() / 2 + 64);
    try (OutputStream out =
        this == GZIP ? new GZIPOutputStream(bytes) : new DeflaterOutputStream(bytes)) {
      plain.writeTo(out);
    }
    return bytes;
  }

  /// Its name in HTTP.
  String header() {
    return name().toLowerCase(Locale.ROOT);
  }
}
