package io.miniinference.service.catalog;

import io.miniinference.runtime.PreparedModel;

/// A version that is planned and not loaded yet.
///
/// @param nanos that it took
record Prepared(Candidate candidate, PreparedModel model, long nanos) {}
