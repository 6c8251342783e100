package io.miniinference.codegen.recurrent;

/// Where a cell's statements ([CellText]) find what they read and put what they make, of one
/// element of the states or of several in the lanes of a vector. Arrays of states are numbered as
/// [ElementLoop] has them.
public interface CellPlaces {

  /// The projected input of a gate.
  String input(int gate);

  /// The weight of the cell state for a gate.
  String peephole(int gate);

  /// What is added to the candidate's product.
  String bias();

  /// The hidden state ahead of the step.
  String before();

  /// What is in an array of the states.
  String held(int array);

  /// Statement that puts a value into an array of the states.
  String keep(String value, int array);

  /// Statement that makes a value the hidden state behind the step.
  String next(String value);

  /// Statement that puts a value into the layer's hidden states of all steps; empty where they are
  /// not asked for.
  String shown(String value);
}
