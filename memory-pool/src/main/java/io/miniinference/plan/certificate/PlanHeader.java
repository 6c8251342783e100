package io.miniinference.plan.certificate;

/// What a [Certificate] says that the planner does not know.
///
/// @param model the model's name
/// @param device what it was planned for
/// @param weightBytes weights as held in the pool
/// @param reservedBytes what a load takes: weights, and instances × the arena of the largest bucket
/// @param launches kernels started per request
/// @param hostSyncs times a request waits for the device before its end
/// @param planningMillis time that planning and verification took
public record PlanHeader(
    String model,
    String device,
    long weightBytes,
    long reservedBytes,
    int launches,
    int hostSyncs,
    double planningMillis) {}
