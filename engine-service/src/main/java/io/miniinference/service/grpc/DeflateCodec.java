package io.miniinference.service.grpc;

import io.grpc.Codec;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/// The compression `deflate` of gRPC, in the frame of zlib, which clients in C++ and Python offer
/// and grpc-java has not. What a message grows to is bounded by gRPC itself.
final class DeflateCodec implements Codec {

  @Override
  public String getMessageEncoding() {
    return "deflate";
  }

  @Override
  public InputStream decompress(InputStream in) {
    return new InflaterInputStream(in);
  }

  @Override
  public OutputStream compress(OutputStream out) {
    return new DeflaterOutputStream(out);
  }
}
