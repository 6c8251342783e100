import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/// What a Java team would write instead of the engine: a Spring Boot service of the Open Inference Protocol over ONNX
/// Runtime's Java API, for models with one input and one output of 32-bit floats. One session, one thread for each
/// run, virtual threads for requests, JSON streamed by Jackson, tensors behind the JSON read in place. It checks next
/// to nothing, and has no metrics, no limits and no batching. `./mie bench serving` starts it:
///
///     java -cp LIBRARIES bench/serving/Peer.java MODEL.onnx
///
/// The model `echo` answers the same bytes to all, which shows what the server costs without a model.
final class Peer {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Peer() {}

  public static void main(String[] args) throws Exception {
    var application = new SpringApplication(Services.class);
    application.setDefaultProperties(
        Map.of(
            "server.port", 0,
            "server.tomcat.max-keep-alive-requests", -1,
            "spring.threads.virtual.enabled", true,
            "spring.main.banner-mode", "off",
            "peer.model", args[0]));
    System.setProperty("spring.config.name", "peer");
    System.setProperty("logging.level.root", "warn");
    ConfigurableApplicationContext context = application.run();
    Server grpc = grpc(context.getBean(Session.class)).start();
    System.out.println("listening for gRPC on port " + grpc.getPort());
    System.out.println("listening on http://localhost:" + context.getEnvironment().getProperty("local.server.port"));
    System.out.println("peer is ready");
  }

  private static Server grpc(Session session) throws IOException {
    return NettyServerBuilder.forPort(0)
        .executor(Executors.newVirtualThreadPerTaskExecutor())
        .addService(new Grpc(session))
        .build();
  }

