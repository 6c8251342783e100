package io.miniinference.device;

/// Counts of driver calls since the device was opened.
///
/// @param allocations buffers and other objects made on the device (buffers, programs, kernels,
///   queues)
/// @param builds programs compiled
/// @param launches kernels queued
/// @param transfers reads and writes queued
/// @param waits blocking calls
/// @param variants distinct (kernel, device) pairs that have been launched
public record DriverCalls(
    long allocations, long builds, long launches, long transfers, long waits, long variants) {}
