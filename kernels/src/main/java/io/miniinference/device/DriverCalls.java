package io.miniinference.device;

/// Counts of driver calls since the device was opened.
///
/// @param allocations buffers and other objects made on the device (buffers, programs, kernels,
///   queues)
/// @param builds programs compiled
/// @param launches kernels queued, each share or piece of a launch for itself
/// @param transfers reads and writes queued
/// @param waits runs that waited for their results, one each, and their further waits; workers that
///   join within a launch of a parallel run are not counted
/// @param variants kernels of open programs that the driver has compiled for a local size, a gauge:
///   past 128 in a process PoCL's launches become slower
/// @param compiled kernels that the driver compiled, of those that were ever counted as variants;
///   the others came from a cache on disk
public record DriverCalls(
    long allocations,
    long builds,
    long launches,
    long transfers,
    long waits,
    long variants,
    long compiled) {}
