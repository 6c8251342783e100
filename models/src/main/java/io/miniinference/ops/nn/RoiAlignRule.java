package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.floor;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.or;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.math.ReduceOps;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Parts of images, each as a small image of one size
/// ([RoiAlign](https://onnx.ai/onnx/operators/onnx__RoiAlign.html)): a bin of the result is the
/// mean or the maximum of a few samples, each taken between the elements of the image.
///
/// One elementwise step finds where the samples of a region lie on an axis, one more takes and
/// joins those of a bin; where they are many, a reduction joins them. Where each region says how
/// many there are, elements are shared out to bins ([RoiShares]). A region whose image is outside
/// the batch fails.
public final class RoiAlignRule {
  /// Most samples along an axis of a bin that one expression takes.
  private static final int MOST_TOGETHER = 2;

  private final OpContext c;
  private final ElementType type;
  private final boolean half;
  private final boolean maximum;
  private final long samples;
  private final List<Affine> bins;

  private RoiAlignRule(OpContext c, String transformation) {
    this.c = c;
    c.requireRank(0, 4, 4);
    type = c.element(0);
    half = transformation.equals("half_pixel");
    maximum = c.attrOneOf("mode", "avg", "max").equals("max");
    samples = c.attrInt("sampling_ratio");
    bins = List.of(Affine.of(c.attrInt("output_height")), Affine.of(c.attrInt("output_width")));
    check();
  }

  public static void addTo(OpTable table) {
    String attributes =
        "mode=avg output_height=1 output_width=1 sampling_ratio=0 spatial_scale=1.0";
    table
        .row("RoiAlign", 10, "3", attributes, c -> new RoiAlignRule(c, "").lower())
        .row(
            "RoiAlign",
            16,
            "3",
            attributes + " coordinate_transformation_mode=half_pixel",
            c -> new RoiAlignRule(c, transformation(c)).lower());
  }

  private static String transformation(OpContext c) {
    return c.attrOneOf("coordinate_transformation_mode", "half_pixel", "output_half_pixel");
  }

  private void check() {
    Affine regions = c.type(1).dim(0);
    boolean fits =
        c.type(1).shape().equals(List.of(regions, Affine.of(4)))
            && c.type(2).shape().equals(List.of(regions));
    if (!fits) {
      throw LoweringFault.of(
          "takes regions [R, 4] and their images [R], not %s and %s"
              .formatted(c.type(1), c.type(2)));
    }
    if (samples < 0 || samples == 0 && maximum) {
      throw c.unsupported(
          "attribute 'sampling_ratio' = %d, whose samples follow from the regions,%s"
              .formatted(samples, maximum ? " of which the maximum is taken," : ""));
    }
    if (bins.stream().anyMatch(size -> size.constant() < 1)) {
      throw LoweringFault.of("makes regions of " + bins);
    }
  }

  private Value lower() {
    Value image = images();
    if (samples == 0) {
      return shared(image);
    }
    if (samples <= MOST_TOGETHER) {
      List<Affine> shape = List.of(c.type(1).dim(0), c.type(0).dim(1), bins.get(0), bins.get(1));
      List<Value> operands = new ArrayList<>(List.of(c.in(0), image));
      operands.addAll(taps(0));
      operands.addAll(taps(1));
      return c.compute(together(), shape, operands.toArray(Value[]::new));
    }
    Affine each = Affine.of(samples);
    List<Affine> shape =
        List.of(c.type(1).dim(0), c.type(0).dim(1), bins.get(0), bins.get(1), each, each);
    Expr sample = sampled(place(0, index(4)), place(1, index(5)));
    Value taken = c.compute(sample, shape, c.in(0), places(0), places(1), image);
    List<Integer> ofBin = List.of(4, 5);
    return maximum
        ? c.reduce(ReduceKind.MAX, ofBin, false, Ex.x(), taken)
        : ReduceOps.mean(c, taken, ofBin, false);
  }

  /* Where each region says how many samples there are: rows are shared out first. */
  private Value shared(Value image) {
    Value rows = shares(0, image);
    Value columns = shares(1, image);
    boolean isOne = c.type(0).dim(0).equals(Affine.ONE);
    Op gather = new Op.Gather(new Selection.Slices(0), IndexBounds.TRUSTED);
    Value own = isOne ? c.in(0) : c.emit(gather, c.in(0), image);
    Value shared = c.emit(new Op.MatMul(false, false), rows, own);
    return c.emit(new Op.MatMul(false, true), shared, columns);
  }

  /* [R, 1, bins, elements]. The image is read so that one outside of the batch is found. */
  private Value shares(int axis, Value image) {
    Affine extent = c.type(0).dim(2 + axis);
    Affine regions = c.type(1).dim(0);
    Expr size = cast(type, Ex.size(extent));
    RoiShares shares =
        new RoiShares(
            type, edge(1 - axis), div(length(axis), con(bins.get(axis).constant())), size);
    Expr ofImage = select(lt(at(1, index(0)), const_(0)), con(0), shares.share());
    Value all = c.compute(ofImage, List.of(regions, bins.get(axis), extent), c.in(1), image);
    return c.reshape(all, List.of(regions, Affine.ONE, bins.get(axis), extent));
  }

