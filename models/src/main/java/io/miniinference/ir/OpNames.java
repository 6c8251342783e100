package io.miniinference.ir;

import io.miniinference.layout.Movement;

/// The name of each core operator in messages and printed graphs.
public final class OpNames {
  private OpNames() {}

  public static String of(Op op) {
    return switch (op) {
      case Op.Elementwise _ -> "elementwise";
      case Op.Reduce reduce -> "reduce_" + ExprText.lower(reduce.kind());
      case Op.View view -> of(view.map());
      case Op.Concat _ -> "concat";
      case Op.Gather gather -> "gather" + suffix(gather.selection());
      case Op.Scatter scatter -> "scatter" + suffix(scatter.selection());
      case Op.MatMul _ -> "matmul";
      case Op.Conv _ -> "conv";
      case Op.ConvTranspose _ -> "conv_transpose";
      case Op.Attention _ -> "attention";
      case Op.WindowReduce pool -> "pool_" + ExprText.lower(pool.kind());
      case Op.Softmax softmax -> softmax.log() ? "log_softmax" : "softmax";
      case Op.Normalize _ -> "normalize";
      case Op.Positional rows -> rows.name();
      case Op.If _ -> "if";
      case Op.Loop _ -> "loop";
      case Op.Iteration _ -> "iteration";
    };
  }

  private static String suffix(Selection selection) {
    return switch (selection) {
      case Selection.Slices _ -> "";
      case Selection.Elements _ -> "_elements";
      case Selection.Tuples _ -> "_nd";
    };
  }

  private static String of(Movement map) {
    return switch (map) {
      case Movement.Reshape _ -> "reshape";
      case Movement.Transpose _ -> "transpose";
      case Movement.Slice _ -> "slice";
      case Movement.Expand _ -> "expand";
    };
  }
}