  /// The beans.
  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration.class,
    org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration.class,
    org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration.class
  })
  @Import(Rest.class)
  static class Services {
    @Bean
    Session session(org.springframework.core.env.Environment environment) throws OrtException {
      return new Session(environment.getRequiredProperty("peer.model"));
    }

    @Bean
    ServletRegistrationBean<Echo> echo() {
      return new ServletRegistrationBean<>(new Echo(), "/v2/models/echo/infer");
    }
  }

  /// A model.
  static final class Session {
    private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
    private final OrtSession session;
    private final String input;
    private final String output;

    Session(String model) throws OrtException {
      try (var options = new OrtSession.SessionOptions()) {
        options.setIntraOpNumThreads(1);
        options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.ALL_OPT);
        session = environment.createSession(model, options);
      }
      input = session.getInputNames().iterator().next();
      output = session.getOutputNames().iterator().next();
    }

    Scores infer(FloatBuffer data, long[] shape) {
      try (OnnxTensor tensor = OnnxTensor.createTensor(environment, data, shape);
          OrtSession.Result result = session.run(Map.of(input, tensor))) {
        OnnxTensor scores = (OnnxTensor) result.get(0);
        return new Scores(output, scores.getInfo().getShape(), scores.getByteBuffer().order(ByteOrder.LITTLE_ENDIAN));
      } catch (OrtException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  record Scores(String name, long[] shape, ByteBuffer data) {
    byte[] bytes() {
      byte[] bytes = new byte[data.remaining()];
      data.get(bytes);
      return bytes;
    }
  }

  /// REST, JSON and binary.
  @RestController
  static class Rest {
    private static final String JSON_LENGTH = "Inference-Header-Content-Length";
    private final Session session;

    Rest(Session session) {
      this.session = session;
    }

    @PostMapping("/v2/models/{model}/infer")
    void infer(@PathVariable("model") String model, HttpServletRequest request, HttpServletResponse response) throws IOException {
      int json = request.getIntHeader(JSON_LENGTH);
      if (json < 0) {
        Request read = Request.of(request.getInputStream());
        answer(model, session.infer(FloatBuffer.wrap(read.data, 0, read.count), read.shape), response);
      } else {
        byte[] body = request.getInputStream().readNBytes(request.getContentLength());
        Request read = Request.of(new ByteArrayInputStream(body, 0, json));
        ByteBuffer data = ByteBuffer.wrap(body, json, body.length - json).slice().order(ByteOrder.LITTLE_ENDIAN);
        answerBinary(model, session.infer(data.asFloatBuffer(), read.shape), response);
      }
    }

    private static void answer(String model, Scores scores, HttpServletResponse response) throws IOException {
      response.setContentType("application/json");
      try (JsonGenerator json = JSON.createGenerator(response.getOutputStream())) {
        begin(model, scores, json);
        json.writeArrayPropertyStart("data");
        for (FloatBuffer data = scores.data.asFloatBuffer(); data.hasRemaining(); ) {
          json.writeNumber(data.get());
        }
        json.writeEndArray();
        end(json);
      }
    }

    private static void answerBinary(String model, Scores scores, HttpServletResponse response) throws IOException {
      var head = new java.io.ByteArrayOutputStream(256);
      try (JsonGenerator json = JSON.createGenerator(head)) {
        begin(model, scores, json);
        json.writeObjectPropertyStart("parameters");
        json.writeNumberProperty("binary_data_size", scores.data.remaining());
        json.writeEndObject();
        end(json);
      }
      response.setContentType("application/octet-stream");
      response.setIntHeader(JSON_LENGTH, head.size());
      response.setContentLength(head.size() + scores.data.remaining());
      OutputStream out = response.getOutputStream();
      head.writeTo(out);
      out.write(scores.bytes());
    }

    private static void begin(String model, Scores scores, JsonGenerator json) {
      json.writeStartObject();
      json.writeStringProperty("model_name", model);
      json.writeStringProperty("model_version", "1");
      json.writeArrayPropertyStart("outputs");
      json.writeStartObject();
      json.writeStringProperty("name", scores.name);
      json.writeStringProperty("datatype", "FP32");
      json.writeName("shape");
      json.writeArray(scores.shape, 0, scores.shape.length);
    }

    private static void end(JsonGenerator json) {
      json.writeEndObject();
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  /// What is read of a request's JSON.
  private static final class Request {
    private long[] shape = {};
    private float[] data = new float[1024];
    private int count;

    static Request of(InputStream in) {
      var request = new Request();
      try (JsonParser json = JSON.createParser(in)) {
        while (json.nextToken() != null) {
          if (json.currentToken() == JsonToken.PROPERTY_NAME) {
            request.read(json);
          }
        }
      }
      return request;
    }

    private void read(JsonParser json) {
      switch (json.currentName()) {
        case "shape" -> readShape(json);
        case "data" -> readData(json);
        default -> {}
      }
    }

    private void readShape(JsonParser json) {
      List<Long> dims = new ArrayList<>();
      json.nextToken();
      while (json.nextToken() != JsonToken.END_ARRAY) {
        dims.add(json.getLongValue());
      }
      shape = dims.stream().mapToLong(Long::longValue).toArray();
    }

    private void readData(JsonParser json) {
      int depth = 0;
      do {
        JsonToken token = json.nextToken();
        if (token == JsonToken.START_ARRAY) {
          depth++;
        } else if (token == JsonToken.END_ARRAY) {
          depth--;
        } else {
          data = count == data.length ? Arrays.copyOf(data, 2 * count) : data;
          data[count++] = json.getFloatValue();
        }
      } while (depth > 0);
    }
  }

  /// gRPC.
  private static final class Grpc extends GRPCInferenceServiceGrpc.GRPCInferenceServiceImplBase {
    private static final String ECHO = "echo";
    private static final ModelInferResponse SAME =
        response(ECHO, new Scores("Plus214_Output_0", new long[] {1, 10}, ByteBuffer.allocate(40)));
    private final Session session;

    Grpc(Session session) {
      this.session = session;
    }

    @Override
    public void modelInfer(ModelInferRequest request, StreamObserver<ModelInferResponse> to) {
      to.onNext(request.getModelName().equals(ECHO) ? SAME : answer(request));
      to.onCompleted();
    }

    private ModelInferResponse answer(ModelInferRequest request) {
      ByteBuffer data = request.getRawInputContents(0).asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
      long[] shape = request.getInputs(0).getShapeList().stream().mapToLong(Long::longValue).toArray();
      return response(request.getModelName(), session.infer(data.asFloatBuffer(), shape));
    }

    private static ModelInferResponse response(String model, Scores scores) {
      var output = ModelInferResponse.InferOutputTensor.newBuilder().setName(scores.name).setDatatype("FP32");
      Arrays.stream(scores.shape).forEach(output::addShape);
      return ModelInferResponse.newBuilder()
          .setModelName(model)
          .setModelVersion("1")
          .addOutputs(output)
          .addRawOutputContents(UnsafeByteOperations.unsafeWrap(scores.bytes()))
          .build();
    }
  }

  /// The server alone.
  static final class Echo extends HttpServlet {
    private static final byte[] BYTES = new byte[190];

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
      request.getInputStream().readNBytes(request.getContentLength());
      response.setContentType("application/octet-stream");
      response.setContentLength(BYTES.length);
      response.getOutputStream().write(BYTES);
    }
  }
}
