package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.Template;
import io.miniinference.ir.ElementType;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;

/// The channels (axis 1) of an array of images, sixteen at a time, as a kernel with its channels in
/// the lanes of a vector reads and writes them: one vector where they are neighbours in memory, and
/// one by one where they are not, in a function: compilers write the loop out wherever it stands.
///
/// @param pointer of the array
/// @param index how it lies; constant strides along all axes but the first
/// @param lanes of its elements
public record Vectors(String pointer, IndexFunction index, LaneArray lanes) {
  private static final int LANES = VectorText.LANES;

  /// Those of an array of floats.
  public Vectors(String pointer, IndexFunction index) {
    this(pointer, index, new LaneArray(ElementType.F32));
  }

  /// Whether a kernel can address the array: one block of sixteen after the other, or none at all.
  public static boolean suits(IndexFunction index) {
    for (int i = 1; i < index.rank(); i++) {
      Axis axis = index.axes().get(i);
      boolean known = axis.stride().isConstant() && axis.outerStride().isConstant();
      boolean blocks = !axis.isBlocked() || (i == 1 && axis.block() == LANES);
      if (!known || !blocks) {
        return false;
      }
    }
    return !index.axes().getFirst().isBlocked();
  }

  /// Whether an image's rows of pixels follow each other without gaps.
  public static boolean isFlat(IndexFunction index) {
    Vectors vectors = new Vectors("", index);
    long width = index.axes().getLast().extent().asConstant();
    return vectors.rowStride() == width * vectors.pixelStride();
  }

  private Axis channels() {
    return index.axes().get(1);
  }

  private long count() {
    return channels().extent().asConstant();
  }

  private long laneStride() {
    return channels().stride().asConstant();
  }

  /// Blocks of sixteen channels, the last one maybe not full.
  public long blocks() {
    return Math.ceilDiv(count(), LANES);
  }

  /// Elements from one block of sixteen channels to the next.
  public long blockStride() {
    return channels().isBlocked() ? channels().outerStride().asConstant() : laneStride() * LANES;
  }

  /// Elements from a pixel to the one at its right.
  public long pixelStride() {
    return index.axes().getLast().stride().asConstant();
  }

  /// Elements from a row of pixels to the next; images of one axis are one row.
  public long rowStride() {
    return index.rank() < 4 ? 0 : index.axes().get(index.rank() - 2).stride().asConstant();
  }

  /* To the plane `oz` of images of three axes. */
  private String plane() {
    return index.rank() < 5 ? "" : " + oz * " + index.axes().get(2).stride().asConstant() + "L";
  }

  /* A blocked array has room for all sixteen lanes of its last block. */
  private boolean isWhole() {
    return laneStride() == 1 && (channels().isBlocked() || count() % LANES == 0);
  }

  private static final Template START =
      Template.of(
          "vectors, start",
          "const long $name = $offset + item * $image + ob * ${block}L + oy * ${row}L$plane;");

  /// Declares the element of image `item`, row `oy` and the first channel of block `ob`, in images
  /// of three axes of plane `oz`.
  ///
  /// @param vectors vectors of such a block
  public String start(String name, int vectors) {
    return START
        .with("name", name)
        .with("offset", IndexText.affine(index.offset()))
        .with("image", IndexText.affine(index.axes().getFirst().stride()))
        .with("block", blockStride() * vectors)
        .with("row", rowStride())
        .with("plane", plane())
        .text();
  }

  /// A statement that stores the vector `value` at element `at`, the first of block number `block`.
  public String store(String value, String at, String block) {
    String to = pointer + " + " + at;
    return isWhole() ? lanes.store(value, to) : lanes.spread(count(block), value, to, laneStride());
  }

  /// A statement, where one is needed, before [#load] with the same arguments.
  public String prepare(String name, String at, String block) {
    return isWhole()
        ? ""
        : "const %s %s = %s;"
            .formatted(
                lanes.variable(),
                name,
                lanes.gather(count(block), pointer + " + " + at, laneStride()));
  }

  /// Text of the vector at element `at`.
  public String load(String name, String at) {
    return isWhole() ? lanes.load(pointer + " + " + at) : name;
  }

  /// How channels lie, for readers.
  public String about() {
    return channels().isBlocked()
        ? "sixteen channels innermost (NCHW16c)"
        : laneStride() == 1 ? "channels innermost (NHWC)" : "channel by channel";
  }

  private String count(String block) {
    return count() % LANES == 0 ? "16" : "min(16, (int)(" + count() + " - (" + block + ") * 16))";
  }
}