  private Expr length(int axis) {
    Expr length = sub(edge(3 - axis), edge(1 - axis));
    return half ? length : max(length, con(1));
  }

  /* The image of each region, found to be one of the batch: what a Gather finds where each element
  is its own place. */
  private Value images() {
    Value all = c.compute(index(0), List.of(c.type(0).dim(0)));
    Op check = new Op.Gather(new Selection.Slices(0), new IndexBounds(false, null));
    return c.emit(check, all, c.in(2));
  }

  /* Where the samples of each region lie on an axis: [R, bins · samples]. Those that are outside of
  the image by more than an element are at −2. */
  private Value places(int axis) {
    List<Affine> shape = List.of(c.type(1).dim(0), bins.get(axis).times(samples));
    Expr step = div(length(axis), con(bins.get(axis).constant() * samples));
    Expr place = add(edge(1 - axis), mul(add(cast(type, index(1)), con(0.5)), step));
    Expr extent = cast(type, Ex.size(c.type(0).dim(2 + axis)));
    Expr last = sub(extent, con(1));
    Expr outside = or(lt(place, con(-1)), gt(place, extent));
    Expr bounded = max(con(0), min(place, last));
    return c.compute(select(outside, con(-2), bounded), shape, c.in(1));
  }

  private Expr edge(int number) {
    Expr scaled = mul(at(0, index(0), const_(number)), con(c.attrFloat("spatial_scale")));
    return half ? sub(scaled, con(0.5)) : scaled;
  }

  private Expr con(double value) {
    return const_(type, value);
  }

  /* Of each sample on an axis the elements beside it, and how much of each it takes: nothing where it
  is outside. All channels share them. */
  private List<Value> taps(int axis) {
    Value places = places(axis);
    List<Affine> shape = places.type().shape();
    Expr last = sub(Ex.size(c.type(0).dim(2 + axis)), const_(1));
    Expr low = cast(ElementType.I64, max(con(0), floor(arg(0))));
    Expr first = min(low, last);
    Expr second = min(add(low, const_(1)), last);
    Expr outside = lt(arg(0), con(0));
    Expr behind = sub(arg(0), floor(arg(0)));
    Expr ofFirst = select(outside, con(0), sub(con(1), behind));
    Expr ofSecond = select(outside, con(0), behind);
    return Stream.of(first, second, ofFirst, ofSecond)
        .map(tap -> c.compute(tap, shape, places))
        .toList();
  }

  /* All samples of a bin, joined. */
  private Expr together() {
    List<Expr> all = new ArrayList<>();
    for (long i = 0; i < samples; i++) {
      for (long j = 0; j < samples; j++) {
        all.add(weighted(i, j));
      }
    }
    Expr joined = joined(all);
    return maximum ? joined : div(joined, con(samples * samples));
  }

  private Expr joined(List<Expr> all) {
    return all.stream().reduce((a, b) -> maximum ? max(a, b) : add(a, b)).orElseThrow();
  }

  private Expr weighted(long i, long j) {
    List<Expr> parts = new ArrayList<>();
    for (int down = 0; down < 2; down++) {
      for (int across = 0; across < 2; across++) {
        Expr element = at(0, at(1, index(0)), index(1), tap(0, down, i), tap(1, across, j));
        parts.add(mul(mul(tap(0, 2 + down, i), tap(1, 2 + across, j)), element));
      }
    }
    Expr outside = or(eq(sum(0, i), con(0)), eq(sum(1, j), con(0)));
    return select(outside, con(0), joined(parts));
  }

  private Expr sum(int axis, long sample) {
    return add(tap(axis, 2, sample), tap(axis, 3, sample));
  }

  private Expr tap(int axis, int which, long number) {
    Expr sample = add(mul(index(2 + axis), const_(samples)), const_(number));
    return at(2 + 4 * axis + which, index(0), sample);
  }

  private Expr sampled(Expr y, Expr x) {
    Expr outside = lt(min(y, x), con(0));
    Expr low = floor(y);
    Expr left = floor(x);
    Expr below = sub(y, low);
    Expr right = sub(x, left);
    Expr above = sub(con(1), below);
    Expr before = sub(con(1), right);
    Expr a = mul(mul(above, before), element(low, left, 0, 0));
    Expr b = mul(mul(above, right), element(low, left, 0, 1));
    Expr d = mul(mul(below, before), element(low, left, 1, 0));
    Expr e = mul(mul(below, right), element(low, left, 1, 1));
    Expr joined = maximum ? max(max(a, b), max(d, e)) : add(add(a, b), add(d, e));
    return select(outside, con(0), joined);
  }

  private Expr place(int axis, Expr number) {
    Expr sample = add(mul(index(2 + axis), const_(samples)), number);
    return at(1 + axis, index(0), sample);
  }

  private Expr element(Expr low, Expr left, int down, int across) {
    return at(0, at(3, index(0)), index(1), bounded(0, low, down), bounded(1, left, across));
  }

  /* A whole number of the axis, whatever `place` is: regions may be no numbers. */
  private Expr bounded(int axis, Expr place, int further) {
    Expr last = sub(Ex.size(c.type(0).dim(2 + axis)), const_(1));
    Expr whole = add(cast(ElementType.I64, place), const_(further));
    return max(const_(0), min(whole, last));
  }
}
