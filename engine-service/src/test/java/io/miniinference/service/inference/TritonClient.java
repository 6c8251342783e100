package io.miniinference.service.inference;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Triton's own Java client as it was published, in a class loader of its own: it brings libraries
/// along that others here have newer versions of.
final class TritonClient implements AutoCloseable {
  private static final Path JAR = Path.of("target", "clients", "java-api.jar");
  private static final String PACKAGE = "triton.client.";

  /// The client logs each refusal with its trace.
  private static final Logger LOG = Logger.getLogger(PACKAGE + "InferenceServerClient");

  private final URLClassLoader classes;
  private final AutoCloseable client;

  TritonClient(int port) throws IOException, ReflectiveOperationException {
    if (!Files.isReadable(JAR)) {
      throw new IOException(JAR.toAbsolutePath() + " is not there: Maven copies it before tests");
    }
    LOG.setLevel(Level.OFF);
    classes =
        new URLClassLoader(
            new java.net.URL[] {JAR.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
    client =
        (AutoCloseable)
            type("InferenceServerClient")
                .getConstructor(String.class, int.class, int.class)
                .newInstance("localhost:" + port, 20_000, 20_000);
    type("InferenceServerClient").getMethod("setRetryCnt", int.class).invoke(client, 1);
  }

  private Class<?> type(String name) throws ClassNotFoundException {
    return classes.loadClass(PACKAGE + name);
  }

  /// An input of 32-bit floats.
  Object floats(String name, long[] shape, float[] values, boolean binary)
      throws ReflectiveOperationException {
    Object floats = enumConstant("FP32");
    Object input =
        type("InferInput")
            .getConstructor(String.class, long[].class, floats.getClass())
            .newInstance(name, shape, floats);
    input
        .getClass()
        .getMethod("setData", float[].class, boolean.class)
        .invoke(input, values, binary);
    return input;
  }

  private Object enumConstant(String name) throws ReflectiveOperationException {
    return type("pojo.DataType").getField(name).get(null);
  }

  Object output(String name, boolean binary) throws ReflectiveOperationException {
    return type("InferRequestedOutput")
        .getConstructor(String.class, boolean.class)
        .newInstance(name, binary);
  }

  /// Sends a request with all that the client can say of one.
  ///
  /// @throws Exception what the client throws
  Object infer(String model, List<Object> inputs, List<Object> outputs) throws Exception {
    Class<?> arguments = type("InferenceServerClient$InferArguments");
    Object request =
        arguments
            .getConstructor(String.class, List.class, List.class)
            .newInstance(model, inputs, outputs);
    arguments.getMethod("setRequestId", String.class).invoke(request, "seven");
    arguments.getMethod("setPriority", int.class).invoke(request, 1);
    arguments.getMethod("setTimeout", int.class).invoke(request, 10_000_000);
    arguments.getMethod("setSequenceId", int.class).invoke(request, 3);
    try {
      return client.getClass().getMethod("infer", arguments).invoke(client, request);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  static float[] floats(Object result, String output) throws ReflectiveOperationException {
    return (float[])
        result.getClass().getMethod("getOutputAsFloat", String.class).invoke(result, output);
  }

  @Override
  public void close() throws Exception {
    client.close();
    classes.close();
  }
}
