package io.miniinference.ir.text;

/// Text that is no graph or expression, and where it stops being one.
public final class GraphTextException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private final int line;
  private final int column;

  GraphTextException(int line, int column, String reason) {
    super("line " + line + ", column " + column + ": " + reason);
    this.line = line;
    this.column = column;
  }

  /// Counted from 1.
  public int line() {
    return line;
  }

  /// Counted from 1.
  public int column() {
    return column;
  }
}
