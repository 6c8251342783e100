package io.miniinference.conformance;

import static io.miniinference.conformance.WindowCases.RELU;
import static io.miniinference.conformance.WindowCases.conv;
import static io.miniinference.conformance.WindowCases.fused;
import static io.miniinference.conformance.WindowCases.window;

import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import java.util.List;

/// Convolutions that are large enough for forms of their own.
final class FormCases {
  private FormCases() {}

  /* Large enough for Winograd's form: images of whole and of cut tiles, of one tile's width, pads of
  all kinds, channels that are no whole vectors, plain and blocked inputs, all kinds of epilogues. */
  static Sheet winograd() {
    Sheet s = new Sheet("convolutions in Winograd's form", 107).batches(1L, 0L, 3L);
    Window same = window(2, 3, 1, 1, 1, 1);
    Value x = s.input(Sheet.batch(32, 12, 15));
    conv(s, "cut tiles", x, 32, same, 1);
    conv(s, "no pads, many channels", x, 80, window(2, 3, 1, 1, 0, 0), 1);
    conv(s, "uneven pads", x, 48, window(2, 3, 1, 1, 2, 0), 1);
    conv(s, "wide pads", x, 32, window(2, 3, 1, 1, 3, 4), 1);
    conv(s, "channels of no whole vectors", s.input(Sheet.batch(45, 13, 12)), 43, same, 1);
    conv(s, "one tile wide", s.input(Sheet.batch(40, 31, 4)), 40, same, 1);
    conv(s, "without batch", s.input(Sheet.dims(2, 33, 16, 16)), 33, same, 1);
    Value blocked = s.at("b").conv(same, 1, x, s.constant(40, 32, 3, 3));
    conv(s, "of blocked", blocked, 33, same, 1);
    conv(s, "of turned", s.at("t").transpose(x, List.of(0, 1, 3, 2)), 32, same, 1);
    Value weights = s.constant(40, 32, 3, 3);
    fused(s, "bias", same, x, weights, RELU, s.constant(40, 1, 1));
    fused(s, "residual", same, x, weights, RELU, s.input(Sheet.batch(40, 12, 15)));
    fused(s, "residual, blocked", same, x, weights, RELU, blocked);
    manyChannels(s, same);
    return s;
  }

  /* As many as GPUs want: of whole eights and not, of results for each width of their tiles. */
  private static void manyChannels(Sheet s, Window same) {
    Value x = s.input(Sheet.batch(64, 9, 11));
    conv(s, "many channels", x, 64, same, 1);
    conv(s, "many channels, no pads", x, 72, window(2, 3, 1, 1, 0, 0), 1);
    conv(s, "many channels, uneven pads", x, 80, window(2, 3, 1, 1, 2, 0), 1);
    conv(s, "many channels, no eights", s.input(Sheet.batch(68, 6, 5)), 144, same, 1);
    Value weights = s.constant(67, 64, 3, 3);
    fused(s, "many channels, residual", same, x, weights, RELU, s.input(Sheet.batch(67, 9, 11)));
  }

  /* Few input channels, or a filter for each, of so many pixels that work items of GPUs own strips of
  them: lines of whole strips and not, dilations, pads of all kinds, epilogues. */
  static Sheet strips() {
    Sheet s = new Sheet("convolutions in strips", 109).batches(2L, 0L, 1L);
    Value x = s.input(Sheet.batch(24, 61, 59));
    strips(s, "strips, depthwise", x, 24, window(2, 7, 1, 1, 3, 3), 24);
    strips(s, "strips, dilated", x, 24, window(2, 6, 1, 2, 4, 7), 24);
    strips(s, "strips, uneven pads", s.input(Sheet.batch(40, 128, 98)), 40, uneven(), 40);
    Value plane = s.input(Sheet.batch(1, 151, 149));
    strips(s, "strips, one channel", plane, 32, window(2, 5, 2, 1, 2, 2), 1);
    strips(s, "strips, wide pads", plane, 40, window(2, 4, 2, 1, 5, 4), 1);
    Value image = s.input(Sheet.batch(3, 70, 112));
    Window same = window(2, 3, 1, 1, 1, 1);
    Value filters = s.constant(64, 3, 3, 3);
    Value other = s.at("o").conv(same, 1, image, s.constant(64, 3, 3, 3));
    read(s, "strips, three channels", other);
    Op conv = new Op.Conv(same, 1);
    List<Value> operands = List.of(image, filters);
    read(s, "strips, bias", s.at("b").op(conv, operands, RELU, List.of(s.constant(64, 1, 1))));
    read(s, "strips, residual", s.at("r").op(conv, operands, RELU, List.of(other)));
    return s;
  }

