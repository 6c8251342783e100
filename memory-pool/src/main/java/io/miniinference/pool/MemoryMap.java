package io.miniinference.pool;

import java.util.List;
import java.util.stream.Collectors;

/// The blocks of a pool in address order at one moment, for people (text) and tools (JSON).
///
/// @param capacityBytes the pool's capacity
/// @param blocks every block, free ones included; they tile the capacity without gaps
public record MemoryMap(long capacityBytes, List<Entry> blocks) {

  /// One block.
  ///
  /// @param offset the block's first byte
  /// @param size its bytes
  /// @param state free, used or held
  /// @param owner the label while used, the tag while held, empty while free
  /// @param requestedBytes bytes its holder asked for; 0 unless used
  /// @param generation the generation of its live handle; 0 unless used
  public record Entry(
      long offset,
      long size,
      BlockState state,
      String owner,
      long requestedBytes,
      long generation) {

    static Entry of(Block block) {
      return new Entry(
          block.offset, block.size, block.state, block.owner, block.requested, block.generation);
    }

    /// The entry on one line, columns aligned up to pools of a terabyte.
    public String text() {
      String line = String.format("%13d %13d  %s", offset, size, state.label());
      return switch (state) {
        case FREE -> line;
        case HELD -> line + "  " + Json.quote(owner);
        case USED -> line + "  " + Json.quote(owner) + " asked " + requestedBytes;
      };
    }

    private String json() {
      return String.format(
          "{\"offset\":%d,\"size\":%d,\"state\":\"%s\",\"requested\":%d,\"generation\":%d,\"owner\":%s}",
          offset, size, state.label(), requestedBytes, generation, Json.quote(owner));
    }
  }

  public MemoryMap {
    blocks = List.copyOf(blocks);
  }

  /// One line per block under a heading.
  public String text() {
    String heading =
        String.format("%13s %13s  state (of %d bytes)%n", "offset", "size", capacityBytes);
    return heading + blocks.stream().map(Entry::text).collect(Collectors.joining("\n", "", "\n"));
  }

  /// `{"capacityBytes":…,"blocks":[{"offset":…,"size":…,"state":"used|held|free","requested":…,
  /// "generation":…,"owner":"…"},…]}`, on one line.
  public String json() {
    String entries = blocks.stream().map(Entry::json).collect(Collectors.joining(","));
    return "{\"capacityBytes\":" + capacityBytes + ",\"blocks\":[" + entries + "]}";
  }
}
