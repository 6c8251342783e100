package io.miniinference.service.serving;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// The meters of one version of a model, looked up once: a registry takes longer to find them than
/// a request takes to be counted.
///
/// @param requests by outcome
/// @param requestsBefore under the name of before
/// @param computeBefore under the name of before
record ModelTimers(
    Map<Outcome, Timer> requests,
    Map<Outcome, Timer> requestsBefore,
    Timer compute,
    Timer computeBefore,
    Timer queue,
    Counter rows,
    AtomicInteger inFlight) {}
