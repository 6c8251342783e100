package io.miniinference.codegen.recurrent;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.ExprText;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import java.util.List;

/// Numbers and functions of single elements.
record ElementSpelling(ElementType element) implements CellText.Spelling {
  private static final ExprText.Leaves LEAVES =
      new ExprText.Leaves() {
        @Override
        public String arg(int index) {
          return "v";
        }

        @Override
        public String at(int index, List<Coordinate> coordinates) {
          throw new IllegalStateException("a function of one value");
        }

        @Override
        public Coordinate index(int axis) {
          throw new IllegalStateException("a function of one value");
        }
      };

  @Override
  public String one() {
    return "1";
  }

  @Override
  public String apply(Expr function, String name) {
    return name + " = " + new ExprText(LEAVES, List.of(element)).of(function) + ";";
  }
}
