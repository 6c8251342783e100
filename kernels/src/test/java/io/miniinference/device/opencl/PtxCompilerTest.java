package io.miniinference.device.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.DeviceException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class PtxCompilerTest {
  /// Which would be 0, and loops over a grid would never end.
  @Test
  void registersThatNoOtherDriverSetsAreRefused() {
    byte[] binary =
        "mov.b32 %r1, %envreg3; mov.b32 %r2, %envreg12;\0".getBytes(StandardCharsets.ISO_8859_1);

    assertThatThrownBy(() -> PtxCompiler.text(binary))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("%envreg12");
  }

  @Test
  void registersOfTheOpenClDriverAreTheirValues() {
    String binary = ".entry f() {\n\tmov.b32 \t%r3, %envreg3;\n\tmov.b32 %r7, %envreg0;\n}\0\0";

    assertThat(PtxCompiler.text(binary.getBytes(StandardCharsets.ISO_8859_1)))
        .isEqualTo(".entry f() {\n\tmov.b32 \t%r3, 0;\n\tmov.b32 %r7, 0;\n}");
  }
}
