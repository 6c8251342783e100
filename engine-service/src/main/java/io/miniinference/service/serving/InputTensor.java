package io.miniinference.service.serving;

/// An input as a request carries it, checked against its model.
public record InputTensor(String name, long[] shape, TensorContent content) {}
