package io.miniinference.codegen.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.open.OpenStock.Kernel;
import io.miniinference.codegen.open.OpenStock.Site;
import org.junit.jupiter.api.Test;

class OpenStockTest {
  private final OpenStock stock = new OpenStock();

  private static Site site(String text) {
    return new OpenStock.Texts().site("node/Add/1", 1, 2, text);
  }

  private Kernel kernel(String text) {
    Kernel kernel = stock.make(site(text), "add");
    stock.add(kernel);
    return kernel;
  }

  @Test
  void whatDiffersFromShapeToShapeIsAnArgument() {
    stock.see(site("for (long i = 0; i < 25; i++) y[i*64] = 2.0f * x[i*25];"));
    Kernel kernel = kernel("for (long i = 0; i < 31; i++) y[i*64] = 2.0f * x[i*31];");
    assertThat(kernel.statements(2))
        .isEqualTo(
            "  const int size0 = (int)o2;\n"
                + "for (long i = 0; i < size0; i++) y[i*64] = 2.0f * x[i*size0];");
    Site other = site("for (long i = 0; i < 7; i++) y[i*64] = 2.0f * x[i*7];");
    assertThat(stock.find(other)).contains(kernel);
    assertThat(kernel.arguments(other)).containsExactly(7L);
  }

  @Test
  void aNumberThatIsAConstantFitsNoOtherValue() {
    stock.see(site("y[i*25] = x[i*64];"));
    kernel("y[i*31] = x[i*64];");
    assertThat(stock.find(site("y[i*8] = x[i*65];"))).isEmpty();
    assertThat(stock.find(site("y[i*64] = x[i*64];"))).isPresent();
  }

  @Test
  void numbersThatAreEqualByChanceAreToldApartByTheNextShape() {
    stock.see(site("y[i*25] = x[i*25];"));
    Kernel square = kernel("y[i*31] = x[i*31];");
    Site other = site("y[i*25] = x[i*31];");
    assertThat(square.arguments()).isEqualTo(1);
    assertThat(stock.find(other)).isEmpty();
    Kernel any = stock.make(other, "add");
    stock.add(any);
    assertThat(any.arguments(other)).containsExactly(25L, 31L);
    assertThat(stock.find(site("y[i*6] = x[i*5];"))).contains(any);
    assertThat(stock.find(site("y[i*6] = x[i*6];"))).contains(square);
  }

  @Test
  void numbersOfTheLanguageItselfAreNoArguments() {
    stock.see(site("float acc[16]; acc[0] = @load(8, 0, x); float4 v4 = 1;"));
    Kernel kernel = stock.make(site("float acc[32]; acc[0] = @load(8, 0, x); float4 v4 = 1;"), "a");
    assertThat(kernel.arguments()).isZero();
  }

  @Test
  void aVariableHasTheTypeOfTheNumberThatItStandsFor() {
    stock.see(site("a = 1 + 1L + 1u + 1UL + 1.5f;"));
    Kernel kernel = stock.make(site("a = 2 + 2L + 2u + 2UL + 2.5f;"), "a");
    assertThat(kernel.statements(0))
        .isEqualTo(
            """
              const int size0 = (int)o0;
              const long size1 = (long)o1;
              const uint size2 = (uint)o2;
              const ulong size3 = o3;
              const float size4 = @floatOf((uint)o4);
            a = size0 + size1 + size2 + size3 + size4;\
            """);
    assertThat(kernel.arguments(site("a = 3 + 4L + 5u + 6UL + 7.5f;")))
        .containsExactly(3L, 4L, 5L, 6L, (long) Float.floatToRawIntBits(7.5f));
  }
}
