package io.miniinference.runtime.load;

import io.miniinference.device.Device;
import io.miniinference.lower.Weight;
import io.miniinference.pool.Allocation;
import io.miniinference.pool.AllocationResult;
import io.miniinference.pool.Lease;
import io.miniinference.pool.MemoryPool;
import io.miniinference.pool.OwnedBlocks;
import io.miniinference.pool.Refusal;
import io.miniinference.runtime.compile.WeightSet;
import io.miniinference.runtime.compile.WeightSet.Content;
import io.miniinference.runtime.compile.WeightSet.Part;
import io.miniinference.runtime.serve.HeldMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The weights of all models of an engine, each in the pool once however many programs use it: a
/// version that differs from another in one layer takes that layer.
public final class SharedWeights {
  private final Device device;
  private final MemoryPool pool;

  /// Those in the pool; guarded by this.
  private final Map<Content, Entry> entries = new HashMap<>();

  public SharedWeights(Device device, MemoryPool pool) {
    this.device = device;
    this.pool = pool;
  }

  private static final class Entry {
    private final Content content;
    private final Allocation memory;

    /// In the order in which they came: the first one's account has the bytes.
    private final Set<Taken> users = new LinkedHashSet<>();

    Entry(Content content, Allocation memory) {
      this.content = content;
      this.memory = memory;
    }
  }

  /// What one program holds: its weights, alone or with others, and arenas of its own.
  public final class Taken implements HeldMemory {
    private final List<Entry> used = new ArrayList<>();
    private final List<Allocation> arenas = new ArrayList<>();

    /// By block id.
    private final long[] offsets;

    /// The blocks that were new, each of which is given back by itself.
    private @Nullable OwnedBlocks reserved;

    /// Where weights lie that are its own; null if all are in blocks of the pool.
    private PromisedRoom.@Nullable Place place;

    /// Guarded by the store's monitor.
    private boolean closed;

    private Taken(int blocks) {
      offsets = new long[blocks];
    }

    /// Byte offsets of the weights in the pool by block id.
    long[] offsets() {
      return offsets;
    }

    /// Byte offset of an arena in the pool.
    long arena(int index) {
      return arenas.get(index).offset();
    }

    /// Bytes of the pool that are on this program's account: its arenas, and of its weights those
    /// that it has used for longer than any other.
    @Override
    public long bytes() {
      return SharedWeights.this.bytes(List.of(this));
    }

    /// The same for several programs together, this one among them.
    public long bytesWith(Collection<Taken> all) {
      return SharedWeights.this.bytes(all);
    }

    /// Gives back what no other program uses. Closing again does nothing.
    @Override
    public void close() {
      synchronized (SharedWeights.this) {
        left().forEach(Allocation::close);
      }
    }

    /// Closes what was taken for nothing: held blocks that gave way for it are held again.
    void undo() {
      synchronized (SharedWeights.this) {
        List<Allocation> left = left();
        if (reserved != null) {
          reserved.undo(left);
        }
      }
    }

    /* What only this program used, which uses nothing from now on. */
    private List<Allocation> left() {
      List<Allocation> left = new ArrayList<>();
      if (!closed) {
        closed = true;
        left.addAll(arenas);
        used.stream().filter(entry -> leave(entry, this)).forEach(entry -> left.add(entry.memory));
        if (place != null) {
          place.turn().release();
        }
      }
      return left;
    }
  }

  private boolean leave(Entry entry, Taken user) {
    boolean last = entry.users.remove(user) && entry.users.isEmpty();
    if (last) {
      entries.remove(entry.content);
    }
    return last;
  }

  /// Puts the weights of a program into the pool, but for those that are there, and reserves
  /// arenas.
  ///
  /// @param blocks of the program
  /// @param owner whose they are
  /// @param arenaBytes of each arena
  /// @return empty if the pool refuses any of it, with the pool as it was
  synchronized Optional<Taken> take(
      WeightSet weights, int blocks, String owner, List<Long> arenaBytes) {
    Taken taken = new Taken(blocks);
    Map<Content, Entry> fresh = new HashMap<>();
    try (Lease lease = pool.lease(owner)) {
      if (!allocate(weights, fresh, taken, lease) || !allocate(arenaBytes, taken, lease)) {
        return Optional.empty();
      }
      upload(weights, fresh);
      taken.reserved = lease.commit();
    }
    entries.putAll(fresh);
    taken.used.forEach(entry -> entry.users.add(taken));
    return Optional.of(taken);
  }

