package io.miniinference.service.grpc;

import io.grpc.stub.StreamObserver;
import io.miniinference.service.describe.Unoffered;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc.GRPCInferenceServiceImplBase;
import io.miniinference.service.grpc.wire.OpenInference.NotOffered;
import io.miniinference.service.serving.ErrorKind;
import io.miniinference.service.serving.ServingException;

/// Methods that Triton has and this service does not: each call is told what to do instead.
abstract class UnofferedMethods extends GRPCInferenceServiceImplBase {

  private static void refuse(Unoffered asked, StreamObserver<NotOffered> to) {
    to.onError(Replies.status(new ServingException(ErrorKind.UNSUPPORTED, asked.instead())));
  }

  @Override
  public void systemSharedMemoryStatus(NotOffered request, StreamObserver<NotOffered> to) {
    refuse(Unoffered.SHARED_MEMORY, to);
  }

  @Override
  public void systemSharedMemoryRegister(NotOffered request, StreamObserver<NotOffered> to) {
    refuse(Unoffered.SHARED_MEMORY, to);
  }

  @Override
  public void systemSharedMemoryUnregister(NotOffered request, StreamObserver<NotOffered> to) {
    refuse(Unoffered.SHARED_MEMORY, to);
  }

  @Override
  public void cudaSharedMemoryStatus(NotOffered request, StreamObserver<NotOffered> to) {
    refuse(Unoffered.SHARED_MEMORY, to);
  }

  @Override
  public void cudaSharedMemoryRegister(NotOffered request, StreamObserver<NotOffered> to) {
    refuse(Unoffered.SHARED_MEMORY, to);
  }

  @Override
  public void cudaSharedMemoryUnregister(NotOffered request, StreamObserver<NotOffered> to) {
    refuse(Unoffered.SHARED_MEMORY, to);
  }

  @Override
  public void traceSetting(NotOffered request, StreamObserver<NotOffered> to) {
    refuse(Unoffered.TRACE_SETTINGS, to);
  }

  @Override
  public void logSettings(NotOffered request, StreamObserver<NotOffered> to) {
    refuse(Unoffered.LOG_SETTINGS, to);
  }
}
