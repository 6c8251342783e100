package io.miniinference.runtime.specialise;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.jvm.JvmTarget;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.LoopModels;
import io.miniinference.runtime.compile.Compiled;
import io.miniinference.runtime.compile.Compiler;
import io.miniinference.runtime.compile.EngineContext;
import io.miniinference.runtime.compile.OtherShapes;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EarlierPlansTest {
  private static final OnnxModel MODEL =
      LoopModels.graph()
          .input("x", DataType.FLOAT, "batch", "time")
          .node("a = Relu x")
          .node("y = Exp a")
          .outputs("y")
          .model("open");

  @TempDir Path cache;

  private Compiled compiled(long time) {
    EngineContext context = EngineContext.of(EngineOptions.defaults(cache));
    return new Compiler(new JvmTarget(), 1 << 20, context, OtherShapes.many())
        .compile(MODEL, LoadOptions.defaults().withDimensions(Map.of("time", time)));
  }

  @Test
  void aPlanIsFoundUnderItsOwnKey() {
    EarlierPlans plans = new EarlierPlans();
    Compiled three = compiled(3);
    plans.add("3", three);

    assertThat(plans.of("3")).containsSame(three);
    assertThat(plans.of("4")).isEmpty();
  }

  @Test
  void plansThatWereNotAskedForTheLongestGoFirst() {
    Compiled three = compiled(3);
    EarlierPlans plans = new EarlierPlans(2 * EarlierPlans.bytes(three, three.weights()));
    plans.add("3", three);
    assertThat(plans.hasRoom()).isTrue();
    plans.add("4", compiled(4));
    assertThat(plans.hasRoom()).isFalse();
    plans.of("3");
    plans.add("5", compiled(5));

    assertThat(plans.of("3")).isPresent();
    assertThat(plans.of("4")).isEmpty();
    assertThat(plans.of("5")).isPresent();
  }

  @Test
  void aLargeHeapHasRoomForMore() {
    assertThat(EarlierPlans.mostBytes(512L << 20)).isEqualTo(32L << 20);
    assertThat(EarlierPlans.mostBytes(8L << 30)).isEqualTo(256L << 20);
  }

  @Test
  void aPlanThatIsLargerThanAllRoomIsNotKept() {
    Compiled three = compiled(3);
    EarlierPlans plans = new EarlierPlans(EarlierPlans.bytes(three, three.weights()) - 1);
    plans.add("3", three);

    assertThat(plans.of("3")).isEmpty();
  }
}
