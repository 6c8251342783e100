package io.miniinference.device.cuda;

import io.miniinference.device.Binding;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// The recorded runs of one prepared sequence, by what it is bound to. The first run of each is
/// queued as it is, since most of those whose places are borrowed do not come back; a second one is
/// recorded. Those that were not asked for the longest make room. For one thread at a time.
final class CudaGraphs implements AutoCloseable {
  private static final int MOST = 64;

  private final Map<Key, Optional<CudaGraph>> graphs = new LinkedHashMap<>(16, 0.75f, true);

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

  /// The recorded run, which is recorded now if it came once before; empty if it did not.
  Optional<CudaGraph> of(
      Binding binding, int n, long zeroedAt, long zeroedBytes, Supplier<CudaGraph> recording) {
    Key key = new Key(binding, n, zeroedAt, zeroedBytes);
    Optional<CudaGraph> known = graphs.get(key);
    if (known == null) {
      add(key, Optional.empty());
      return Optional.empty();
    }
    if (known.isEmpty()) {
      known = Optional.of(recording.get());
      graphs.put(key, known);
    }
    return known;
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
