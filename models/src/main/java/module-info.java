/// ONNX files to core IR: read, import, simplify, interpret.
module io.miniinference.models {
  requires static jdk.incubator.vector; // where the application adds it: VectorForms
  requires static org.jspecify;
  requires transitive com.google.protobuf;
  requires transitive io.miniinference.memorypool;
  requires jdk.unsupported; // protobuf reads and writes arrays through sun.misc.Unsafe

  exports io.miniinference.interp;
  exports io.miniinference.interp.memory;
  exports io.miniinference.ir;
  exports io.miniinference.ir.build;
  exports io.miniinference.ir.text;
  exports io.miniinference.ir.type;
  exports io.miniinference.onnx;
  exports io.miniinference.onnx.tensor;
  exports io.miniinference.onnx.wire;
  exports io.miniinference.ops;
  exports io.miniinference.repository;
  exports io.miniinference.signature;
  exports io.miniinference.strings;
  exports io.miniinference.interp.fast to
      io.miniinference.kernels;
  exports io.miniinference.ir.analysis to
      io.miniinference.kernels;
  exports io.miniinference.ops.node to
      io.miniinference.kernels;
  exports io.miniinference.pass to
      io.miniinference.testing,
      io.miniinference.kernels;
  exports io.miniinference.pass.narrow to
      io.miniinference.kernels;
  exports io.miniinference.pass.pipeline to
      io.miniinference.testing,
      io.miniinference.kernels;
}
