package io.miniinference.codegen.cpu;

import io.miniinference.codegen.KernelText;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;

/// The channels (axis 1) of an array of images, sixteen at a time, as a kernel with its channels in
/// the lanes of a vector reads and writes them: one vector where they are neighbours in memory, and
/// one by one where they are not.
///
/// @param pointer of the array
/// @param index how it lies; constant strides along all axes but the first
record Vectors(String pointer, IndexFunction index) {
  private static final int LANES = VectorText.LANES;

  /// Whether a kernel can address the array: one block of sixteen after the other, or none at all.
  static boolean suits(IndexFunction index) {
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
  long blocks() {
    return Math.ceilDiv(count(), LANES);
  }

  /// Elements from one block of sixteen channels to the next.
  long blockStride() {
    return channels().isBlocked() ? channels().outerStride().asConstant() : laneStride() * LANES;
  }

  /// Elements from a pixel to the one at its right.
  long pixelStride() {
    return index.axes().getLast().stride().asConstant();
  }

  /// Elements from a row of pixels to the next; images of one axis are one row.
  long rowStride() {
    return index.rank() < 4 ? 0 : index.axes().get(2).stride().asConstant();
  }

  /* A blocked array has room for all sixteen lanes of its last block. */
  private boolean isWhole() {
    return laneStride() == 1 && (channels().isBlocked() || count() % LANES == 0);
  }

  /// Statements that store the vector `value` at element `at`, the first of block number `block`.
  void store(KernelText text, String value, String at, String block) {
    if (isWhole()) {
      text.line("vstore16(" + value + ", 0, " + pointer + " + " + at + ");");
      return;
    }
    text.open("");
    text.line("float z[16];");
    text.line("vstore16(" + value + ", 0, z);");
    text.line("global float* to = " + pointer + " + " + at + ";");
    text.line(each(block) + " to[j * " + laneStride() + "L] = z[j];");
    text.close();
  }

  /// Statements, where any are needed, before [#load] with the same arguments.
  void prepare(KernelText text, String name, String at, String block) {
    if (!isWhole()) {
      text.line("float " + name + "[16] = {0};");
      text.line(
          each(block)
              + " "
              + name
              + "[j] = "
              + pointer
              + "["
              + at
              + " + j * "
              + laneStride()
              + "L];");
    }
  }

  /// Text of the vector at element `at`.
  String load(String name, String at) {
    return isWhole() ? "vload16(0, " + pointer + " + " + at + ")" : "vload16(0, " + name + ")";
  }

  private String each(String block) {
    String end =
        count() % LANES == 0 ? "16" : "min(16, (int)(" + count() + " - (" + block + ") * 16))";
    return "for (int j = 0; j < " + end + "; j++)";
  }
}
