package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.Statements;
import io.miniinference.codegen.Template;

/// Text of how a work-group brings panels of one operand of 16-bit floats into local memory, as
/// they are: several of them are on their way while one is multiplied, past the registers where the
/// device can (`cp.async` of the PTX ISA, 9.7.9.25).
///
/// @param panel the operand
/// @param tile whose panels they are
record StagedPanel(Panel panel, HalfTile tile) {
  private static final Template BUFFERS =
      Template.of(
          "staged panels",
          """
          @shared ushort ${name}s[$size] @aligned;
          $declarations
          """);

  /* What is not there is zero: of such an element no byte is read. */
  private static final Template ASYNC =
      Template.of(
          "copy past the registers",
          """
          const bool there = $condition;
          asm volatile("cp.async.$cache.shared.global [%0], [%1], $bytes, %2;"
              : : "r"(@sharedAddress(${name}s + $place)), "l"($pointer + (there ? $offset : 0)), "r"(there ? $bytes : 0) : "memory");
          """);

  private static final Template VECTOR =
      Template.of(
          "copy of a vector",
          "*(@local float$floats*)(${name}s + $place) = $condition ? *(@global const float$floats*)($pointer + $offset) : @splat($floats, 0);");

  private static final Template SINGLE =
      Template.of(
          "copy of one element",
          "${name}s[$place] = $condition ? ((@global const ushort*)$pointer)[$offset] : (ushort)0;");

  /// Declarations before the product.
  String declarations() {
    String buffers =
        BUFFERS
            .with("name", panel.name())
            .with("size", tile.stages() * panel.lines() * tile.pitch())
            .with("declarations", panel.lineDeclarations())
            .text();
    return Statements.of(buffers, panel.lineStatements());
  }

  /// Statements that bring the panel from depth `from` on into stage `stage`, or have it brought.
  String copy(String from, String stage) {
    String place = "(%s * %d + line) * %d + at".formatted(stage, panel.lines(), tile.pitch());
    return panel.copy(
        from,
        (condition, offset) ->
            form()
                .with("place", place)
                .with("condition", condition.isEmpty() ? "true" : "(" + condition + ")")
                .with("pointer", panel.source().pointer())
                .with("offset", offset)
                .text());
  }

  private Template.Filling form() {
    int bytes = panel.width() * Short.BYTES;
    if (panel.width() == 1) {
      return SINGLE.with("name", panel.name());
    }
    return tile.products() == TensorProducts.PTX
        ? ASYNC
            .with("name", panel.name())
            .with("bytes", bytes)
            .with("cache", bytes == 16 ? "cg" : "ca")
        : VECTOR.with("name", panel.name()).with("floats", bytes / Float.BYTES);
  }
}
