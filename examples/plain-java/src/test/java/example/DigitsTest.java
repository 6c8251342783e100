package example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.RuntimeVersion;
import io.miniinference.engine.InferenceEngine;
import io.miniinference.engine.InferenceModel;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.signature.TensorSpec;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DigitsTest {
  @TempDir Path folder;

  private Path model() throws IOException {
    Path file = folder.resolve("digits.onnx");
    try (InputStream in = ClassLoader.getSystemResourceAsStream("repository/mnist-cnn/1/model.onnx")) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    return file;
  }

  /** A bar at the top and a stroke from its right end down to the left. */
  private static float[] seven() {
    float[] pixels = new float[28 * 28];
    for (int i = 0; i < 15; i++) {
      for (int thick = 0; thick < 3; thick++) {
        pixels[(5 + thick) * 28 + 6 + i] = 1;
        pixels[(7 + i) * 28 + 20 - i / 2 - thick] = 1;
      }
    }
    return pixels;
  }

  private static int best(float[] scores) {
    int best = 0;
    for (int i = 1; i < scores.length; i++) {
      best = scores[i] > scores[best] ? i : best;
    }
    return best;
  }

  @Test
  void aSevenIsASeven() throws IOException {
    assertEquals(7, best(Digits.scores(model(), seven())));
  }

  @Test
  void theFormWithoutCopiesAnswersAsTheOther() throws IOException {
    Path file = model();
    int expected = best(Digits.scores(file, new float[28 * 28]));
    try (InferenceEngine engine = InferenceEngine.open()) {
      InferenceModel model = engine.load(file);

      assertArrayEquals(new int[] {expected, expected}, ZeroCopy.classes(model, 2, 0));
    }
  }

  @Test
  void optionsChooseTheDeviceAndTheBatch() throws IOException {
    Path digits = Files.createDirectory(folder.resolve("digits"));
    Files.move(model(), digits.resolve("model.onnx"));

    float[] scores = Choices.scores(digits, Tensor.of(seven(), 1, 1, 28, 28));

    assertEquals(7, best(scores));
  }

  @Test
  void arraysOfArraysAreTensorsAndComeBack() {
    float[][] rows = {{1, 2, 3}, {4, 5, 6}};
    assertArrayEquals(rows, Rows.floats(Rows.of(rows)));
    Tensor tokens = Rows.of(new long[][] {{7, 8}, {9, 0}, {1, 2}});
    assertArrayEquals(new long[] {3, 2}, tokens.shape());
    assertArrayEquals(new long[] {7, 8, 9, 0, 1, 2}, tokens.longs());
    assertThrows(IllegalArgumentException.class, () -> Rows.of(new float[][] {{1}, {2, 3}}));
  }

  @Test
  void theModelTellsWhatItTakesAndItsFileWhoWroteIt() throws IOException {
    try (InferenceEngine engine = InferenceEngine.open(64 << 20)) {
      TensorSpec input = engine.load(model()).inputs().getFirst();

      assertEquals("Input3", input.name());
      assertEquals(ElementType.F32, input.element());
      assertArrayEquals(new long[] {-1, 1, 28, 28}, input.declaredShape());
      assertEquals("f32[N,1,28,28]", input.toString());
    }
    ModelProto.Builder noted = ModelProto.parseFrom(Files.readAllBytes(model())).toBuilder();
    noted.setProducerName("acme").addMetadataPropsBuilder().setKey("classes").setValue("0,1");
    Path file = Files.write(folder.resolve("noted.onnx"), noted.build().toByteArray());
    OnnxModel read = OnnxReader.read(file, ReadLimits.defaults());
    assertEquals(Map.of("classes", "0,1"), read.metadata());
    assertEquals("acme", read.producer());
  }

  @Test
  void aPhotographIsThreePlanesOfItsColours() {
    BufferedImage orange = new BufferedImage(5, 3, BufferedImage.TYPE_INT_RGB);
    for (int pixel = 0; pixel < 15; pixel++) {
      orange.setRGB(pixel % 5, pixel / 5, 0xFF8000);
    }

    Tensor planes = Photos.tensor(orange, 2, 4);

    assertArrayEquals(new long[] {1, 3, 2, 4}, planes.shape());
    float[] values = planes.floats();
    assertEquals((1 - 0.485f) / 0.229f, values[7], 1e-6f);
    assertEquals((128 / 255f - 0.456f) / 0.224f, values[8], 1e-6f);
    assertEquals(-0.406f / 0.225f, values[16], 1e-6f);
  }

  @Test
  void anApplicationWithoutProtobufGetsTheNewest() {
    assertEquals(4, RuntimeVersion.OSS_MAJOR);
  }
}
