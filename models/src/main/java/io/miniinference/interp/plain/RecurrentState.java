package io.miniinference.interp.plain;

import io.miniinference.interp.memory.Cursor;
import io.miniinference.interp.memory.Numbers;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.Recurrent.Given;
import org.jspecify.annotations.Nullable;

/// The states of one row of a recurrent layer, and what a step makes of them
/// ([io.miniinference.ir.RecurrentCell.Kind]).
final class RecurrentState {
  private final Op.Recurrent op;
  private final RecurrentFormulas f;
  private final Cursor cursor = RecurrentFormulas.cursor();
  private final RecurrentProducts products;
  private final int size;
  private final double[] bias;
  private final double @Nullable [] peepholes;

  /// The projected inputs and the product of the state, by gate, `[gates · hidden]`.
  private final double[] inputs;

  private final double[] sums;
  private final double[] kept;

  final double[] hidden;
  final double[] cell;

  /// Zeros, as many as a state has.
  final double[] none;

  RecurrentState(Op.Recurrent op, RecurrentFormulas formulas, Task task) {
    this.op = op;
    f = formulas;
    TensorView weights = task.operand(Op.Recurrent.WEIGHTS);
    products = RecurrentProducts.of(weights);
    size = Math.toIntExact(weights.dim(1));
    double[] added = vector(task, Given.BIAS);
    bias = added == null ? new double[size] : added;
    peepholes = vector(task, Given.PEEPHOLES);
    inputs = new double[Math.toIntExact(weights.dim(0))];
    sums = new double[inputs.length];
    kept = new double[size];
    hidden = new double[size];
    cell = new double[size];
    none = new double[size];
  }

  private double @Nullable [] vector(Task task, Given given) {
    int place = op.place(given);
    if (place < 0) {
      return null;
    }
    TensorView view = task.operand(place);
    double[] values = new double[Math.toIntExact(view.dim(0))];
    for (int i = 0; i < values.length; i++) {
      values[i] = view.realAt(view.offset(i));
    }
    return values;
  }

  /// Takes the row through a step.
  ///
  /// @param x the projected inputs, `[steps, batch, gates · hidden]`
  void step(TensorView x, long place, long row) {
    long at = x.offset(place, row, 0);
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = x.realAt(at + x.strides().along(2, i));
    }
    switch (op.cell().kind()) {
      case RNN -> rnn();
      case GRU -> gru();
      case GRU_LINEAR -> linear();
      case LSTM -> lstm(false);
      case LSTM_COUPLED -> lstm(true);
    }
  }

  private double narrow(double x) {
    return Numbers.narrow(f.type(), x);
  }

  private double sum(int gate, int j) {
    int at = gate * size + j;
    return f.round(inputs[at] + sums[at]);
  }

  private double apply(int function, double x) {
    return f.apply(function, x, cursor);
  }

  private double product(double a, double b) {
    return f.round(a * b);
  }

  private void rnn() {
    products.of(hidden, 0, size, sums);
    for (int j = 0; j < size; j++) {
      hidden[j] = narrow(apply(0, sum(0, j)));
    }
  }

  private void gru() {
    products.of(hidden, 0, 2 * size, sums);
    for (int j = 0; j < size; j++) {
      kept[j] = narrow(product(apply(0, sum(1, j)), hidden[j]));
    }
    products.of(kept, 2 * size, 3 * size, sums);
    for (int j = 0; j < size; j++) {
      mix(j, sum(2, j));
    }
  }

  private void linear() {
    products.of(hidden, 0, 3 * size, sums);
    for (int j = 0; j < size; j++) {
      double ofState = f.round(sums[2 * size + j] + bias[j]);
      double candidate = product(apply(0, sum(1, j)), ofState);
      mix(j, f.round(inputs[2 * size + j] + candidate));
    }
  }

  private void mix(int j, double candidate) {
    double update = apply(0, sum(0, j));
    double fresh = product(f.round(1 - update), apply(1, candidate));
    hidden[j] = narrow(f.round(fresh + product(update, hidden[j])));
  }

  private void lstm(boolean coupled) {
    products.of(hidden, 0, 4 * size, sums);
    for (int j = 0; j < size; j++) {
      double input = apply(0, gate(0, j, cell[j]));
      double forget = coupled ? f.round(1 - input) : apply(0, gate(2, j, cell[j]));
      double candidate = apply(1, sum(3, j));
      cell[j] = narrow(f.round(product(forget, cell[j]) + product(input, candidate)));
      double output = apply(0, gate(1, j, cell[j]));
      hidden[j] = narrow(product(output, apply(2, cell[j])));
    }
  }

  private double gate(int gate, int j, double state) {
    double sum = sum(gate, j);
    return peepholes == null ? sum : f.round(sum + product(peepholes[gate * size + j], state));
  }
}
