package io.miniinference.service.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A server's and a client's key with a certificate each, made up for one test by the JDK's
/// `keytool`.
final class Certificates {
  static final String PASSWORD = "secret-of-the-test";

  private final Path folder;

  Certificates(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
    this.folder = folder;
    for (String owner : List.of("server", "client")) {
      make(owner);
      writeTrust(owner);
    }
  }

  private void make(String owner) throws IOException, InterruptedException {
    var tool =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            owner,
            "-keyalg",
            "EC",
            "-dname",
            "CN=" + owner,
            "-ext",
            "san=dns:localhost",
            "-validity",
            "2",
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-keystore",
            keys(owner).toString());
    Process process = tool.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("keytool: " + said);
    }
  }

  /* A store of the certificate alone. */
  private void writeTrust(String owner) throws IOException, GeneralSecurityException {
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry(owner, load(keys(owner)).getCertificate(owner));
    try (OutputStream out = Files.newOutputStream(trust(owner))) {
      trust.store(out, PASSWORD.toCharArray());
    }
  }

  /// The store of a key.
  Path keys(String owner) {
    return folder.resolve(owner + ".p12");
  }

  /// The store of those who trust its certificate.
  Path trust(String owner) {
    return folder.resolve(owner + "-trust.p12");
  }

  KeyManagerFactory clientKeys() throws IOException, GeneralSecurityException {
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(load(keys("client")), PASSWORD.toCharArray());
    return keys;
  }

  TrustManagerFactory clientTrust() throws IOException, GeneralSecurityException {
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(load(trust("server")));
    return trust;
  }

  /// A client that trusts the server.
  ///
  /// @param known whether it shows its own certificate
  SSLContext client(boolean known) throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        known ? clientKeys().getKeyManagers() : null, clientTrust().getTrustManagers(), null);
    return context;
  }

  private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return store;
  }
}
