package io.miniinference.codegen.gpu;

import io.miniinference.codegen.KernelText;

/// Text of how a work-group brings its panel of one operand into local memory: what it reads while
/// the panel before is in use stays in registers first. Loaded are single floats or, where address
/// and extents allow it, `float4`s (dereferenced: `vload4` is no 16-byte access on NVIDIA devices).
///
/// @param side which operand it is
/// @param lines rows of the left panel, columns of the right one
/// @param depth extent of the other axis
/// @param vector whether it is read four at a time
/// @param alongDepth whether neighbouring work items read along the depth
/// @param source where the operand lies
record Panel(
    Side side, int items, int lines, int depth, boolean vector, boolean alongDepth, Source source) {

  /// The two operands of a product.
  enum Side {
    /// Stored transposed in local memory, so that a work item reads four rows at once.
    LEFT("a"),
    RIGHT("b");

    private final String name;

    Side(String name) {
      this.name = name;
    }
  }

  /// Text of addresses of an operand's elements.
  interface Source {
    /// Declares, before the product, what depends on the line only, for each load of a work item.
    ///
    /// @param name prefix of what is declared
    /// @param loads loads per work item and panel
    /// @param open opens the loop over the loads `i` and declares the tile's line `line` of each;
    ///   whoever calls it closes the loop
    void declare(KernelText text, String name, int loads, Runnable open);

    /// The element at depth `k` of the line of load `i` (variables of the text). Statements that it
    /// needs are written first.
    ///
    /// @param name prefix of what was declared
    Load load(KernelText text, String name);

    /// Statements behind the barrier after the first panel, to which all work items come.
    default void decide(KernelText text) {}

    /// Name of the pointer.
    String pointer();
  }

  /// @param condition text of when the element exists, empty for always
  /// @param offset text of where it is
  record Load(String condition, String offset) {}

  private int elements() {
    return lines * depth / (vector ? 4 : 1);
  }

  private int loads() {
    return Math.ceilDiv(elements(), items);
  }

  private boolean isRagged() {
    return elements() % items != 0;
  }

  private String type() {
    return vector ? "float4" : "float";
  }

  private String line() {
    if (alongDepth) {
      return "e / " + (vector ? depth / 4 : depth);
    }
    return vector ? "e % " + lines / 4 + " * 4" : "e % " + lines;
  }

  private String atDepth() {
    if (alongDepth) {
      return vector ? "e % " + depth / 4 + " * 4" : "e % " + depth;
    }
    return "e / " + (vector ? lines / 4 : lines);
  }

  /// Declarations before the product.
  void declare(KernelText text) {
    String n = side.name;
    int size = side == Side.LEFT ? (lines + 4) * depth : lines * depth;
    text.line("local float " + n + "s[" + 2 * size + "] __attribute__((aligned(16)));");
    text.line(type() + " " + n + "r[" + loads() + "];");
    source.declare(text, n, loads(), () -> openLoads(text, "const int line = " + line() + ";"));
  }

  private void openLoads(KernelText text, String declaration) {
    text.line("UNROLL");
    text.open("for (int i = 0; i < " + loads() + "; i++)");
    text.line("const int e = t + i * " + items + ";");
    text.line(declaration);
  }

  /// Statements that read the panel from depth `from` on into registers.
  void fetch(KernelText text, String from) {
    openLoads(text, "const int k = " + from + " + " + atDepth() + ";");
    Load load = source.load(text, side.name);
    String read =
        vector
            ? "*(global const float4*)(" + source.pointer() + " + " + load.offset() + ")"
            : source.pointer() + "[" + load.offset() + "]";
    String ragged = isRagged() ? "e < " + elements() : "";
    String condition =
        ragged.isEmpty() || load.condition().isEmpty()
            ? ragged + load.condition()
            : ragged + " && " + load.condition();
    String value = condition.isEmpty() ? read : "(" + condition + ") ? " + read + " : (ZERO)0";
    text.line(side.name + "r[i] = " + value.replace("ZERO", type()) + ";");
    text.close();
  }

  /// Statements that store the registers in buffer `buffer` of local memory.
  void store(KernelText text, String buffer) {
    int pitch = side == Side.LEFT ? lines + 4 : lines;
    openLoads(text, "const int line = " + line() + ", k = " + atDepth() + ";");
    if (isRagged()) {
      text.line("if (e >= " + elements() + ") continue;");
    }
    String n = side.name;
    text.line(
        "local float* p = NAMEs + (BUFFER * DEPTH + k) * PITCH + line;"
            .replace("NAME", n)
            .replace("BUFFER", buffer)
            .replace("DEPTH", "" + depth)
            .replace("PITCH", "" + pitch));
    if (!vector) {
      text.line("p[0] = " + n + "r[i];");
    } else if (alongDepth) {
      for (int lane = 0; lane < 4; lane++) {
        text.line(
            "p[" + lane * pitch + "] = " + n + "r[i]." + TiledProduct.PARTS.charAt(lane) + ";");
      }
    } else {
      text.line("*(local float4*)p = " + n + "r[i];");
    }
    text.close();
  }
}
