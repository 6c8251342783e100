package io.miniinference.service.catalog;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.runtime.Signature;
import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Types that clients can name.
final class DatatypesTest {
  private static TensorSpec spec(String name, ElementType element, Optional<CodedType> coded) {
    return TensorSpec.of(name, element, coded, List.of(new Dimension.Fixed(2)));
  }

  private static Signature of(TensorSpec input, TensorSpec output) {
    return new Signature("m", List.of(input), List.of(output), 1);
  }

  @Test
  void typesWithoutANameAreRefusedWithWhatToDo() {
    TensorSpec x = spec("x", ElementType.U8, Optional.of(CodedType.FLOAT8E4M3FN));
    TensorSpec y = spec("y", ElementType.I8, Optional.of(CodedType.INT4));
    assertThatThrownBy(() -> Datatypes.check(of(x, y)))
        .hasMessageContaining("2 problems in 'm'")
        .hasMessageContaining("input 'x': is of type FLOAT8E4M3FN, for which the Open Inference")
        .hasMessageContaining("output 'y': is of type INT4")
        .hasMessageContaining("cast it inside of the network, to FLOAT or INT8");
  }

  @Test
  void stringsAndPlainTypesHaveNames() {
    TensorSpec text = spec("x", ElementType.I32, Optional.of(CodedType.STRING));
    TensorSpec number = spec("y", ElementType.F32, Optional.empty());
    assertThatCode(() -> Datatypes.check(of(text, number))).doesNotThrowAnyException();
  }
}
