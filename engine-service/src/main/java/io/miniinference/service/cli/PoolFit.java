package io.miniinference.service.cli;

import io.miniinference.engine.BatchSharing;
import io.miniinference.runtime.PreparedModel;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.util.unit.DataSize;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Up to which batch a pool holds a model alone, as a service would find it.
///
/// @param maxBatch 0 if it does not fit at all
/// @param bytes that a load takes at that batch, or at batch 1 if it does not fit
/// @param nextBatch the next larger one, 0 if none is allowed
/// @param nextBytes that a load would take at it
record PoolFit(long poolBytes, int maxBatch, long bytes, int nextBatch, long nextBytes) {
  /// The pool of a service where nothing is set.
  static final long DEFAULT = 256L << 20;

  static PoolFit of(PreparedModel model, long poolBytes) {
    int batch = BatchSharing.batches(List.of(new BatchSharing.Claim(model)), poolBytes).getFirst();
    int next = batch == 0 ? 1 : BatchSharing.next(model, batch);
    boolean isLast = next == batch;
    return new PoolFit(
        poolBytes,
        batch,
        model.bytes(Math.max(1, batch)),
        isLast ? 0 : next,
        isLast ? 0 : model.bytes(next));
  }

  String text() {
    if (maxBatch == 0) {
      return line("a pool of %,d B does not hold it: batch 1 takes %,d%n", poolBytes, bytes);
    }
    String fits =
        line("a pool of %,d B holds it in batches up to %d: %,d", poolBytes, maxBatch, bytes);
    return fits
        + (nextBatch == 0 ? "" : line("; batch %d would take %,d", nextBatch, nextBytes))
        + "\n";
  }

  /// Why the pool does not hold a batch, if it does not.
  Optional<String> refusal(int wanted) {
    if (wanted <= maxBatch) {
      return Optional.empty();
    }
    return Optional.of(
        maxBatch == 0
            ? text().strip()
            : line(
                "a pool of %,d B holds no batch of %d: %d at most", poolBytes, wanted, maxBatch));
  }

  String jsonFields() {
    return line(
        "\"poolBytes\":%d,\"maxBatch\":%d,\"nextBatch\":%d,\"nextReservedBytes\":%d",
        poolBytes, maxBatch, nextBatch, nextBytes);
  }

  private static String line(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  /// A number of bytes, with a unit or without.
  static final class Bytes implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      try {
        long bytes = DataSize.parse(text).toBytes();
        if (bytes > 0) {
          return bytes;
        }
      } catch (IllegalArgumentException e) {
        /* told below */
      }
      throw new TypeConversionException(
          "'" + text + "' is no size such as 1048576, 256MB or 1GB (B, KB, MB, GB or TB)");
    }
  }
}