  private static Value strips(Sheet s, String label, Value x, long outputs, Window w, int groups) {
    Value filters = WindowCases.weights(s, outputs, x.type().dim(1).asConstant() / groups, w);
    Value y = s.at("c").conv(w, groups, x, filters);
    read(s, label, y);
    return y;
  }

  /* Channels are innermost in what a pool reads. */
  private static void read(Sheet s, String label, Value y) {
    s.check(label, s.at("p").pool(PoolKind.MAX, window(2, 1, 1, 1, 0, 0), false, y));
  }

  private static Window uneven() {
    return new Window(List.of(5, 3), List.of(2, 1), List.of(1, 1), List.of(0, 2), List.of(3, 0));
  }

  /* Few channels under neighbouring windows, so that work items of GPUs own patches of images: whole
  ones and cut, windows and pads of all kinds, output channels of one work-group and of several, inputs
  that lie otherwise or are parts of others, epilogues. */
  static Sheet patches() {
    Sheet s = new Sheet("convolutions by patches", 113).batches(2L, 0L, 1L);
    Window same = window(2, 3, 1, 1, 1, 1);
    Window five = window(2, 5, 1, 1, 2, 2);
    Value x = s.input(Sheet.batch(24, 11, 13));
    Value twelve = strips(s, "patches, cut", x, 12, same, 1);
    strips(s, "patches, 5 x 5", twelve, 48, five, 1);
    strips(s, "patches, no pads", twelve, 20, window(2, 3, 1, 1, 0, 0), 1);
    Window flat =
        new Window(List.of(3, 5), List.of(1, 1), List.of(1, 1), List.of(0, 3), List.of(2, 1));
    strips(s, "patches, uneven pads", x, 96, flat, 1);
    Value whole = s.input(Sheet.batch(4, 8, 20));
    strips(s, "patches, whole", whole, 40, same, 1);
    strips(s, "patches, of turned", s.at("t").transpose(x, List.of(0, 1, 3, 2)), 16, five, 1);
    strips(
        s, "patches, of a part", s.at("s").slice(x, 1, Affine.of(8), Affine.of(16)), 32, same, 1);
    strips(s, "patches, without batch", s.input(Sheet.dims(3, 8, 6, 8)), 8, same, 1);
    Op conv = new Op.Conv(same, 1);
    List<Value> operands = List.of(twelve, s.constant(12, 12, 3, 3));
    read(s, "patches, bias", s.at("b").op(conv, operands, RELU, List.of(s.constant(12, 1, 1))));
    Value residual = s.at("r").op(conv, operands, RELU, List.of(twelve));
    read(s, "patches, residual", residual);
    Value odd = s.at("o").slice(x, 1, Affine.of(3), Affine.of(10));
    Value behind =
        s.at("j").concat(1, List.of(odd, s.at("c").conv(same, 1, x, s.constant(8, 24, 3, 3))));
    read(s, "patches, into a part that begins with no vector", behind);
    strips(
        s, "patches, of one", s.at("p").slice(behind, 1, Affine.of(7), Affine.of(8)), 12, same, 1);
    Value joined = s.at("j").concat(1, List.of(residual, twelve));
    strips(s, "patches, of joined", joined, 28, same, 1);
    return s;
  }

  /* Deep enough to be cut into chunks: tiles of both kinds, strides, results with gaps and in rows,
  epilogues. */
  static Sheet pointwise() {
    Sheet s = new Sheet("deep pointwise convolutions", 108).batches(1L, 0L, 3L);
    Window point = window(2, 1, 1, 1, 0, 0);
    Value x = s.input(Sheet.batch(256, 7, 12));
    conv(s, "tiles of four", x, 64, point, 1);
    conv(s, "tiles of seven", s.input(Sheet.batch(384, 7, 7)), 96, point, 1);
    conv(s, "several groups", s.input(Sheet.batch(128, 20, 13)), 128, point, 1);
    conv(s, "strided", s.input(Sheet.batch(256, 9, 14)), 64, window(2, 1, 2, 1, 0, 0), 1);
    conv(s, "strided, four", s.input(Sheet.batch(128, 7, 23)), 64, window(2, 1, 2, 1, 0, 0), 1);
    conv(s, "of turned", s.at("t").transpose(x, List.of(0, 1, 3, 2)), 64, point, 1);
    Value weights = s.constant(64, 256, 1, 1);
    fused(s, "pointwise: bias", point, x, weights, RELU, s.constant(64, 1, 1));
    fused(s, "pointwise: residual", point, x, weights, RELU, s.input(Sheet.batch(64, 7, 12)));
    Value whole = s.at("w").conv(point, 1, x, s.constant(64, 256, 1, 1));
    Value some = s.at("s").conv(point, 1, x, s.constant(9, 256, 1, 1));
    s.check("pointwise: in rows", s.at("c").concat(1, List.of(whole, some)));
    return s;
  }
}
