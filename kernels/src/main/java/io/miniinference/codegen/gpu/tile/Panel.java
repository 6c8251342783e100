package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.Template;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Text of how a work-group brings its panel of one operand into local memory: what it reads while
/// the panel before is in use stays in registers first. Loaded are single floats or, where address
/// and extents allow it, `float4`s (dereferenced: `vload4` is no 16-byte access on NVIDIA devices).
///
/// @param side which operand it is
/// @param lines rows of the left panel, columns of the right one
/// @param depth extent of the other axis
/// @param width how many elements are read at a time: 1 or 4, of 16-bit panels 8, too
/// @param alongDepth whether neighbouring work items read along the depth
/// @param element type of the operand's elements
/// @param form how it lies in local memory
/// @param source where the operand lies
public record Panel(
    Side side,
    int items,
    int lines,
    int depth,
    int width,
    boolean alongDepth,
    CType element,
    Form form,
    Source source) {

  /// The two operands of a product.
  public enum Side {
    /// Stored transposed in local memory, so that a work item reads four rows at once.
    LEFT("a"),
    RIGHT("b");

    private final String name;

    Side(String name) {
      this.name = name;
    }
  }

  /// How panels lie in local memory.
  public enum Form {
    /// As they are: lines innermost, so that a work item reads four at once.
    F32,
    /// Rounded to TF32: the depth innermost, as fragments of tensor cores are read. Lines start
    /// four floats further on than the depth ends, so that the eight rows of 16 bytes which one
    /// read of a fragment takes are in banks of their own.
    TF32,
    /// As they are, in 16 bits, the depth innermost ([StagedPanel]).
    HALF
  }

  private static final Template BUFFERS =
      Template.of(
          "panel buffers",
          """
          @shared float ${name}s[$size] @aligned;
          $type ${name}r[$loads];
          $declarations
          """);

  private static final Template EACH_LOAD =
      Template.of(
          "panel loads",
          """
          @unroll
          for (int i = 0; i < $loads; i++) {
            const uint e = t + i * $items;
            $declaration
            $body
          }
          """);

  /* All loads of a work item are at one depth: what follows from it is worked out once. */
  private static final Template LOADS_AT_DEPTH =
      Template.of(
          "panel loads at one depth",
          """
          {
            const int k = $depth;
            $statements
            $loads
          }
          """);

  private static final Template STORE =
      Template.of(
          "panel store",
          """
          $ragged
          @local float* p = ${name}s + $place;
          $store
          """);

  /// Text of addresses of an operand's elements.
  public interface Source {
    /// Declares, before the product, what depends on the line only.
    ///
    /// @param name prefix of what is declared
    /// @param loads loads per work item and panel
    String declarations(String name, int loads);

    /// Statements that set it for load `i` from the tile's line `line` (variables of the text).
    String set(String name);

    /// Statements after it is set for all loads.
    default String conclude() {
      return "";
    }

    /// The element at depth `k` of the line of load `i` (variables of the text).
    ///
    /// @param name prefix of what was declared
    Load load(String name);

    /// Statements behind the barrier after the first panel, to which all work items come.
    default String decide() {
      return "";
    }

    /// Name of the pointer.
    String pointer();

    /// What the panel is made of, for readers.
    String about();

    /// Whether its elements are TF32 numbers already.
    default boolean isRounded() {
      return false;
    }
  }

  /// @param ofDepth statements that it needs first, which depend on the depth alone
  /// @param statements that it needs after these
  /// @param condition text of when the element exists, empty for always
  /// @param offset text of where it is
  public record Load(String ofDepth, String statements, String condition, String offset) {
    /// An element whose place follows from its line and depth by themselves.
    Load(String condition, String offset) {
      this("", "", condition, offset);
    }
  }

  private int elements() {
    return lines * depth / width;
  }

  private int loads() {
    return Math.ceilDiv(elements(), items);
  }

  private boolean isRagged() {
    return elements() % items != 0;
  }

  private String type() {
    return width > 1 ? "float4" : "float";
  }

  private String line() {
    if (alongDepth) {
      return "e / " + depth / width;
    }
    return width > 1 ? "e % " + lines / width + " * " + width : "e % " + lines;
  }

  private String atDepth() {
    return alongDepth ? alongDepth("e") : "e / " + lines / width;
  }

  private String alongDepth(String element) {
    return width > 1 ? element + " % " + depth / width + " * " + width : element + " % " + depth;
  }

  /* Whether a work item's loads differ in their lines alone. */
  private boolean isAtOneDepth() {
    return alongDepth && items % (depth / width) == 0;
  }

  /// Floats from one row of local memory to the next: rows are depths, of TF32 numbers lines.
  int pitch() {
    return form == Form.TF32 ? depth + 4 : side == Side.LEFT ? lines + 4 : lines;
  }

  /* Rows of one buffer. */
  private int rows() {
    return form == Form.TF32 ? lines : depth;
  }

  private String place(String buffer) {
    String row = form == Form.TF32 ? "line" : "k";
    String inRow = form == Form.TF32 ? "k" : "line";
    return "(%s * %d + %s) * %d + %s".formatted(buffer, rows(), row, pitch(), inRow);
  }

  /// Declarations before the product.
  String declarations() {
    String n = side.name;
    String buffers =
        BUFFERS
            .with("name", n)
            .with("size", 2 * pitch() * rows())
            .with("type", type())
            .with("loads", loads())
            .with("declarations", source.declarations(n, loads()))
            .text();
    return Statements.of(buffers, lineStatements());
  }

  /// Name of its side, with which all that it declares starts.
  String name() {
    return side.name;
  }

  /// Declarations of what depends on the line only.
  String lineDeclarations() {
    return source.declarations(side.name, loads());
  }

  /// Statements that set these.
  String lineStatements() {
    String set = eachLoad("const int line = " + line() + ";", source.set(side.name));
    return Statements.of(set, source.conclude());
  }

  /// Statements for each load of the panel from depth `from` on; the load's place in the panel is
  /// at line `line` and depth `at`.
  ///
  /// @param body for a condition, empty for always, and an offset behind the pointer
  String copy(String from, BiFunction<String, String, String> body) {
    Load load = source.load(side.name);
    String ragged = isRagged() ? "if (e >= " + elements() + ") continue;" : "";
    String place = "const int line = " + line() + ", at = " + atDepth() + ";";
    String copied = Statements.of(ragged, place, load.statements());
    String text = body.apply(load.condition(), load.offset());
    return isAtOneDepth()
        ? LOADS_AT_DEPTH
            .with("depth", from + " + " + alongDepth("(uint)t"))
            .with("statements", load.ofDepth())
            .with("loads", eachLoad("", Statements.of(copied, text)))
            .text()
        : eachLoad(
            "const int k = " + from + " + " + atDepth() + ";",
            Statements.of(load.ofDepth(), copied, text));
  }

  private String eachLoad(String declaration, String body) {
    return EACH_LOAD
        .with("loads", loads())
        .with("items", items)
        .with("declaration", declaration)
        .with("body", body)
        .text();
  }

  /// Statements that read the panel from depth `from` on into registers.
  String fetch(String from) {
    Load load = source.load(side.name);
    String read =
        width > 1
            ? element.readFour(source.pointer(), load.offset())
            : element.read(source.pointer(), load.offset());
    String ragged = isRagged() ? "e < " + elements() : "";
    String condition =
        ragged.isEmpty() || load.condition().isEmpty()
            ? ragged + load.condition()
            : ragged + " && " + load.condition();
    String zero = width > 1 ? "@splat(4, 0)" : "(float)0";
    String value = condition.isEmpty() ? read : "(" + condition + ") ? " + read + " : " + zero;
    return fetch(from, load, side.name + "r[i] = " + value + ";");
  }

  private String fetch(String from, Load load, String assign) {
    if (isAtOneDepth()) {
      return LOADS_AT_DEPTH
          .with("depth", from + " + " + alongDepth("(uint)t"))
          .with("statements", load.ofDepth())
          .with("loads", eachLoad("", Statements.of(load.statements(), assign)))
          .text();
    }
    return eachLoad(
        "const int k = " + from + " + " + atDepth() + ";",
        Statements.of(load.ofDepth(), load.statements(), assign));
  }

  /// Statements that store the registers in buffer `buffer` of local memory.
  String store(String buffer) {
    String body =
        STORE
            .with("ragged", isRagged() ? "if (e >= " + elements() + ") continue;" : "")
            .with("name", side.name)
            .with("place", place(buffer))
            .with("store", stored())
            .text();
    return eachLoad("const int line = " + line() + ", k = " + atDepth() + ";", body);
  }

  private String stored() {
    if (width == 1) {
      return "p[0] = " + kept(side.name + "r[i]") + ";";
    }
    boolean inOneRow = alongDepth == (form == Form.TF32);
    return inOneRow ? storedVector() : storedLanes();
  }

  private String storedVector() {
    String vector = side.name + "r[i]";
    String rounded =
        IntStream.range(0, rounds() ? 4 : 0)
            .mapToObj(lane ->
                "%1$s.%2$s = %3$s;\n"
                    .formatted(vector, part(lane), kept(vector + "." + part(lane))))
            .collect(Collectors.joining());
    return rounded + "*(@local float4*)p = " + vector + ";";
  }

  private String storedLanes() {
    return IntStream.range(0, 4)
        .mapToObj(lane ->
            "p[%d] = %s;"
                .formatted(lane * pitch(), kept("%sr[i].%s".formatted(side.name, part(lane)))))
        .collect(Collectors.joining("\n"));
  }

  private boolean rounds() {
    return form == Form.TF32 && !source.isRounded();
  }

  private String kept(String value) {
    return rounds() ? "tf32_of(" + value + ")" : value;
  }

  private static char part(int lane) {
    return TiledProduct.PARTS.charAt(lane);
  }

  /// What the panel is made of, for readers.
  String about() {
    return source.about();
  }
}
