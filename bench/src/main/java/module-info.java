/// The benchmarks: the engine from outside, beside what a user would pick instead. Their files
/// import what they take of these as modules; the program runs on the class path.
module io.miniinference.bench {
  requires static com.microsoft.onnxruntime;
  requires static org.jspecify;
  requires com.google.protobuf;
  requires info.picocli;
  requires io.miniinference.kernels;
  requires io.miniinference.testing;
  requires java.management;
  requires jocl;
  requires tools.jackson.databind;
}
