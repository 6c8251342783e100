package io.miniinference.runtime.pad;

import io.miniinference.runtime.ForwardingModel;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LaunchTime;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestBatch.Member;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.runtime.Signature;
import java.util.List;
import java.util.Map;

/// A model whose requests are filled up with zeros to multiples of sizes that are open
/// ([io.miniinference.runtime.LoadOptions#padding]), and whose answers are cut to what was asked:
/// so that a few shapes are planned for requests of many, and those that are padded alike run
/// together.
///
/// Positions that failures tell are those of the padded tensors.
public final class PaddedModel extends ForwardingModel {
  private final Padding padding;

  private PaddedModel(Model model, Padding padding) {
    super(model);
    this.padding = padding;
  }

  /// A loaded model as requests see it, which is the model itself without padding. It was tried
  /// whether padding changes its answers ([PaddingTrial]).
  ///
  /// @param multiples by symbol
  /// @throws io.miniinference.onnx.ModelException if its answers cannot be cut, or change
  public static Model of(Model model, Map<String, Long> multiples) {
    if (multiples.isEmpty()) {
      return model;
    }
    PaddedModel padded = new PaddedModel(model, Padding.of(model, multiples));
    new PaddingTrial(model, padded, multiples).run();
    return padded;
  }

  /// What a request of these sizes runs as, by symbol.
  Map<String, Long> sizesOfRun(RequestShape shape) {
    return padding.padded(shape.sizes());
  }

  @Override
  public Signature signature() {
    return model.signature();
  }

  @Override
  public int rowsTogether(RequestShape shape) {
    return model.rowsTogether(padding.padded(shape));
  }

  @Override
  public void prepare(Map<String, Long> sizes) {
    model.prepare(padding.padded(sizes));
  }

  /* Of sizes that are no multiples none is run. */
  @Override
  public boolean planAhead(int most) {
    return false;
  }

  @Override
  public int kernelsOfAllShapes(Map<String, Long> sizes) {
    return model.kernelsOfAllShapes(padding.padded(sizes));
  }

  @Override
  public <T> Member<T> asRun(Member<T> member) {
    RequestShape own = signature().check(member.request().shapes());
    RequestShape ran = padding.padded(own);
    return own.equals(ran)
        ? member
        : new Member<>(
            PaddedWriter.padded(member.request(), signature(), ran),
            new CuttingReader<>(padding, own, member.reader()));
  }

  @Override
  public <T> T infer(InferenceRequest request, ResponseReader<T> reader) {
    Member<T> ran = asRun(new Member<>(request, reader));
    return model.infer(ran.request(), ran.reader());
  }

  @Override
  public List<LaunchTime> profile(InferenceRequest request) {
    return model.profile(asRun(new Member<>(request, _ -> true)).request());
  }
}
