package io.miniinference.runtime.load;

import io.miniinference.device.DeviceProgram;
import io.miniinference.device.ExecutionContext;
import io.miniinference.runtime.Closing;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.runtime.Signature;
import io.miniinference.runtime.compile.Compiled;
import io.miniinference.runtime.serve.ArenaSpec;
import io.miniinference.runtime.serve.Instance;
import io.miniinference.runtime.serve.Reservation;
import io.miniinference.runtime.serve.Serving;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/// A model compiled for one set of sizes besides the batch, or of input shapes. Its weights may be
/// those of others, too; its arena is borrowed per request.
///
/// @param own programs of kernels that no other shape uses
/// @param spec its arenas, whose weights lie where they are in the pool
/// @param turn one request at a time
/// @param signature of the requests that it serves
public record Specialisation(
    Compiled compiled,
    Reservation reservation,
    List<DeviceProgram> own,
    ExecutionContext commands,
    SharedWeights.Taken weights,
    ArenaSpec spec,
    Serving serving,
    Semaphore turn,
    Signature signature)
    implements AutoCloseable {

  public long arenaBytes() {
    return reservation.arenas().getLast().bytes();
  }

  /// Serves one request in an arena at `arena`.
  public <T> T serve(long arena, InferenceRequest request, ResponseReader<T> reader) {
    long most = signature.maxBatch();
    int n = (int) signature.check(request.shapes()).batch();
    Instance instance = new Instance(most, true, commands, spec.buckets(arena, most, 0), arena);
    serving.clear(instance, n);
    return serving.serve(instance, n, request, reader);
  }

  /// Waits for the request in flight and gives everything back.
  @Override
  public void close() {
    turn.acquireUninterruptibly();
    List<AutoCloseable> parts = new ArrayList<>(List.of(commands));
    parts.addAll(own);
    parts.add(weights);
    Closing.all(parts);
  }
}
