package io.miniinference.bench.contrib;

import io.miniinference.ir.Tensor;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class ProbeTest {
  static Object[] tree(long[] ids, float[][] w, Object... more) {
    int c = ids.length;
    long[] ct = new long[2 * c], cn = new long[2 * c], ci = new long[2 * c];
    float[] cw = new float[2 * c];
    for (int l = 0; l < 2; l++) for (int j = 0; j < c; j++) {
      cn[l * c + j] = l + 1; ci[l * c + j] = ids[j]; cw[l * c + j] = w[l][j];
    }
    Object[] base = {
      "nodes_treeids", new long[] {0, 0, 0}, "nodes_nodeids", new long[] {0, 1, 2},
      "nodes_featureids", new long[] {0, 0, 0}, "nodes_values", new float[] {0, 0, 0},
      "nodes_modes", new String[] {"BRANCH_LEQ", "LEAF", "LEAF"},
      "nodes_truenodeids", new long[] {1, 0, 0}, "nodes_falsenodeids", new long[] {2, 0, 0}};
    Object[] all = Arrays.copyOf(base, base.length + 8 + more.length);
    int at = base.length;
    String p = more[0].equals("R") ? "target" : "class";
    all[at++] = p + "_treeids"; all[at++] = ct;
    all[at++] = p + "_nodeids"; all[at++] = cn;
    all[at++] = p + "_ids"; all[at++] = ci;
    all[at++] = p + "_weights"; all[at++] = cw;
    for (int i = 1; i < more.length; i++) all[at++] = more[i];
    return Arrays.copyOf(all, at);
  }

  @Test
  void probe() {
    for (String t : new String[] {"NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT"})
      for (boolean pos : new boolean[] {true, false})
        for (long[] ids : new long[][] {{0}, {1}, {0, 1}})
          for (float[] b : new float[][] {{}, {0.25f}, {0.25f, 0.125f}}) {
            float[][] w = pos ? new float[][] {{0.3f, 0.7f}, {0.8f, 0.2f}} : new float[][] {{-0.3f, 0.9f}, {0.8f, -0.2f}};
            PeerModel m = PeerModel.opset(17).input("x", Tensor.of(new float[] {-1, 1}, 2, 1))
              .ml("TreeEnsembleClassifier", "x", "label scores",
                b.length > 0 ? tree(ids, w, "C", "classlabels_int64s", new long[] {7, 9}, "post_transform", t, "base_values", b)
                : tree(ids, w, "C", "classlabels_int64s", new long[] {7, 9}, "post_transform", t))
              .outputs("label scores");
            show("C " + t + (pos ? " pos " : " mix ") + Arrays.toString(ids) + " base " + Arrays.toString(b), m);
          }
    for (String t : new String[] {"NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT"})
      for (long n : new long[] {1, 2})
       for (float[] b : new float[][] {{}, {0.25f}, {0.25f, 0.125f}}) {
        PeerModel m = PeerModel.opset(17).input("x", Tensor.of(new float[] {-1, 1}, 2, 1))
              .ml("TreeEnsembleRegressor", "x", "scores", b.length > 0 ?
                tree(n == 1 ? new long[] {0} : new long[] {0, 1}, new float[][] {{0.3f, 0.7f}, {0.8f, 0.0f}}, "R", "n_targets", (int) n, "post_transform", t, "base_values", b)
                : tree(n == 1 ? new long[] {0} : new long[] {0, 1}, new float[][] {{0.3f, 0.7f}, {0.8f, 0.0f}}, "R", "n_targets", (int) n, "post_transform", t))
              .outputs("scores");
            show("R " + t + " " + n + " base " + Arrays.toString(b), m);
      }
    for (String t : new String[] {"NONE", "LOGISTIC", "SOFTMAX", "PROBIT"})
      for (int n : new int[] {1, 2, 3}) for (int labels : new int[] {0, 1, 2, 3}) {
        PeerModel m = PeerModel.opset(17).input("x", Tensor.of(new float[] {-1, 1}, 2, 1))
              .ml("LinearClassifier", "x", "label scores", "coefficients", Arrays.copyOf(new float[] {0.5f, -0.25f, 0.125f}, n), "intercepts", Arrays.copyOf(new float[] {0.3f, 0.1f, 0.2f}, n),
               "post_transform", t, "classlabels_ints", Arrays.copyOf(new long[] {5, 7, 9}, labels), "multi_class", 1).outputs("label scores");
            show("L " + t + " n=" + n + " labels=" + labels, m);
      }
    for (String t : new String[] {"NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT"})
     for (boolean pos : new boolean[] {true, false})
      for (boolean proba : new boolean[] {true, false}) for (int n : new int[] {2, 3}) {
        int pairs = n * (n - 1) / 2;
        float[] co = n == 2 ? new float[] {0.5f, pos ? 0.4f : -0.4f} : new float[] {0.5f, 0.3f, 0.2f, 0.1f, pos ? 0.7f : -0.7f, 0.25f};
        PeerModel m = PeerModel.opset(17).input("x", Tensor.of(new float[] {-1, 1}, 2, 1))
              .ml("SVMClassifier", "x", "label scores", "coefficients", co, "kernel_params", new float[] {0.5f, 0.1f, 2f}, "kernel_type", "RBF",
               "rho", Arrays.copyOf(new float[] {0.3f, -0.1f, -0.2f}, pairs), "support_vectors", Arrays.copyOf(new float[] {0.5f, -0.5f, 1}, n), "vectors_per_class", Arrays.copyOf(new long[] {1, 1, 1}, n),
               "post_transform", t, "classlabels_ints", Arrays.copyOf(new long[] {5, 7, 9}, n),
               "prob_a", Arrays.copyOf(new float[] {-1, -0.5f, -2}, proba ? pairs : 0), "prob_b", Arrays.copyOf(new float[] {0.1f, 0.2f, -0.1f}, proba ? pairs : 0)).outputs("label scores");
            show("S " + t + (pos ? " pos" : " mix") + " n=" + n + " proba=" + proba, m);
      }
    for (String t : new String[] {"NONE", "LOGISTIC"}) for (boolean pos : new boolean[] {true, false}) for (int n : new int[] {2, 3}) {
        PeerModel m = PeerModel.opset(17).input("x", Tensor.of(new float[] {-1, 1}, 2, 1))
              .ml("SVMClassifier", "x", "label scores", "coefficients", Arrays.copyOf(new float[] {0.5f, pos ? 0.4f : -0.4f, 0.9f}, n), "kernel_params", new float[] {0.5f, 0.1f, 2f}, "kernel_type", "RBF",
               "rho", new float[] {0.3f},
               "post_transform", t, "classlabels_ints", Arrays.copyOf(new long[] {5, 7, 9}, n)).outputs("label scores");
            show("SL " + t + (pos ? " pos" : " mix") + " n=" + n, m);
    }
    for (String t : new String[] {"NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT"}) for (int n : new int[] {1, 2}) {
        PeerModel m = PeerModel.opset(17).input("x", Tensor.of(new float[] {-1, 1}, 2, 1))
              .ml("LinearRegressor", "x", "scores", "coefficients", Arrays.copyOf(new float[] {0.5f, -0.25f}, n), "intercepts", Arrays.copyOf(new float[] {0.3f, 0.25f}, n),
               "post_transform", t, "targets", n).outputs("scores");
            show("LR " + t + " n=" + n, m);
    }
  }

  static void show(String what, PeerModel m) {
    try {
      var out = Peers.onnxRuntime(m.bytes(), m.request());
      StringBuilder s = new StringBuilder(what + ":");
      for (Tensor o : out) s.append(" ").append(o.element().isFloat() ? Arrays.toString(o.floats()) : Arrays.toString(o.longs()));
      System.out.println("PROBE " + s);
    } catch (Throwable e) {
      System.out.println("PROBE " + what + ": " + e.getMessage());
    }
  }
}
