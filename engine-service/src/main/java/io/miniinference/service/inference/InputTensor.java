package io.miniinference.service.inference;

import java.lang.foreign.MemorySegment;

/// An input as a request carries it, checked against its model.
///
/// @param data dense row-major elements, little-endian
record InputTensor(String name, long[] shape, MemorySegment data) {}
