package io.miniinference.device.host;

import io.miniinference.device.Binding;
import io.miniinference.device.Parts.Part;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Where an instance's inputs, or its outputs, lie in host memory, through which they cross to a
/// device and back. Regions lie one behind the other, each rounded up to 256 bytes.
///
/// Outputs that are close to each other in the pool, as failure slots and the outputs of small
/// batches are, come back in one transfer with what lies between them: to queue another one takes
/// longer than some kilobytes more.
public final class StagedTransfers {
  /// Of regions, and the fewest bytes of the memory.
  public static final long ALIGNMENT = 256;

  /// Most bytes between two outputs that are transferred together.
  private static final long MOST_BETWEEN_BYTES = 32 << 10;

  /// Room for what lies between a few outputs.
  public static final long BETWEEN_BYTES = 2 * MOST_BETWEEN_BYTES;

  /// A transfer of bytes of the pool, from or to the host.
  public record Transfer(long poolOffset, MemorySegment host) {}

  private final MemorySegment memory;
  private MemorySegment[] segments = {};
  private List<Transfer> transfers = List.of();

  public StagedTransfers(MemorySegment memory) {
    this.memory = memory;
  }

  /// Lays the regions out for a batch, each with a transfer of its own.
  public void bind(List<Binding.Region> regions, int n) {
    segments = new MemorySegment[regions.size()];
    transfers = new ArrayList<>();
    long at = 0;
    for (int i = 0; i < segments.length; i++) {
      long size = regions.get(i).sizeBytes().at(n);
      if (size > memory.byteSize() - at) {
        throw new IllegalArgumentException(
            "region %d takes %d bytes at batch size %d, and staging was prepared with %d in all"
                .formatted(i, size, n, memory.byteSize()));
      }
      segments[i] = memory.asSlice(at, size);
      if (size > 0) {
        transfers.add(new Transfer(regions.get(i).offsetBytes(), segments[i]));
      }
      at = aligned(at + size);
    }
  }

  /// Lays the outputs of a batch out. Of one that goes in parts, what its parts bring is not among
  /// the transfers.
  public void bindOutputs(Binding binding, int n) {
    if (binding.parts().isEmpty()) {
      bindTogether(binding.outputs(), n);
    } else {
      bind(binding.outputs(), n);
      int brought = binding.parts().get().each().getFirst().outputs().size();
      transfers =
          IntStream.range(brought, segments.length)
              .mapToObj(i -> new Transfer(binding.outputs().get(i).offsetBytes(), segments[i]))
              .toList();
    }
  }

  /// Lays the regions out for a batch, those together that are close to each other, as far as there
  /// is room for what is between them.
  public void bindTogether(List<Binding.Region> regions, int n) {
    bind(regions, n);
    List<Integer> order =
        IntStream.range(0, segments.length)
            .filter(i -> segments[i].byteSize() > 0)
            .boxed()
            .sorted(Comparator.comparingLong(i -> regions.get(i).offsetBytes()))
            .toList();
    List<Transfer> together = new ArrayList<>();
    MemorySegment[] parts = segments.clone();
    long at = 0;
    for (List<Integer> group : groups(order, regions)) {
      long start = regions.get(group.getFirst()).offsetBytes();
      at += start % ALIGNMENT;
      long bytes = end(group, regions) - start;
      if (bytes > memory.byteSize() - at) {
        return;
      }
      MemorySegment host = memory.asSlice(at, bytes);
      together.add(new Transfer(start, host));
      for (int i : group) {
        parts[i] = host.asSlice(regions.get(i).offsetBytes() - start, segments[i].byteSize());
      }
      at = aligned(at + bytes);
    }
    segments = parts;
    transfers = together;
  }

  /* Regions, in order of their offsets, parted where there is too much between them. */
  private List<List<Integer>> groups(List<Integer> order, List<Binding.Region> regions) {
    List<List<Integer>> groups = new ArrayList<>();
    for (int i : order) {
      long start = regions.get(i).offsetBytes();
      if (groups.isEmpty() || start > end(groups.getLast(), regions) + MOST_BETWEEN_BYTES) {
        groups.add(new ArrayList<>());
      }
      groups.getLast().add(i);
    }
    return groups;
  }

  private long end(List<Integer> group, List<Binding.Region> regions) {
    return group.stream()
        .mapToLong(i -> regions.get(i).offsetBytes() + segments[i].byteSize())
        .max()
        .orElseThrow();
  }

  /// The transfers of a part's rows, one for each region of its lane.
  ///
  /// @param regions the inputs or outputs of the part, of which the batch is laid out here
  public List<Transfer> rows(Part part, List<Binding.Region> regions) {
    return IntStream.range(0, regions.size())
        .filter(i -> part.rowBytes(regions.get(i)) > 0)
        .mapToObj(i -> {
          long row = part.rowBytes(regions.get(i));
          MemorySegment host = segments[i].asSlice(row * part.first(), row * part.rows());
          return new Transfer(regions.get(i).offsetBytes(), host);
        })
        .toList();
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
  }

  /// Some of its bytes, whatever the regions are.
  public MemorySegment part(long at, long bytes) {
    return memory.asSlice(at, bytes);
  }

  public MemorySegment segment(int index) {
    return segments[index];
  }

  /// Those of all regions.
  public List<Transfer> all() {
    return transfers;
  }
}
