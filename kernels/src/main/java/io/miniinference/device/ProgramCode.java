package io.miniinference.device;

import java.util.List;

/// A program before it is built: what a code generator wrote for one model.
///
/// On an OpenCL device every kernel has the signature `kernel void NAME(__global uchar* pool, int
/// n, int first, ulong o0, ulong o1, …)`: the pool buffer, the batch size, the first work item of
/// this launch's share, then one byte offset per [Launch#offsets]. On the JVM a kernel is a
/// [JvmKernel].
///
/// What every OpenCL kernel must keep to:
/// - **Its first statement is `if (n < 0) return;`**. A device launches every kernel once, with `n
///   = −1`, all offsets 0 and one work item (or one work-group), while other models are being
///   served from the same pool: such a launch reads and writes nothing. A batch of `n = 0` is a
///   real one: launches whose number of items is then 0 are left out, those of a constant number
///   are made.
/// - Kernels launched as [Launch.Items] carry `__attribute__((reqd_work_group_size(1, 1, 1)))` and
///   take `first + get_global_id(0)` as their item. They need no upper guard: exactly the items `0
///   … number(n) − 1` are run, each once, in shares that may run at the same time. There are no
///   global offsets, and `get_global_size(0)` is the size of some share, so of no use.
/// - Kernels launched as [Launch.Groups] carry `reqd_work_group_size` with the three `local` sizes
///   (1 for absent dimensions), and take `first + get_group_id(0)` as their group in dimension 0
///   (`get_global_id(0)` does not include it). Elements past the end of a tile are theirs to guard.
///   Where they run in turn, a launch has one group in dimension 0, and `first` is its number.
/// - Private arrays of a work item take 384 KB at most: on a CPU they lie on the stack of the
///   thread that serves the request.
/// - Neighbouring launches of a sequence are ordered: a launch sees all that those before it wrote.
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
