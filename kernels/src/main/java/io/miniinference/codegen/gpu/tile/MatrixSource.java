package io.miniinference.codegen.gpu.tile;

import io.miniinference.layout.Affine;

/// A matrix in memory.
///
/// @param base text of the element offset of line 0 at depth 0
/// @param first variable of the tile's first line
/// @param lineStride text of the elements between lines
/// @param depthStride elements between depths
/// @param lines text of the number of lines, empty where tiles end with the matrix
/// @param depth text of the depth, empty where panels end with the matrix
/// @param isRounded whether its elements are TF32 numbers already
public record MatrixSource(
    String pointer,
    String base,
    String first,
    String lineStride,
    Affine depthStride,
    String lines,
    String depth,
    boolean isRounded)
    implements Panel.Source {

  @Override
  public String declarations(String name, int loads) {
    return "long " + name + "_line[" + loads + "];";
  }

  @Override
  public String set(String name) {
    String offset = base + " + (" + first + " + line) * " + lineStride;
    String inside =
        lines.isEmpty() ? offset : first + " + line < " + lines + " ? " + offset + " : -1";
    return name + "_line[i] = " + inside + ";";
  }

  @Override
  public Panel.Load load(String name) {
    String line = lines.isEmpty() ? "" : name + "_line[i] >= 0";
    String inside = depth.isEmpty() ? "" : "k < " + depth;
    String both = line.isEmpty() || inside.isEmpty() ? "" : " && ";
    String step = depthStride.isSingle() ? "k" : "(long)k * " + depthStride.asConstant();
    return new Panel.Load(line + both + inside, name + "_line[i] + " + step);
  }

  @Override
  public String about() {
    return depthStride.isSingle()
        ? "a matrix, its depth innermost"
        : "a matrix, its lines innermost";
  }
}
