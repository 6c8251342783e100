package io.miniinference.device;

import java.lang.foreign.MemorySegment;

/// Takes the launches of one run, in order. A launch sees all that those before it wrote.
public interface Launcher {

  /// How many launches were prepared.
  int launches();

  /// Launches one of them, with the offsets that are set now.
  void launch(int index);

  /// Sets an entry of [Binding#offsets] for the launches from here on. Others keep theirs; the next
  /// run finds the entry as this one leaves it.
  void offset(int entry, long value);

  /// Waits for all launches so far and copies bytes of the pool, if any are asked for: one further
  /// wait of the run.
  ///
  /// @param reads of [Device.StagingSize#readBytes] in all
  void read(Read... reads);

  /// Bytes of the pool that a run wants to see on the way.
  record Read(long poolOffsetBytes, MemorySegment target) {}
}
