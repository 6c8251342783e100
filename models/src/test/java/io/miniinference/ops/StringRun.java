package io.miniinference.ops;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.ops.node.ImportOptions;
import io.miniinference.strings.StringTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Runs of models with strings on the interpreter: inputs and outputs are strings as such.
final class StringRun {
  private StringRun() {}

  static List<Tensor> run(TestModel model, Map<String, Tensor> inputs) {
    return run(Importer.importWithValues(model.read(), ImportOptions.defaults()), inputs);
  }

  static List<Tensor> run(Importer.Imported imported, Map<String, Tensor> inputs) {
    GraphCheck.check(imported.graph());
    var table = new StringTable(imported.codes().dictionary());
    List<Tensor> given = new ArrayList<>();
    imported
        .graph()
        .inputs()
        .forEach(i -> given.add(Objects.requireNonNull(inputs.get(i.name())).codedIn(table)));
    List<Tensor> results = Interpreter.run(imported.graph(), given);
    List<Tensor> outputs = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      Tensor result = results.get(i);
      boolean coded = imported.codes().of(imported.graph().outputs().get(i).name()).isPresent();
      outputs.add(
          coded ? new Tensor(result.element(), result.shape(), result.data(), table) : result);
    }
    return outputs;
  }
}
