package io.miniinference.device.cuda;

import io.miniinference.device.Binding;
import io.miniinference.device.DeviceException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// The recorded runs of one prepared sequence, by what it is bound to. The first run of each is
/// queued as it is, since most of those whose places are borrowed do not come back; a second one is
/// recorded. Those that were not asked for the longest make room. For one thread at a time.
final class CudaGraphs implements AutoCloseable {
  private static final int MOST = 64;

  private static final System.Logger LOG = System.getLogger(CudaGraphs.class.getName());

  private final Map<Key, Optional<CudaGraph>> graphs = new LinkedHashMap<>(16, 0.75f, true);

  /// Whether the driver had no room for one, after which none is asked for.
  private boolean isFull;

  /// All that a run's arguments follow from. Bindings are made once per bucket, so another object
  /// is another binding.
  private record Key(Binding binding, int n, long zeroedAt, long zeroedBytes) {
    @Override
    @SuppressWarnings("ReferenceEquality")
    public boolean equals(Object other) {
      return other instanceof Key key
          && binding == key.binding
          && n == key.n
          && zeroedAt == key.zeroedAt
          && zeroedBytes == key.zeroedBytes;
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(binding) + n;
    }
  }

  /// The recorded run, which is recorded now if it came once before; empty if it did not, or the
  /// driver does not take it.
  Optional<CudaGraph> of(
      Binding binding, int n, long zeroedAt, long zeroedBytes, Supplier<CudaGraph> recording) {
    Key key = new Key(binding, n, zeroedAt, zeroedBytes);
    Optional<CudaGraph> known = graphs.get(key);
    if (known == null) {
      add(key, Optional.empty());
      return Optional.empty();
    }
    if (known.isEmpty() && !isFull) {
      known = recorded(recording);
      graphs.put(key, known);
    }
    return known;
  }

  /* What is wrong with the device shows again when the run is queued. */
  private Optional<CudaGraph> recorded(Supplier<CudaGraph> recording) {
    try {
      return Optional.of(recording.get());
    } catch (DeviceException e) {
      isFull = true;
      LOG.log(System.Logger.Level.WARNING, "requests are queued launch by launch", e);
      return Optional.empty();
    }
  }

  private void add(Key key, Optional<CudaGraph> graph) {
    graphs.put(key, graph);
    if (graphs.size() > MOST) {
      var oldest = graphs.entrySet().iterator();
      oldest.next().getValue().ifPresent(CudaGraph::close);
      oldest.remove();
    }
  }

  @Override
  public void close() {
    graphs.values().forEach(graph -> graph.ifPresent(CudaGraph::close));
    graphs.clear();
  }
}
