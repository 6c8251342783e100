package io.miniinference.runtime.load;

import io.miniinference.device.Device;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.Weight;
import io.miniinference.pool.Allocation;
import io.miniinference.pool.AllocationResult;
import io.miniinference.pool.MemoryPool;
import io.miniinference.pool.Refusal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Weights of specialisations, each in the pool once however many use it, those of other models of
/// the engine included. Weights are the same if their packed bytes are: by length and SHA-256.
public final class SharedWeights {
  /// A digest takes buffers below 2 GiB.
  private static final long CHUNK = 1 << 30;

  private final Device device;
  private final MemoryPool pool;

  /// Those in the pool by content; guarded by this.
  private final Map<String, Entry> entries = new HashMap<>();

  public SharedWeights(Device device, MemoryPool pool) {
    this.device = device;
    this.pool = pool;
  }

  private static final class Entry {
    private final String content;
    private final Allocation memory;
    private int users;

    Entry(String content, Allocation memory) {
      this.content = content;
      this.memory = memory;
    }
  }

  /// The weights of one program, until they are closed.
  public final class Taken implements AutoCloseable {
    private final List<Entry> used;
    private final long[] offsets;

    /// Guarded by the store's monitor.
    private boolean closed;

    private Taken(List<Entry> used, long[] offsets) {
      this.used = List.copyOf(used);
      this.offsets = offsets;
    }

    /// Byte offsets in the pool by block id.
    long[] offsets() {
      return offsets;
    }

    /// Gives back what no other program uses. Closing again does nothing.
    @Override
    public void close() {
      synchronized (SharedWeights.this) {
        if (!closed) {
          closed = true;
          used.forEach(SharedWeights.this::release);
        }
      }
    }
  }

  /// Puts the weights of a program into the pool, but for those that are there.
  ///
  /// @param owner whose they are
  /// @return empty if the pool refuses one, with nothing taken
  synchronized Optional<Taken> take(LoweredProgram program, String owner) {
    List<Entry> used = new ArrayList<>();
    long[] offsets = new long[program.plan().blocks().size()];
    boolean complete = false;
    try {
      complete = takeAll(program, owner, used, offsets);
    } finally {
      if (!complete) {
        used.forEach(this::release);
      }
    }
    return complete ? Optional.of(new Taken(used, offsets)) : Optional.empty();
  }

  private boolean takeAll(LoweredProgram program, String owner, List<Entry> used, long[] offsets) {
    for (Weight weight : program.weights()) {
      Optional<Entry> entry = entry(weight, owner);
      if (entry.isEmpty()) {
        return false;
      }
      entry.get().users++;
      used.add(entry.get());
      offsets[weight.block().id()] = entry.get().memory.offset();
    }
    return true;
  }

  private Optional<Entry> entry(Weight weight, String owner) {
    long bytes = weight.packing().bytes(weight.tensor());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment packed = arena.allocate(Math.max(1, bytes), 64).asSlice(0, bytes);
      weight.packing().pack(weight.tensor(), packed);
      String content = content(packed);
      Entry known = entries.get(content);
      return known == null ? uploaded(content, packed, owner) : Optional.of(known);
    }
  }

  private Optional<Entry> uploaded(String content, MemorySegment packed, String owner) {
    AllocationResult result = pool.allocate(packed.byteSize(), owner + "/weights");
    return switch (result) {
      case Refusal _ -> Optional.empty();
      case Allocation memory -> {
        device.upload(memory.offset(), packed);
        Entry entry = new Entry(content, memory);
        entries.put(content, entry);
        yield Optional.of(entry);
      }
    };
  }

  private static String content(MemorySegment packed) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (long at = 0; at < packed.byteSize(); at += CHUNK) {
        ByteBuffer part =
            packed.asSlice(at, Math.min(CHUNK, packed.byteSize() - at)).asByteBuffer();
        digest.update(part);
      }
      return packed.byteSize() + ":" + HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private void release(Entry entry) {
    if (--entry.users == 0) {
      entries.remove(entry.content);
      entry.memory.close();
    }
  }

  /// Bytes of the pool that programs use together.
  public static long bytes(Collection<Taken> programs) {
    Set<Entry> distinct = new HashSet<>();
    programs.forEach(taken -> distinct.addAll(taken.used));
    return distinct.stream().mapToLong(entry -> entry.memory.size()).sum();
  }
}
