package io.miniinference.runtime;

import io.miniinference.device.DeviceInfo;
import io.miniinference.device.DriverCalls;
import io.miniinference.device.KernelBuild;
import io.miniinference.lower.Precision;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.pool.MemoryPool;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/// One device, one pool, and the models that are loaded into it.
public interface Engine extends AutoCloseable {

  DeviceInfo device();

  /// How exact products of `f32` numbers may be here.
  default Precision precision() {
    return Precision.F32;
  }

  /// Whether the device still works. One that does not will not recover.
  boolean healthy();

  MemoryPool pool();

  DriverCalls driverCalls();

  /// The kernels that the device's driver has been compiling for some time; empty if it compiles
  /// none.
  default Optional<KernelBuild> building() {
    return Optional.empty();
  }

  /// Plans that failed their verification since the engine was opened, so that plain ones, in which
  /// nothing shares memory, were used. Anything but 0 is a defect of the engine.
  long planFallbacks();

  /// Loads a model: read, import, simplify, lower, plan, verify, generate, build, reserve, warm. A
  /// load that fails leaves the pool as it was.
  ///
  /// @param name under which it serves
  /// @param file the `model.onnx`; external data is looked up beside it
  /// @throws io.miniinference.onnx.ModelException with all problems of the model
  /// @throws LoadRefusedException if it does not fit the pool, with the figures
  /// @throws io.miniinference.device.DeviceException if its program cannot be built
  Model load(String name, Path file, LoadOptions options);

  /// Loads a model that was read before.
  Model load(OnnxModel model, LoadOptions options);

  /// Does of a load what needs neither the device nor the pool: read, import, simplify, lower,
  /// plan, verify, generate. Safe for many threads.
  ///
  /// @throws io.miniinference.onnx.ModelException with all problems of the model
  PreparedModel prepare(String name, Path file, LoadOptions options);

  /// The same of what is made of the file, with options that follow from what it declares.
  PreparedModel prepare(String name, Path file, Function<OnnxModel, ModelToLoad> reading);

  /// Prepares a model that was read before.
  PreparedModel prepare(OnnxModel model, LoadOptions options);

  /// The memory plan of a model at exactly this batch size, as a load with these options would make
  /// it. Takes nothing from the pool.
  PlanReport plan(OnnxModel model, LoadOptions options, int batch);

  /// Whether the current thread is in a request of one of the models, as its reader and writer are.
  default boolean isServingThisThread() {
    return false;
  }

  /// Closes all models, the pool and the device. Idempotent.
  ///
  /// @throws OwnRequestException if the thread is in a request ([#isServingThisThread]); all stays
  ///   open
  @Override
  void close();
}
