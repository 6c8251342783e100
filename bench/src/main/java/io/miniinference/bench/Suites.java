package io.miniinference.bench;

import io.miniinference.bench.measure.Suite;
import io.miniinference.bench.models.EpiloguesSuite;
import io.miniinference.bench.models.FailuresSuite;
import io.miniinference.bench.models.InFlightSuite;
import io.miniinference.bench.models.KernelsSuite;
import io.miniinference.bench.models.ModelsSuite;
import io.miniinference.bench.models.OpenSuite;
import io.miniinference.bench.pool.PoolSuite;
import io.miniinference.bench.serving.LengthsSuite;
import io.miniinference.bench.serving.ServingSuite;
import java.util.List;

/// All suites, in the order in which they run.
final class Suites {
  static final List<Suite> ALL =
      List.of(
          new Suite(
              "pool",
              "the pool's allocate + free beside the OpenCL driver's create + first touch + release",
              PoolSuite::measure),
          new Suite(
              "models",
              "a request to a model, without HTTP: beside ONNX Runtime on a CPU, PyTorch on a GPU",
              ModelsSuite::besidePeers),
          new Suite(
              "kernels",
              "each launch of a request, beside the machine's peaks and ONNX Runtime's node",
              KernelsSuite::measure),
          new Suite(
              "jvm",
              "a request to a model on the JVM device, which computes with the Vector API",
              ModelsSuite::onTheJvm),
          new Suite(
              "sharing",
              "a request with tensors that share memory beside one with memory for each",
              ModelsSuite::sharing),
          new Suite(
              "rows",
              "a batch that goes through the model row by row beside one that goes step by step",
              ModelsSuite::rows),
          new Suite(
              "in-flight",
              "several requests of a model in flight beside one after the other",
              InFlightSuite::measure),
          new Suite(
              "failures",
              "a request with failure checks beside one without, and batches of which rows fail",
              FailuresSuite::measure),
          new Suite(
              "epilogues",
              "two convolutions with an elementwise operator behind each, beside the same with Relu",
              EpiloguesSuite::measure),
          new Suite(
              "open",
              "random shapes of models with open sizes (--models, --sizes), beside the same sizes fixed",
              OpenSuite::measure),
          new Suite(
              "serving",
              "requests a second and latencies of the service, beside a Spring Boot service over ONNX Runtime",
              ServingSuite::measure),
          new Suite(
              "lengths",
              "texts of mixed lengths to the service (--models, --sizes SYMBOL=FROM..TO), padded and not",
              LengthsSuite::measure));

  private Suites() {}
}
