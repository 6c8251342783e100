package io.miniinference.ops.node;

import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.onnx.OnnxGraph;
import io.miniinference.onnx.Problems;
import io.miniinference.onnx.Quote;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import io.miniinference.ops.draft.BodyDraft;
import io.miniinference.ops.draft.Earlier;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.FlatValues;
import io.miniinference.ops.draft.LoweringFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// A body in the making that the file has: its inputs are bound first, then its nodes are lowered.
public final class BodyImport extends BodyDraft {
  private final OnnxGraph graph;
  private final NodeImporter importer;
  private List<Value> ahead = List.of();
  private Set<String> needed = Set.of();

  BodyImport(OnnxGraph graph, NodeImporter importer) {
    super(importer.draft());
    this.graph = graph;
    this.importer = importer;
  }

  public int inputs() {
    return graph.inputs().size();
  }

  public int outputs() {
    return graph.outputs().size();
  }

  /// Input `i` as a parameter: a value that differs from run to run.
  public Value parameter(int i, TensorType type) {
    requireTensor(i);
    Value parameter = parameter(name(i), type);
    importer.names().bind(name(i), parameter);
    return parameter;
  }

  /// Input `i` as a parameter that holds what a value does.
  public Value parameter(int i, Value like) {
    Value parameter = parameter(i, like.type());
    facts().codeAs(parameter, like);
    return parameter;
  }

  /// Input `i` as a value of this draft, or of the graph around it.
  public void bind(int i, Value value) {
    if (importer.draft().structure(value).isEmpty() && !isOptional(i)) {
      requireTensor(i);
    }
    importer.names().bind(name(i), value);
  }

  /// Input `i` as one number, which has the axis of one element that the body may declare for it.
  public void bindNumber(Emitter inside, int i, Value scalar) {
    TypeProto.Tensor type = graph.inputs().get(i).getType().getTensorType();
    boolean hasAxis = type.hasShape() && type.getShape().getDimCount() == 1;
    bind(i, hasAxis ? inside.reshape(scalar, List.of(Affine.ONE)) : scalar);
  }

  private String name(int i) {
    return graph.inputs().get(i).getName();
  }

  private boolean isOptional(int i) {
    return graph.inputs().get(i).getType().hasOptionalType();
  }

  private void requireTensor(int i) {
    ValueInfoProto input = graph.inputs().get(i);
    if (input.hasType() && !input.getType().hasTensorType()) {
      throw LoweringFault.of(
          "has a body whose input %s is no tensor (%s), which is not supported"
              .formatted(Quote.of(input.getName()), input.getType().getValueCase()));
    }
  }

  /// Imports initializers and nodes; the values of the outputs.
  ///
  /// @throws BodyFault with what is wrong inside
  public List<Value> lower() {
    List<Value> outputs = lowerWithLists();
    if (new FlatValues(draft(), outputs).hasStructures()) {
      throw LoweringFault.of("has a body that gives a list of tensors, which is not supported");
    }
    return outputs;
  }

  /// As [#lower], of a body that may give lists.
  public List<Value> lowerWithLists() {
    List<Value> outputs = inPlace();
    return outputs;
  }

  /// As [#lower], of a body that is a part of the graph around it.
  List<Value> inPlace() {
    Faults faults = Faults.in(new Problems("body"));
    initializers(faults.problems());
    Earlier earlier = importer.lower(graph, faults);
    ahead = earlier.ahead();
    needed = earlier.needed();
    var outputs = new ArrayList<Value>();
    for (ValueInfoProto output : graph.outputs()) {
      importer.names().value(output.getName()).ifPresent(outputs::add);
    }
    if (!faults.isEmpty() || outputs.size() != outputs()) {
      throw BodyFault.of(faults);
    }
    return outputs;
  }

  /// Values of this draft that are computed ahead of the first size that is negative or unknown, if
  /// that is what is wrong inside.
  public List<Value> ahead() {
    return ahead;
  }

  /// Values of this draft, and of those around it, that the outputs follow from.
  public List<Value> needed() {
    return needed.stream()
        .flatMap(name -> importer.names().value(name).stream())
        .filter(value -> draft().structure(value).isEmpty())
        .toList();
  }

  private void initializers(Problems problems) {
    ConstantReader constants = importer.constants();
    graph.initializers().forEach(it -> initializer(it, () -> constants.read(it), problems));
    graph
        .sparseInitializers()
        .forEach(it -> initializer(it.getValues(), () -> constants.read(it), problems));
  }

  private void initializer(TensorProto proto, Supplier<Tensor> tensor, Problems problems) {
    try {
      Value value = draft().initializer(draft().unique(proto.getName()), tensor.get());
      ConstantReader.coded(proto).ifPresent(type -> facts().code(value, type));
      importer.names().bind(proto.getName(), value);
    } catch (LoweringFault fault) {
      problems.add("initializer " + Quote.of(proto.getName()), fault.what());
    }
  }
}
