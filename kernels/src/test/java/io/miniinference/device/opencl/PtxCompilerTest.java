package io.miniinference.device.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class PtxCompilerTest {
  @Test
  void registersOfTheOpenClDriverAreTheirValues() {
    String binary = ".entry f() {\n\tmov.b32 \t%r3, %envreg3;\n\tmov.b32 %r7, %envreg0;\n}\0\0";

    assertThat(PtxCompiler.text(binary.getBytes(StandardCharsets.ISO_8859_1)))
        .isEqualTo(".entry f() {\n\tmov.b32 \t%r3, 0;\n\tmov.b32 %r7, 0;\n}");
  }
}
