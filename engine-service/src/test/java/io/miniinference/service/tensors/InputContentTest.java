package io.miniinference.service.tensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class InputContentTest {
  private static final TensorSpec BATCH = spec(ElementType.F32, -1, 1, 2, 3);

  @TempDir Path folder;

  /// −1 for the batch, 0 for an open size.
  private static TensorSpec spec(ElementType element, long... sizes) {
    List<Dimension> dims = Arrays.stream(sizes).mapToObj(InputContentTest::dimension).toList();
    return new TensorSpec("x", element, dims);
  }

  private static Dimension dimension(long size) {
    return switch ((int) size) {
      case -1 -> new Dimension.Batch(1);
      case 0 -> new Dimension.Open("open");
      default -> new Dimension.Fixed(size);
    };
  }

  /* As NumPy 2.4 saves numpy.arange(6).reshape(2, 3). */
  private Path saved(String header, byte[] data) throws IOException {
    byte[] text =
        (header + " ".repeat(117 - header.length()) + "\n").getBytes(StandardCharsets.US_ASCII);
    ByteBuffer bytes =
        ByteBuffer.allocate(10 + text.length + data.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes
        .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})
        .putShort((short) text.length);
    return Files.write(folder.resolve("x.npy"), bytes.put(text).put(data).array());
  }

  private static byte[] longs(long... values) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    Arrays.stream(values).forEach(bytes::putLong);
    return bytes.array();
  }

  private static Tensor read(Path file, TensorSpec input) {
    return InputContent.read(file, Normalisation.NONE).tensor(input);
  }

  @Test
  void anArrayOfNumPyHasItsShapeAndTheTypeOfTheInput() throws IOException {
    Path file =
        saved(
            "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 3), }", longs(0, 1, 2, 3, 4, 5));

    assertThat(InputContent.read(file, Normalisation.NONE).rows()).isEqualTo(2);
    assertThat(read(file, spec(ElementType.I64, 2, 3)).longs()).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(read(file, spec(ElementType.F32, 2, 3)).floats()).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(read(file, spec(ElementType.I32, 2, 3)).shape()).containsExactly(2, 3);
    assertThat(read(file, spec(ElementType.U8, 2, 3)).longs()).containsExactly(0, 1, 2, 3, 4, 5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'descr': '>i8', 'fortran_order': False, 'shape': (1,), } | its dtype is '>i8': save x.astype('<i8')",
        "{'descr': '<c16', 'fortran_order': False, 'shape': (1,), } | its dtype is '<c16': save x.real",
        "{'descr': '<U5', 'fortran_order': False, 'shape': (1,), } | its dtype is '<U5': write strings as JSON",
        "{'descr': '<M8[s]', 'fortran_order': False, 'shape': (1,), } | save x.astype(np.int64)",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), } | several fields",
        "{'descr': '<i8', 'fortran_order': True, 'shape': (1,), } | ascontiguousarray",
        "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), } | takes 16 bytes, and it has 8",
        "{'descr': '<i8', 'fortran_order': False, 'shape': (4000000000, 4000000000), } | too many",
        "{'descr': '<i8', 'fortran_order': False, 'shape': (99999999999999999999,), } | its shape",
        "{'descr': '<i8'} | tells no dtype, order or shape"
      })
  void anArrayThatCannotBeReadIsToldWithTheReason(String header, String reason) throws IOException {
    Path file = saved(header, longs(1));

    assertThatThrownBy(() -> read(file, spec(ElementType.I64, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("x.npy")
        .hasMessageContaining(reason);
  }

  @Test
  void everyPrefixOfAnArrayIsRefused() throws IOException {
    byte[] all =
        Files.readAllBytes(
            saved("{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }", longs(1)));

    for (int length = 0; length < all.length; length++) {
      byte[] some = Arrays.copyOf(all, length);
      assertThatThrownBy(() -> NpyContent.of(folder, some))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aNumberThatDoesNotFitIsToldWithItsInput() throws IOException {
    Path file = saved("{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }", longs(0, 256));

    assertThatThrownBy(() -> read(file, spec(ElementType.U8, 2)))
        .hasMessageContaining("holds 256, which is no u8 of input 'x'");
    Path floats = saved("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", longs(0));
    assertThatThrownBy(() -> read(floats, spec(ElementType.I64, 1)))
        .hasMessageContaining("input 'x' takes whole numbers");
    Path negative = saved("{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }", longs(-1));
    assertThatThrownBy(() -> read(negative, spec(ElementType.U64, 1)))
        .hasMessageContaining("holds -1, which is no u64 of input 'x'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<i8 | F32 | 16777217 | holds 16777217, which f32 of input 'x' has no number for: save x.astype(np.float32)",
        "<i8 | F64 | 9223372036854775807 | holds 9223372036854775807, which f64",
        "<u8 | F64 | -1 | holds 18446744073709551615, which f64",
        "<i8 | F16 | 65536 | holds 65536, which f16",
        "<f8 | F32 | 9218868437227405311 | is outside the range of f32 of input 'x'"
      })
  void aNumberThatWouldBecomeAnotherIsRefused(
      String dtype, ElementType type, long bits, String reason) throws IOException {
    Path file =
        saved("{'descr': '" + dtype + "', 'fortran_order': False, 'shape': (1,), }", longs(bits));

    assertThatThrownBy(() -> read(file, spec(type, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void largeWholeNumbersThatAFloatHasAreTaken() throws IOException {
    Path signed =
        saved(
            "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }",
            longs(1L << 40, Long.MIN_VALUE));
    assertThat(read(signed, spec(ElementType.F32, 2)).floats()).containsExactly(0x1p40f, -0x1p63f);
    Path unsigned =
        saved("{'descr': '<u8', 'fortran_order': False, 'shape': (1,), }", longs(Long.MIN_VALUE));
    assertThat(read(unsigned, spec(ElementType.F32, 1)).floats()).containsExactly(0x1p63f);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[[[[1,2,3],[4,5,6]]]]",
        "[1,2,3,4,5,6]",
        "{\"shape\":[1,1,2,3],\"data\":[1,2,3,4,5,6]}",
        "{\"inputs\":[{\"name\":\"y\",\"data\":[0]},{\"name\":\"x\",\"shape\":[1,1,2,3],\"data\":[[[[1,2,3],[4,5,6]]]]}]}"
      })
  void jsonIsNestedListsOrATensorOrARequest(String text) throws IOException {
    Tensor tensor = read(Files.writeString(folder.resolve("x.json"), text), BATCH);

    assertThat(tensor.shape()).containsExactly(1, 1, 2, 3);
    assertThat(tensor.floats()).containsExactly(1, 2, 3, 4, 5, 6);
  }

  @Test
  void aFlatListMayHoldSeveralRows() throws IOException {
    Path file = Files.writeString(folder.resolve("x.json"), "[1,2,3,4,5,6,7,8,9,10,11,12]");

    assertThat(read(file, BATCH).shape()).containsExactly(2, 1, 2, 3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1, 2 | malformed JSON at line 1, column 6: it ends too early",
        "[1, NaN] | malformed JSON at line 1, column 5: unexpected 'NaN'",
        "'' | it is empty",
        "{\"instances\":[[1,2]]} | it is an object without \"data\"",
        "[[1,2],[3]] | its lists at depth 1 are not of one length",
        "[[1,2],[3,4,5],[6]] | its lists at depth 1 are not of one length",
        "[[1,2],[3,[4]]] | its lists at depth 2 are not of one length",
        "[[1],2] | its lists at depth 1 are not of one length",
        "[1,\"two\"] | position 1 has \"two\", which is no i8 of input 'x'",
        "[1,1.5] | position 1 has 1.5",
        "[1,128] | position 1 has 128",
        "{\"shape\":[-1],\"data\":[1]} | its shape has -1",
        "{\"shape\":[4294967296,4294967296],\"data\":[1]} | takes -1",
        "{\"inputs\":[]} | has no input 'x'"
      })
  void jsonThatDoesNotFitIsToldWithThePlace(String text, String reason) throws IOException {
    Path file = Files.writeString(folder.resolve("x.json"), text);

    assertThatThrownBy(() -> read(file, spec(ElementType.I8, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("x.json")
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource({"1e400, F64", "-1e39, F32", "65520, F16"})
  void aNumberOfJsonThatWouldBecomeInfiniteIsRefused(String number, ElementType type)
      throws IOException {
    Path file = Files.writeString(folder.resolve("x.json"), "[0," + number + "]");

    assertThatThrownBy(() -> read(file, spec(type, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("position 1 has a number outside the range of ");
  }

  @Test
  void stringsOfJsonAreTextsOrBase64() throws IOException {
    var strings =
        TensorSpec.of(
            "x", ElementType.I32, Optional.of(CodedType.STRING), List.of(new Dimension.Fixed(2)));
    Path file = Files.writeString(folder.resolve("x.json"), "[\"ü\",{\"b64\":\"/w==\"}]");
    Path wrong = Files.writeString(folder.resolve("y.json"), "[\"a\",{\"b64\":\"?\"}]");

    Tensor read = read(file, strings);

    assertThat(read.byteStrings())
        .isDeepEqualTo(new byte[][] {{(byte) 0xC3, (byte) 0xBC}, {(byte) 0xFF}});
    assertThatThrownBy(() -> read(wrong, strings))
        .hasMessageContaining("position 1 has {\"b64\":\"?\"}, which is no string of input 'x'");
  }

  private Path image(int height, int width, int type, int... values) throws IOException {
    var image = new BufferedImage(width, height, type);
    for (int i = 0; i < values.length; i++) {
      if (type == BufferedImage.TYPE_BYTE_GRAY) {
        image.getRaster().setSample(i % width, i / width, 0, values[i]);
      } else {
        image.setRGB(i % width, i / width, values[i]);
      }
    }
    Path file = folder.resolve("x.png");
    ImageIO.write(image, "png", file.toFile());
    return file;
  }

  @Test
  void colorsLieByChannelOrByPixelAsTheInputHasThem() throws IOException {
    Path file = image(1, 2, BufferedImage.TYPE_INT_RGB, 0xC86432, 0x0A141E);

    assertThat(read(file, spec(ElementType.U8, -1, 3, 1, 2)).ints())
        .containsExactly(200, 10, 100, 20, 50, 30);
    assertThat(read(file, spec(ElementType.U8, 1, 2, 3)).ints())
        .containsExactly(200, 100, 50, 10, 20, 30);
    assertThat(read(file, spec(ElementType.F32, 1, 3, 0, 0)).shape()).containsExactly(1, 3, 1, 2);
  }

  /* Pillow 12.3 says [124, 18]. */
  @Test
  void colorsBecomeGreyAsPillowHasIt() throws IOException {
    Path file = image(1, 2, BufferedImage.TYPE_INT_RGB, 0xC86432, 0x0A141E);

    assertThat(read(file, spec(ElementType.U8, 1, 1, 1, 2)).ints()).containsExactly(124, 18);
  }

  @Test
  void greyValuesAreTakenAsTheyAreAndScaledToOne() throws IOException {
    Path file = image(2, 2, BufferedImage.TYPE_BYTE_GRAY, 0, 51, 204, 255);

    assertThat(read(file, spec(ElementType.F32, -1, 1, 2, 2)).floats())
        .containsExactly(0, 0.2f, 0.8f, 1);
    var normalised = new Normalisation(List.of(0.5), List.of(0.25));
    assertThat(InputContent.read(file, normalised).tensor(spec(ElementType.F32, 2, 2)).floats())
        .containsExactly(new float[] {-2, -1.2f, 1.2f, 2}, offset(1e-6f));
  }

  /* numpy.arange(48).reshape(6, 8) * 5 in Pillow 12.3, resize(…, Image.BILINEAR) of mode F. */
  @Test
  void imagesAreScaledAsPillowScalesThem() throws IOException {
    int[] values = java.util.stream.IntStream.range(0, 48).map(i -> i * 5).toArray();
    Pixels pixels =
        Pixels.decode(
            folder, Files.readAllBytes(image(6, 8, BufferedImage.TYPE_BYTE_GRAY, values)));

    assertThat(pixels.scaled(2, 3).values())
        .containsExactly(
            new float[] {55.5263f, 67.5f, 79.4737f, 155.5263f, 167.5f, 179.4737f}, offset(1e-3f));
    assertThat(Arrays.copyOfRange(pixels.scaled(9, 12).values(), 48, 60))
        .containsExactly(
            new float[] {
              100, 102.5f, 105.8333f, 109.1667f, 112.5f, 115.8333f, 119.1667f, 122.5f, 125.8333f,
              129.1667f, 132.5f, 135
            },
            offset(1e-3f));
  }

  @Test
  void whatIsNoImageAndWhereNoneBelongsIsTold() throws IOException {
    Path text = Files.writeString(folder.resolve("y.png"), "hello");
    Path file = image(1, 1, BufferedImage.TYPE_BYTE_GRAY, 0);

    assertThatThrownBy(() -> read(text, BATCH)).hasMessageContaining("it is no image");
    assertThatThrownBy(() -> read(file, spec(ElementType.I64, -1, 128)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> read(file, spec(ElementType.F32, 1, 7, 5, 5)))
        .hasMessageContaining("is an image, and input 'x' (f32[1,7,5,5]) takes none");
    var normalised = new Normalisation(List.of(0.5), List.of(0.25));
    assertThatThrownBy(
            () -> InputContent.read(file, normalised).tensor(spec(ElementType.U8, -1, 1, 1, 1)))
        .hasMessageContaining("--mean and --std are for floats");
    assertThatThrownBy(() -> read(folder.resolve("z.tiff"), BATCH))
        .hasMessageContaining("is none of .npy");
    assertThatThrownBy(() -> read(folder.resolve("z.png"), BATCH))
        .hasMessageContaining("there is no file");
    assertThatThrownBy(() -> new Normalisation(List.of(0.0), List.of(1.0, 2.0)))
        .hasMessageContaining("one number or three");
  }
}
