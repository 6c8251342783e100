package io.miniinference.codegen.gpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.ir.ElementType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.List;

/// The text of an `f32` product by tiles in local memory: two buffers, so that a panel is fetched
/// while the one before is in use; every work item reaches every barrier. What is stored goes
/// through the epilogue first.
///
/// @param s the step
/// @param tile how the work is shared out
/// @param depth products per element
/// @param rows text of the number of rows; row numbers start at variable `m0`
/// @param columns number of columns; column numbers start at variable `j0`
/// @param left panel of the left operand
/// @param right panel of the right operand
/// @param decoding coordinates of a row
/// @param at coordinates of an element of the result; the column is variable `col`
/// @param columnAxis axis of the result along which columns are
record TiledProduct(
    StepText s,
    Tile tile,
    long depth,
    String rows,
    Affine columns,
    Panel left,
    Panel right,
    Decoding decoding,
    List<Coordinate> at,
    int columnAxis) {
  /// Components of a `float4`.
  static final String PARTS = "xyzw";

  /// Declares the work item's place in its tile; needed before all else.
  static void openItem(KernelText text, Tile tile) {
    text.line("const int t = get_local_id(0);");
    String place = "t";
    if (tile.slices() > 1) {
      place = "place";
      String items = Integer.toString(tile.sliceItems());
      text.line("const int slice = t / " + items + ", place = t % " + items + ";");
    }
    text.line(
        "const int tx = PLACE % ACROSS, ty = PLACE / ACROSS;"
            .replace("PLACE", place)
            .replace("ACROSS", Integer.toString(tile.across())));
  }

  void write() {
    KernelText text = s.text();
    left.declare(text);
    right.declare(text);
    text.line("float4 c[" + tile.rowsPerItem() + "];");
    text.line("UNROLL");
    text.line("for (int i = 0; i < " + tile.rowsPerItem() + "; i++) c[i] = (float4)0;");
    fetch("0");
    store("0");
    text.line("barrier(CLK_LOCAL_MEM_FENCE);");
    left.source().decide(text);
    text.line("int buffer = 0;");
    text.line("#pragma unroll 1");
    text.open("for (int k0 = 0; k0 < " + depth + "; k0 += " + tile.depth() + ")");
    text.line("const int next = k0 + " + tile.depth() + ";");
    text.open("if (next < " + depth + ")");
    fetch("next");
    text.close();
    multiply();
    text.line("buffer ^= 1;");
    text.open("if (next < " + depth + ")");
    store("buffer");
    text.close();
    text.line("barrier(CLK_LOCAL_MEM_FENCE);");
    text.close();
    if (tile.slices() > 1) {
      addSlices();
    }
    result();
  }

  private void fetch(String from) {
    left.fetch(s.text(), from);
    right.fetch(s.text(), from);
  }

  private void store(String buffer) {
    left.store(s.text(), buffer);
    right.store(s.text(), buffer);
  }

  private void multiply() {
    KernelText text = s.text();
    text.line("UNROLL_BY_4");
    int depth = tile.depth() / tile.slices();
    text.open("for (int k = 0; k < " + depth + "; k++)");
    String slice = tile.slices() > 1 ? " + slice * " + depth : "";
    String row = "(buffer * " + tile.depth() + slice + " + k)";
    text.line(
        "local const float4* pa = (local const float4*)(as + " + row + " * " + tile.pitch() + ");");
    text.line(
        "const float4 b = ((local const float4*)(bs + " + row + " * " + tile.columns() + "))[tx];");
    text.line("UNROLL");
    text.open("for (int i = 0; i < " + tile.rowsPerItem() / 4 + "; i++)");
    text.line("const float4 a = pa[ty + i * " + tile.down() + "];");
    for (int lane = 0; lane < 4; lane++) {
      String c = "c[4 * i + " + lane + "]";
      text.line(c + " = fma((float4)(a." + PARTS.charAt(lane) + "), b, " + c + ");");
    }
    text.close();
    text.close();
  }

  /* The panels are no longer needed: the sums of all slices but the first go through their memory,
  and the first slice adds them to its own, in order. */
  private void addSlices() {
    KernelText text = s.text();
    String at = "[(SLICE * " + tile.rowsPerItem() + " + i) * " + tile.sliceItems() + " + place]";
    String rows = "for (int i = 0; i < " + tile.rowsPerItem() + "; i++) ";
    text.line("local float4* sums = (local float4*)as;");
    text.open("if (slice > 0)");
    text.line("UNROLL");
    text.line(rows + "sums" + at.replace("SLICE", "(slice - 1)") + " = c[i];");
    text.close();
    text.line("barrier(CLK_LOCAL_MEM_FENCE);");
    text.line("if (slice > 0) return;");
    for (int slice = 0; slice < tile.slices() - 1; slice++) {
      text.line("UNROLL");
      text.line(rows + "c[i] += sums" + at.replace("SLICE", Integer.toString(slice)) + ";");
    }
  }

  private void result() {
    KernelText text = s.text();
    text.open("for (int i = 0; i < " + tile.rowsPerItem() + "; i++)");
    text.line("const long m = m0 + i / 4 * " + 4 * tile.down() + " + ty * 4 + i % 4;");
    text.open("if (m < " + rows + ")");
    decoding.write(text, "m");
    text.line("const long col0 = j0 + tx * 4;");
    if (storesVectors()) {
      storeVector();
    } else {
      storeEach();
    }
    text.close();
    text.close();
  }

  /* Lanes are written out: PoCL's compiler goes wrong over unrolled loops of conditions. */
  private void storeEach() {
    for (int lane = 0; lane < 4; lane++) {
      s.text().open("if (col0 + " + lane + " < " + IndexText.affine(columns) + ")");
      openLane(lane);
      s.store(s.epilogue("result", ElementType.F32, at), at);
      s.text().close();
    }
  }

  private void openLane(int lane) {
    s.text().line("const long col = col0 + " + lane + ";");
    s.text().line("const float result = c[i]." + PARTS.charAt(lane) + ";");
  }

  private void storeVector() {
    KernelText text = s.text();
    text.open("if (col0 < " + IndexText.affine(columns) + ")");
    text.line("float4 r;");
    for (int lane = 0; lane < 4; lane++) {
      text.line("{");
      openLane(lane);
      String value = s.epilogue("result", ElementType.F32, at);
      text.line("r." + PARTS.charAt(lane) + " = " + value + ";");
      text.line("}");
    }
    text.line("const long col = col0;");
    String offset = IndexText.offset(s.step().output().index(), at);
    text.line("*(global float4*)(" + s.output() + " + " + offset + ") = r;");
    text.close();
  }

  private boolean storesVectors() {
    return s.outputType() == CType.F32
        && columns.isMultipleOf(4)
        && isVector(s.step().output().index(), columnAxis);
  }

  /// Whether every fourth element along an axis starts 16 aligned bytes.
  static boolean isVector(IndexFunction index, int axis) {
    if (!index.offset().isMultipleOf(4) || !index.axes().get(axis).stride().equals(Affine.ONE)) {
      return false;
    }
    for (int i = 0; i < index.rank(); i++) {
      Axis a = index.axes().get(i);
      boolean single = a.extent().equals(Affine.ONE);
      if (i != axis && !single && !a.stride().isMultipleOf(4)) {
        return false;
      }
    }
    return true;
  }
}
