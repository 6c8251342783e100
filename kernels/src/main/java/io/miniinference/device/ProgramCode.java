package io.miniinference.device;

import java.util.List;

/// A program before it is built: what a code generator wrote for one model.
///
/// On an OpenCL device every kernel has the signature `kernel void NAME(__global uchar* pool, int
/// n, int first, ulong o0, ulong o1, …)`: the pool buffer, the batch size, the first work item of
/// this launch's share (add it to `get_global_id(0)`; there are no global offsets), then one byte
/// offset per [Launch#offsets]. On the JVM a kernel is a [JvmKernel].
///
/// @param name the model, for messages
/// @param source OpenCL C text, empty for the JVM
/// @param options build options
/// @param kernels all kernels of the program
public record ProgramCode(String name, String source, String options, List<KernelCode> kernels) {
  public ProgramCode {
    kernels = List.copyOf(kernels);
  }

  /// A kernel: its name in the text, or its Java body.
  public sealed interface KernelCode {
    String name();
  }

  /// A kernel function of the OpenCL C text with that name.
  ///
  /// @param arguments number of byte offsets it takes
  public record OpenClKernel(String name, int arguments) implements KernelCode {}

  /// A kernel in Java.
  public record JavaKernel(String name, JvmKernel body) implements KernelCode {}
}