  /// Takes the weights of a program that are in the pool, and puts the others into a place that is
  /// its own until it gives its weights back.
  ///
  /// @param blocks of the program
  /// @return empty if they are more than the place holds, or another program has it
  synchronized Optional<Taken> takeIn(PromisedRoom.Place place, WeightSet weights, int blocks) {
    if (missingBytes(weights) > place.bytes() || !place.turn().tryAcquire()) {
      return Optional.empty();
    }
    Taken taken = new Taken(blocks);
    taken.place = place;
    try {
      put(weights, place, taken);
    } catch (Throwable e) {
      place.turn().release();
      throw e;
    }
    taken.used.forEach(entry -> entry.users.add(taken));
    return Optional.of(taken);
  }

  private void put(WeightSet weights, PromisedRoom.Place place, Taken taken) {
    Map<Content, Long> own = new HashMap<>();
    long end = place.offset();
    for (Part part : weights.parts()) {
      Entry entry = entries.get(part.content());
      long offset = entry == null ? own.getOrDefault(part.content(), end) : entry.memory.offset();
      if (entry != null) {
        taken.used.add(entry);
      } else if (own.putIfAbsent(part.content(), offset) == null) {
        upload(part.weight(), offset);
        end += part.bytes();
      }
      taken.offsets[part.weight().block().id()] = offset;
    }
  }

  private boolean allocate(WeightSet weights, Map<Content, Entry> fresh, Taken taken, Lease lease) {
    for (Part part : weights.parts()) {
      Entry entry = entries.getOrDefault(part.content(), fresh.get(part.content()));
      if (entry == null) {
        AllocationResult result = lease.allocate(part.bytes(), "weights");
        if (!(result instanceof Allocation memory)) {
          return false;
        }
        entry = new Entry(part.content(), memory);
        fresh.put(part.content(), entry);
      }
      taken.used.add(entry);
      taken.offsets[part.weight().block().id()] = entry.memory.offset();
    }
    return true;
  }

  private static boolean allocate(List<Long> arenas, Taken taken, Lease lease) {
    for (long bytes : arenas) {
      switch (lease.allocate(bytes, "arena")) {
        case Refusal _ -> {
          return false;
        }
        case Allocation arena -> taken.arenas.add(arena);
      }
    }
    return true;
  }

  private void upload(WeightSet weights, Map<Content, Entry> fresh) {
    Set<Content> done = new HashSet<>();
    for (Part part : weights.parts()) {
      Entry entry = fresh.get(part.content());
      if (entry != null && done.add(part.content())) {
        upload(part.weight(), entry.memory.offset());
      }
    }
  }

  private void upload(Weight weight, long offset) {
    long bytes = weight.packing().bytes(weight.tensor());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment packed = arena.allocate(Math.max(1, bytes), 64).asSlice(0, bytes);
      weight.packing().pack(weight.tensor(), packed);
      device.upload(offset, packed);
    }
  }

  /// Bytes of those weights that are not in the pool now.
  synchronized long missingBytes(WeightSet weights) {
    return bytesOf(missing(weights));
  }

  private Map<Content, Long> missing(WeightSet weights) {
    Map<Content, Long> missing = weights.byContent();
    missing.keySet().removeAll(entries.keySet());
    return missing;
  }

  /// Bytes of those weights that are not in the pool now, and that others will bring.
  synchronized long bytesBroughtBy(Collection<WeightSet> others, WeightSet weights) {
    Map<Content, Long> missing = missing(weights);
    Set<Content> brought = new HashSet<>();
    others.forEach(other -> brought.addAll(other.byContent().keySet()));
    missing.keySet().retainAll(brought);
    return bytesOf(missing);
  }

  private static long bytesOf(Map<Content, Long> contents) {
    return contents.values().stream().mapToLong(Long::longValue).reduce(0, Math::addExact);
  }

  /// Bytes of the pool that are on the account of programs.
  synchronized long bytes(Collection<Taken> programs) {
    Set<Entry> own = new HashSet<>();
    long arenas = 0;
    for (Taken taken : programs) {
      arenas += taken.closed ? 0 : taken.arenas.stream().mapToLong(Allocation::size).sum();
      taken.used.stream()
          .filter(entry -> !entry.users.isEmpty())
          .filter(entry -> programs.contains(entry.users.iterator().next()))
          .forEach(own::add);
    }
    return arenas + own.stream().mapToLong(entry -> entry.memory.size()).sum();
  }
}
