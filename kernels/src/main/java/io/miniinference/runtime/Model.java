package io.miniinference.runtime;

import io.miniinference.signature.TensorSpec;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A loaded model. Safe for many threads; virtual threads welcome.
public interface Model extends AutoCloseable {

  String name();

  /// What requests may look like.
  Signature signature();

  /// Inputs in the file's order.
  default List<TensorSpec> inputs() {
    return signature().inputs();
  }

  /// Outputs in the file's order.
  default List<TensorSpec> outputs() {
    return signature().outputs();
  }

  /// Largest batch of one request, 1 for a model without a batch axis.
  default int maxBatch() {
    return signature().maxBatch();
  }

  /// Whether failures are told by rows of a batch.
  boolean hasBatch();

  /// Whether row *i* of each output is known to follow from row *i* of the inputs alone, so that a
  /// row that fails spoils no other. Of a model that is compiled per shape this is known shape by
  /// shape ([#rowsTogether]), and here false where it is so for none.
  boolean isBatchable();

  /// Most rows of requests of a shape that run as one batch ([RequestBatch]); 0 where their rows
  /// may depend on each other. A model that is compiled per shape is compiled for this one, and
  /// takes what the pool has room for.
  ///
  /// @param shape of one of the requests
  default int rowsTogether(RequestShape shape) {
    return isBatchable() ? maxBatch() : 0;
  }

  /// A request as the model runs it, which may be of larger sizes: those that are of equal ones
  /// then run as one batch ([RequestBatch]). [#infer] does the same with a request that comes as it
  /// is.
  ///
  /// @throws InvalidRequestException if its shapes do not fit
  default <T> RequestBatch.Member<T> asRun(RequestBatch.Member<T> member) {
    return member;
  }

  /// Requests that can be served side by side; of a model that is compiled per shape, those of
  /// different shapes.
  int instances();

  /// The largest batch of each instance, smallest first: requests that fit different ones are
  /// served side by side.
  default List<Integer> instanceBatches() {
    return Collections.nCopies(instances(), maxBatch());
  }

  /// As many requests of planned shapes as keep the device busy: further ones had better wait, so
  /// that those of equal sizes run as one batch.
  default int concurrency() {
    return instances();
  }

  /// Whether requests of these shapes can be served without being planned first.
  ///
  /// @param shapes one per input
  default boolean isPlanned(List<long[]> shapes) {
    return true;
  }

  /// Largest batch that the pool has room for whatever other models take: that of requests for a
  /// model that was planned at load, that of the largest shape for one with room of its own
  /// ([SpecialisationStatistics#promise]), else 1.
  default int reservedBatch() {
    return maxBatch();
  }

  /// Bytes of the pool that the model holds.
  long reservedBytes();

  /// The memory plan's certificate at exactly this batch size. Of a model that is compiled per
  /// shape it is that of the largest shape for which a load took room, if it did, else that of the
  /// shape that was used last: at this batch size if the batch is open there, else at its own.
  ///
  /// @throws NotPlannedException if it is compiled per shape, and has been for none yet
  PlanReport plan(int batch);

  /// Compiles the model for a shape ahead of the requests that have it. Does nothing for a model
  /// that was planned for all its shapes at load.
  ///
  /// @param sizes of its open dimensions by symbol, the batch among them; a batch that is not given
  ///   is 1
  /// @throws InvalidRequestException if a symbol is missing or unknown, or the model cannot be
  ///   compiled for these sizes alone
  /// @throws LoadRefusedException if the pool has no room
  default void prepare(Map<String, Long> sizes) {}

  /// Plans a model that is compiled per shape for some shapes of its own choosing, one after the
  /// other, and keeps its kernels: so that no request waits for them, nor for the JVM to compile
  /// its own code that plans. The pool is as it was afterwards. Does nothing for a model that was
  /// planned at load, and ends early when the model closes.
  ///
  /// @param shapes at most so many are planned
  /// @return how many were; 0 where the model takes none of the sizes that were tried, such as one
  ///   whose sizes follow from values
  default int warmUp(int shapes) {
    return 0;
  }

  /// Plans a model of one open dimension besides the batch for the smallest of its sizes that has
  /// no plan yet, and keeps the plan in the host's memory: so that a first request of that size is
  /// placed and launched, and not planned. Of a decoder, one of whose open dimensions has `past` in
  /// its name, that is the size, and one token comes. The pool is as it was afterwards.
  ///
  /// @param most the largest size to plan
  /// @return whether there was one; false, too, once further plans would drive out others, or a
  ///   size took a kernel of its own, and for a model that was planned at load or has several other
  ///   open dimensions
  default boolean planAhead(int most) {
    return false;
  }

  /// How many kernels a model that is compiled per shape would build with a first request of such
  /// sizes, for all its shapes. Builds nothing; 0 where a device builds none, and for a model that
  /// was planned at load.
  ///
  /// @param sizes as for [#prepare]
  /// @throws InvalidRequestException as for [#prepare]
  default int kernelsOfAllShapes(Map<String, Long> sizes) {
    return 0;
  }

  /// The figures of a model that is compiled per shape; empty for one that was planned at load.
  default Optional<SpecialisationStatistics> specialisations() {
    return Optional.empty();
  }

  /// Serves one request on a free instance, waiting for one if all are busy.
  ///
  /// @param request shapes that fit [#signature] and a writer of their content
  /// @param reader takes the outputs before the instance serves the next request
  /// @throws InvalidRequestException if names, shapes or the batch do not fit; nothing ran
  /// @throws AbandonedRequestException if its deadline passed or its thread was interrupted while
  ///   it waited; nothing ran
  /// @throws RequestFailedException if a kernel recorded a failure of one of the rows
  /// @throws io.miniinference.device.DeviceException if the device failed
  <T> T infer(InferenceRequest request, ResponseReader<T> reader);

  /// Serves one request as [#infer] does, waits for each launch, and tells how long it took: for
  /// measurements, since a request whose launches are waited for takes longer. Empty for a model
  /// that is compiled per shape.
  default List<LaunchTime> profile(InferenceRequest request) {
    return List.of();
  }

  boolean isClosed();

  /// Whether the current thread is in a request of this model, as its reader and writer are.
  default boolean isServingThisThread() {
    return false;
  }

  /// Gives the model's memory back to the pool after the requests in flight. Idempotent.
  ///
  /// @throws OwnRequestException if the thread is in one of them ([#isServingThisThread]); the
  ///   model stays open
  @Override
  void close();
}
