package io.miniinference.interp;

import static io.miniinference.interp.Tensors.i64;
import static io.miniinference.interp.Tensors.reals;
import static io.miniinference.interp.Tensors.shape;
import static io.miniinference.interp.Tensors.wholes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.interp.memory.DataFailure;
import io.miniinference.interp.memory.FailureSink;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Branches and loops on the interpreter.
final class ControlTest {
  private static final Graph BRANCH =
      graph(
          """
          input %c: bool[]
          input %x: f32[2]
          %y: f32[2], %k: f32[] = if(%c, %x) graph "then" {
            input %x: f32[2]
            const %one: f32[] = [1.0]
            %a: f32[2] = elementwise(%x, %one) { a0 + a1 }
            output %a
            output %one
          } graph "else" {
            input %x: f32[2]
            const %two: f32[] = [2.0]
            output %x
            output %two
          }
          output %y
          output %k
          """);

  /// Counts up from `x` while it is below `most`, and gives each value on the way.
  private static final Graph COUNTER =
      graph(
          """
          input %trips: i64[]
          input %go: bool[]
          input %x: i64[1]
          input %most: i64[1]
          %y: i64[1] = loop(%trips, %go, %x, %most) {carried=1} graph "body" {
            input %i: i64[]
            input %p: i64[1]
            input %most: i64[1]
            %n: i64[1] = elementwise(%p, %i) { a0 + a1 }
            %w: bool[1] = elementwise(%n, %most) { a0 < a1 }
            %more: bool[] = reshape(%w)
            output %more
            output %n
          }
          output %y
          """);

  private static Graph graph(String body) {
    return GraphCheck.check(GraphText.parse("graph \"g\" {\n" + body + "}\n"));
  }

  private static Tensor truth(boolean value) {
    return Tensors.wholes(ElementType.BOOL, shape(), value ? 1 : 0);
  }

  @Test
  void oneBranchRunsAndReadsWhatIsAroundIt() {
    Tensor x = Tensors.f32(shape(2), 3, 4);
    List<Tensor> then = Interpreter.run(BRANCH, List.of(truth(true), x));
    assertThat(reals(then.get(0))).containsExactly(4, 5);
    assertThat(reals(then.get(1))).containsExactly(1);
    List<Tensor> otherwise = Interpreter.run(BRANCH, List.of(truth(false), x));
    assertThat(reals(otherwise.get(0))).containsExactly(3, 4);
    assertThat(reals(otherwise.get(1))).containsExactly(2);
  }

  @ParameterizedTest
  @CsvSource({
    "4, true, 1000, 16", // 10 + 0 + 1 + 2 + 3
    "0, true, 1000, 10",
    "-3, true, 1000, 10",
    "4, false, 1000, 10",
    "100, true, 15, 16", // 10, 11, 13, 16
    "100, true, 0, 10", // the condition is looked at after the first iteration
  })
  void aLoopEndsWithItsTripCountOrItsCondition(long trips, boolean go, long most, long expected) {
    List<Tensor> inputs =
        List.of(i64(shape(), trips), truth(go), i64(shape(1), 10), i64(shape(1), most));
    assertThat(wholes(Interpreter.run(COUNTER, inputs).getFirst())).containsExactly(expected);
  }

  @Test
  void rowsOfAllIterationsAreStacked() {
    Graph squares =
        graph(
            """
            input %x: f32[N,2]
            const %trips: i64[] = [3]
            const %go: bool[] = [true]
            %y: f32[N,2], %rows: f32[3,N,2] = loop(%trips, %go, %x) {carried=1, iterations=3} graph "body" {
              input %i: i64[]
              input %p: f32[N,2]
              const %go: bool[] = [true]
              %n: f32[N,2] = elementwise(%p) { a0 * a0 }
              output %go
              output %n
              output %p
            }
            output %y
            output %rows
            """);
    List<Tensor> outputs = Interpreter.run(squares, List.of(Tensors.f32(shape(1, 2), 2, 3)));
    assertThat(reals(outputs.get(0))).containsExactly(256, 6561);
    assertThat(outputs.get(1).shape()).containsExactly(3, 1, 2);
    assertThat(reals(outputs.get(1))).containsExactly(2, 3, 4, 9, 16, 81);
    List<Tensor> empty = Interpreter.run(squares, List.of(Tensors.f32(shape(0, 2))));
    assertThat(empty.get(1).shape()).containsExactly(3, 0, 2);
  }

  @Test
  void aLoopWithoutEndIsEnded() {
    List<Tensor> inputs =
        List.of(
            i64(shape(), Long.MAX_VALUE),
            truth(true),
            i64(shape(1), 0),
            i64(shape(1), Long.MAX_VALUE));
    var mode = new Interpreter.Mode(NodeKernel::plain, FailureSink::throwing, 1000);
    assertThatThrownBy(() -> Interpreter.run(COUNTER, inputs, mode))
        .isInstanceOf(DataFailure.class)
        .hasMessageContaining("node 'y'")
        .hasMessageContaining("1000 iterations in all");
  }

  @Test
  void aFailureNamesTheNodeInTheBodyAndTheIteration() {
    Graph looking =
        graph(
            """
            input %t: f32[3]
            input %at: i64[]
            const %trips: i64[] = [4]
            const %go: bool[] = [true]
            %y: f32[] = loop(%trips, %go, %at, %t) {carried=1} graph "body" {
              input %i: i64[]
              input %p: i64[]
              input %t: f32[3]
              const %go: bool[] = [true]
              %v: f32[] = gather(%t, %p) {axis=0} from "look" "Gather"
              %n: i64[] = elementwise(%p, %v) { a0 + i64(a1) }
              output %go
              output %n
            }
            output %y
            """
                .replace("%y: f32[]", "%y: i64[]"));
    Tensor steps = Tensors.f32(shape(3), 1, 1, 5);
    assertThatThrownBy(() -> Interpreter.run(looking, List.of(steps, i64(shape(), 0))))
        .isInstanceOf(DataFailure.class)
        .hasMessage("node 'look': index 7 is outside [-3, 2] on axis 0, iteration 3, position 0");
  }

  @Test
  void anIterationRunsOnce() {
    Graph once =
        graph(
            """
            input %x: f32[2]
            %y: f32[1] = iteration(%x) {number=7} graph "body" {
              input %x: f32[2]
              const %at: i64[1] = [5]
              %v: f32[1] = gather(%x, %at) {axis=0} from "look" "Gather"
              output %v
            }
            output %y
            """);
    assertThatThrownBy(() -> Interpreter.run(once, List.of(Tensors.f32(shape(2), 1, 2))))
        .hasMessage("node 'look': index 5 is outside [-2, 1] on axis 0, iteration 7, position 0");
  }
}
