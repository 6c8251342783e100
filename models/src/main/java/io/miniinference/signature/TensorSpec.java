package io.miniinference.signature;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// An input or output of a model: name, element type, and shape as far as it is known before a
/// request comes.
///
/// @param element what the runtime takes and gives: elements, or codes of them
/// @param codes the type of the elements where those are codes; null where they are not
public record TensorSpec(
    String name, ElementType element, @Nullable CodedType codes, List<Dimension> dims) {
  public TensorSpec {
    dims = List.copyOf(dims);
  }

  /// One whose elements are no codes.
  public TensorSpec(String name, ElementType element, List<Dimension> dims) {
    this(name, element, null, dims);
  }

  /// One whose elements may be codes.
  public static TensorSpec of(
      String name, ElementType element, Optional<CodedType> codes, List<Dimension> dims) {
    return new TensorSpec(name, element, codes.orElse(null), dims);
  }

  /// The same with other dimensions.
  public TensorSpec withDims(List<Dimension> other) {
    return new TensorSpec(name, element, codes, other);
  }

  /// The same as codes of a type.
  TensorSpec codedAs(CodedType type) {
    return new TensorSpec(name, element, type, dims);
  }

  /// The type of the elements, if the runtime takes and gives codes of them.
  public Optional<CodedType> coded() {
    return Optional.ofNullable(codes);
  }

  /// Whether it is of strings.
  public boolean isOfStrings() {
    return codes == CodedType.STRING;
  }

  /// The datatype's name in the Open Inference Protocol V2.
  public String v2Name() {
    return codes == null ? element.v2Name() : codes.v2Name();
  }

  /// That of a graph, whose dimensions are fixed or multiples of the batch.
  public static TensorSpec of(Value value) {
    TensorType type = value.type();
    return new TensorSpec(
        value.name(), type.element(), type.shape().stream().map(TensorSpec::dimension).toList());
  }

  private static Dimension dimension(Affine dim) {
    return dim.isConstant()
        ? new Dimension.Fixed(dim.asConstant())
        : new Dimension.Batch(dim.perBatch());
  }

  /// Whether every request has this shape.
  public boolean isFixed() {
    return dims.stream().allMatch(Dimension.Fixed.class::isInstance);
  }

  /// Whether axis 0 is the batch itself.
  public boolean isByRows() {
    return !dims.isEmpty() && dims.getFirst().equals(new Dimension.Batch(1));
  }

  /// The shape as protocols write it: −1 where that is the request's choice.
  public long[] declaredShape() {
    return dims.stream().mapToLong(Dimension::declared).toArray();
  }

  /// A shape that fits: of `batch` rows, and of size 1 where it is open.
  public long[] shapeAt(long batch) {
    return dims.stream()
        .filter(dim -> !(dim instanceof Dimension.Rest))
        .mapToLong(dim -> size(dim, batch))
        .toArray();
  }

  private static long size(Dimension dim, long batch) {
    return switch (dim) {
      case Dimension.Fixed fixed -> fixed.size();
      case Dimension.Batch rows -> Math.multiplyExact(rows.factor(), batch);
      case Dimension.Open _, Dimension.Rest _ -> 1;
    };
  }

  /// `f32[N,1,sequence]`, as messages show it.
  @Override
  public String toString() {
    return (codes == null ? element : codes)
        + dims.stream().map(TensorSpec::text).collect(Collectors.joining(",", "[", "]"));
  }

  private static String text(Dimension dim) {
    return switch (dim) {
      case Dimension.Fixed fixed -> Long.toString(fixed.size());
      case Dimension.Batch rows -> Affine.batch(rows.factor()).toString();
      case Dimension.Open open -> open.symbol();
      case Dimension.Rest _ -> "…";
    };
  }
}
