package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.Template;
import io.miniinference.layout.IndexFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Text of how a work-group brings lines of an operand of attention, or parts of them, into local
/// memory: a work item reads its share into registers while what was there before is in use.
///
/// @param name prefix of its registers
/// @param pointer to the operand
/// @param element type of its elements
/// @param base text of the element offset of its matrix
/// @param index how it lies; a line is along axis `along` of its last two
/// @param along the axis
/// @param lines how many are brought
/// @param part floats of each
/// @param place in local memory
public record AttentionPart(
    String name,
    String pointer,
    CType element,
    String base,
    IndexFunction index,
    int along,
    int lines,
    int part,
    Place place) {

  /// Where lines go.
  ///
  /// @param array in local memory
  /// @param pitch floats from row to row there
  /// @param turned whether a row is what lines have at one place, and not a line
  public record Place(String array, int pitch, boolean turned) {}

  private static final Template FETCH =
      Template.of(
          "attention, fetch",
          """
          @unroll
          for (int i = 0; i < $loads; i++) {
            const int e = t + i * $items;
            const long line = $firstLine + $line, at = $first + $at;
            ${name}_next[i] = $inside ? $read : $zero;
          }
          """);

  private static final Template STORE =
      Template.of(
          "attention, store",
          """
          @unroll
          for (int i = 0; i < $loads; i++) {
            const int e = t + i * $items;
            const int line = $line, at = $at;
            $ragged
            @local float* p = $array + $place;
            $store
          }
          """);

  private int width() {
    return part % 4 == 0
            && index.axes().get(along).extent().isAlwaysMultipleOf(4)
            && TiledProduct.isVector(index, along)
        ? 4
        : 1;
  }

  private int other() {
    return along == index.rank() - 1 ? along - 1 : along + 1;
  }

  private int elements() {
    return lines * part / width();
  }

  private int loads() {
    return Math.ceilDiv(elements(), AttentionTile.ITEMS);
  }

  private boolean isRagged() {
    return elements() % AttentionTile.ITEMS != 0;
  }

  /* Whether neighbouring work items read along a line. What is turned four floats at a time goes to
  places beside each other if they read beside each other across lines. */
  private boolean isAlong() {
    return width() > 1 ? !place.turned : index.axes().get(along).stride().isSingle();
  }

  private String line() {
    return isAlong() ? "e / " + part / width() : "e % " + lines;
  }

  private String at() {
    String vector = isAlong() ? "e % " + part / width() : "e / " + lines;
    return width() > 1 ? vector + " * 4" : vector;
  }

  /// The declaration of its registers.
  public String declaration() {
    return "%s %s_next[%d];".formatted(width() > 1 ? "float4" : "float", name, loads());
  }

  /// Statements that read into registers.
  ///
  /// @param firstLine text of the first line
  /// @param count text of the number of lines that there are
  /// @param first text of where in each line the part begins
  public String fetch(String firstLine, String count, String first) {
    String offset =
        "%s + line * %s + at * %s"
            .formatted(
                base,
                IndexText.affine(index.axes().get(other()).stride()),
                IndexText.affine(index.axes().get(along).stride()));
    String end = IndexText.affine(index.axes().get(along).extent());
    String ragged = isRagged() ? "e < " + elements() + " && " : "";
    return FETCH
        .with("loads", loads())
        .with("items", AttentionTile.ITEMS)
        .with("firstLine", firstLine)
        .with("line", line())
        .with("first", first)
        .with("at", at())
        .with("name", name)
        .with("inside", "(" + ragged + "line < " + count + " && at < " + end + ")")
        .with(
            "read", width() > 1 ? element.readFour(pointer, offset) : element.read(pointer, offset))
        .with("zero", width() > 1 ? "@splat(4, 0)" : "0.0f")
        .text();
  }

  /// Statements that store the registers in local memory.
  ///
  /// @param row text of the row there where the part begins
  public String store(String row) {
    String at =
        place.turned
            ? "(%s + at) * %d + line".formatted(row, place.pitch)
            : "(%s + line) * %d + at".formatted(row, place.pitch);
    return STORE
        .with("loads", loads())
        .with("items", AttentionTile.ITEMS)
        .with("line", line())
        .with("at", at())
        .with("ragged", isRagged() ? "if (e >= " + elements() + ") continue;" : "")
        .with("array", place.array)
        .with("place", at)
        .with("store", stored())
        .text();
  }

  private String stored() {
    if (width() == 1) {
      return "p[0] = " + name + "_next[i];";
    }
    return place.turned
        ? IntStream.range(0, 4)
            .mapToObj(k ->
                "p[%d] = %s_next[i].%c;"
                    .formatted(k * place.pitch, name, TiledProduct.PARTS.charAt(k)))
            .collect(Collectors.joining("\n"))
        : "*(@local float4*)p = " + name + "_next[i];";
  }
}
