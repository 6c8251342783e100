package io.miniinference.device.cuda;

import io.miniinference.device.Binding;
import io.miniinference.device.Parts;
import io.miniinference.device.Parts.Part;
import io.miniinference.device.cuda.CudaGraph.Queued;
import io.miniinference.device.cuda.CudaStreams.Lane;
import io.miniinference.device.host.Bound;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Queues batches that go in parts, each lane on a stream of its own: while the launches of one
/// part run, the rows of the next one come. The launches of a part are recorded, once it comes
/// again. For one thread at a time.
final class CudaParts implements AutoCloseable {
  private final CudaContext context;
  private final CudaPool pool;
  private final CudaCopies copies;
  private final CudaStaging inputs;
  private final CudaStaging outputs;

  /// At the ends of lanes.
  private final List<MemorySegment> ends = new ArrayList<>();

  CudaParts(
      CudaContext context,
      CudaPool pool,
      CudaCopies copies,
      CudaStaging inputs,
      CudaStaging outputs) {
    this.context = context;
    this.pool = pool;
    this.copies = copies;
    this.inputs = inputs;
    this.outputs = outputs;
  }

  /// Queues the launches of a part, which the run is bound to, on a stream.
  interface Launches {
    Queued on(MemorySegment stream);
  }

  /// Queues a batch, to whose end the first of the streams comes.
  ///
  /// @param bound which is bound to the batch before and behind this
  Queued queue(Parts parts, Bound bound, CudaGraphs graphs, Launches all, List<Lane> lanes) {
    Binding batch = bound.binding();
    int n = bound.n();
    int launches = 0;
    int transfers = 0;
    for (Part part : parts.of(n)) {
      MemorySegment stream = lanes.get(part.index() % parts.lanes()).stream();
      transfers += bring(part, stream);
      launches += recorded(part, bound, graphs, all).on(stream).launches();
      transfers += fetch(part, stream);
    }
    bound.bind(batch, n);
    join(lanes);
    return new Queued(launches, transfers, false);
  }

  /* The graph of a part, or its launches one by one where there is none. */
  private Launches recorded(Part part, Bound bound, CudaGraphs graphs, Launches all) {
    Launches ofPart =
        stream -> {
          bound.bind(part.binding(), part.rows());
          return all.on(stream);
        };
    Optional<CudaGraph> graph =
        graphs.of(part.binding(), part.rows(), 0, 0, () -> CudaGraph.of(context, ofPart::on));
    return graph.<Launches>map(it -> it::launch).orElse(ofPart);
  }

  /// Queues the transfers of a part's rows to its lane.
  ///
  /// @return how many there are
  int bring(Part part, MemorySegment stream) {
    return inputs.write(part, pool, copies, stream);
  }

  /// Queues the transfers of a part's results from its lane.
  ///
  /// @return how many there are
  int fetch(Part part, MemorySegment stream) {
    return outputs.read(part, pool, copies, stream);
  }

  /* Has the first stream wait for all others. */
  private void join(List<Lane> lanes) {
    for (int i = 1; i < lanes.size(); i++) {
      if (ends.size() < i) {
        ends.add(CudaContext.newEvent());
      }
      CudaCalls.record(ends.get(i - 1), lanes.get(i).stream());
      CudaCalls.wait(lanes.getFirst().stream(), ends.get(i - 1));
    }
  }

  /// Gives back what was made; all runs have ended.
  @Override
  public void close() {
    ends.forEach(context::releaseEvent);
  }
}
