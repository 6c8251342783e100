package io.miniinference.ir;

import java.util.List;

/// How a convolution or pooling window walks over the spatial axes (those after batch and channel).
/// All lists have one entry per spatial axis.
///
/// @param kernel extent of the window, before dilation
/// @param strides steps between outputs
/// @param dilations steps between the window's taps
/// @param padsBegin virtual elements before index 0 (may be negative only as ONNX allows: not)
/// @param padsEnd virtual elements after the last index
public record Window(
    List<Integer> kernel,
    List<Integer> strides,
    List<Integer> dilations,
    List<Integer> padsBegin,
    List<Integer> padsEnd) {
  public Window {
    kernel = List.copyOf(kernel);
    strides = List.copyOf(strides);
    dilations = List.copyOf(dilations);
    padsBegin = List.copyOf(padsBegin);
    padsEnd = List.copyOf(padsEnd);
  }

  public int rank() {
    return kernel.size();
  }

  /// Extent of the dilated window along spatial axis `axis`.
  public int span(int axis) {
    return (kernel.get(axis) - 1) * dilations.get(axis) + 1;
  }
}
