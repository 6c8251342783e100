package io.miniinference.plan.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.plan.Array;
import io.miniinference.plan.Body;
import io.miniinference.plan.LoopBuffers;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.ProgramBuilder;
import io.miniinference.plan.planner.Planner;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// How a certificate shows memory that is elsewhere in each iteration of a loop.
final class CertificateOfLoopsTest {
  private static final int ROWS = 4;
  private static final PlanHeader FACTS = new PlanHeader("m", "jvm", 0, 0, 1, 0, 1);

  private final ProgramBuilder p = new ProgramBuilder();
  private final Array x = p.input("x", 1024);

  private static Certificate certificate(Program program) {
    return Certificate.of(Planner.planAt(program, 1, PlanOptions.upTo(1)), 1, FACTS);
  }

  /* Stacks what is computed of `x` in each of four iterations. */
  private Certificate stacking() {
    Array rows = p.compute(p.floats("rows", ROWS, 1024));
    int at = p.nextNumber();
    p.openBody();
    Array row = p.compute(p.floats("row", 1024), x);
    LoopBuffers.Window window = p.window("rows[i]", rows);
    p.put(row, window);
    Body body = p.closeBody("loop/", Body.Kind.LOOP, List.of(rows), List.of(rows));
    Array all = rows.view("all", rows.index());
    p.loop(
        at,
        List.of(rows),
        List.of(all),
        moving(body, new LoopBuffers(0, List.of(window), List.of())));
    return certificate(p.build(all));
  }

  /* A state that starts as `x`, which is needed afterwards. */
  private Certificate carrying() {
    return carrying(state -> p.elementwise(p.floats("made", 1024), state));
  }

  private Certificate carrying(UnaryOperator<Array> next) {
    Array state = p.floats("state", 1024);
    Array start = p.copy(state.view("start", state.index()), x);
    int at = p.nextNumber();
    p.openBody();
    Array made = next.apply(state);
    Array carried = p.copy(state.view("carried", state.index()), made);
    Body body = p.closeBody("loop/", Body.Kind.LOOP, List.of(state), List.of(carried));
    Array result = state.view("result", state.index());
    p.loop(
        at,
        List.of(start),
        List.of(result),
        moving(body, new LoopBuffers(2, List.of(), List.of())));
    return certificate(p.build(result, x));
  }

  private static Body moving(Body body, LoopBuffers motion) {
    return new Body(
        body.name(), body.kind(), body.parameters(), body.steps(), body.results(), motion);
  }

  @Test
  void aValueBuiltInARowHasABarAtTheFirstRow() {
    String text = stacking().text();
    assertThat(text).containsPattern("\nrow +░*█+░* +0 +4,096  in rows\\[i\\]\n");
    assertThat(text).contains("\n  rows[i]: a row of rows\n");
  }

  @Test
  void aValueBuiltInARowIsATensorThatIsAPartOfAllRows() {
    assertThat(stacking().json())
        .contains("{\"name\":\"row\",\"bytes\":4096,\"offset\":0,")
        .containsPattern("\"name\":\"row\",[^}]*\"aliasOf\":\"rows\"}");
  }

  @Test
  void thePictureShowsAValueThatMovesOverAllRows() {
    String svg = stacking().svg();
    assertThat(svg)
        .contains(
            "<title>row: 4,096 B at 0, steps 2 to 3\nbuilt in rows[i]\nanother row of rows in each iteration")
        .contains(">one row in each iteration</text>")
        .contains("<title>Loop all</title>");
    assertThat(Pattern.compile("stroke-width=\"0.6\"").matcher(svg).results()).hasSize(ROWS - 1);
  }

  @Test
  void thePictureExplainsOnlyWhatItShows() {
    assertThat(carrying().svg())
        .doesNotContain("one row in each iteration")
        .contains(">lower bound</text>");
  }

  @Test
  void aStateThatIsReadElsewhereFirstIsListed() {
    assertThat(carrying().text())
        .contains("\nplaces that are others in each iteration:\n  state: x, then carried\n");
  }

  @Test
  void aStateThatAlternatesIsListedWithTheCopyThatMayBeLeft() {
    Certificate certificate = carrying(state -> p.compute(p.floats("made", 1024), state));
    assertThat(certificate.copies()).isEqualTo(1);
    assertThat(certificate.text()).contains("\n  made: made and carried by turns\n");
    assertThat(certificate.json())
        .containsPattern("\"name\":\"carried\",[^}]*\"kind\":\"copy\",[^}]*\"bytes\":4096");
  }
}
