package io.miniinference.plan.packing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RectangleFileTest {
  @TempDir Path folder;

  private List<Rectangle> read(String text) throws IOException {
    return RectangleFile.read(Files.writeString(folder.resolve("it.csv"), text));
  }

  @Test
  void aLineIsARectangle() throws IOException {
    assertThat(read("id,lower,upper,size\n0,3,9,4\nb,-2,1,0\n"))
        .containsExactly(new Rectangle(3, 9, 4), new Rectangle(-2, 1, 0));
  }

  @Test
  void columnsAreFoundByTheirNames() throws IOException {
    assertThat(read("\r\nSize, upper ,offset,lower\r\n4,9,7,3\r\n\r\n"))
        .containsExactly(new Rectangle(3, 9, 4));
  }

  @Test
  void aHeaderAloneIsNoRectangle() throws IOException {
    assertThat(read("id,lower,upper,size")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                               | line 1: the file is empty
          0,3,9,4                          | line 1: the header '0,3,9,4' must name 'lower', 'upper'
          id,lower,upper,upper,size        | line 1: the header
          id,lower,upper,size;0,3,9        | line 2: 3 cells where the header has 4
          id,lower,upper,size;0,3,9,4,5    | line 2: 5 cells where the header has 4
          id,lower,upper,size;;0,3,9,x     | line 3: size is 'x'; it must be a whole number from 0
          id,lower,upper,size;0,3,9,-1     | line 2: size is '-1'
          id,lower,upper,size;0,3,9,1.5    | line 2: size is '1.5'
          id,lower,upper,size;0,3,9,9999999999999 | line 2: size is '9999999999999'
          id,lower,upper,size;0,3,99999999999999999999,1 | line 2: upper is '99999999999999999999'
          id,lower,upper,size;0,,9,1       | line 2: lower is ''
          id,lower,upper,size;0,9,9,1      | line 2: lives from 9 to 9; upper is the first tick after
          """)
  void whatIsWrongIsToldWithItsLine(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(text.replace(';', '\n')))
        .withMessageContaining("it.csv, " + message);
  }

  @Test
  void aFileWithoutLinesIsNotReadWhole() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("x".repeat(100_000)))
        .withMessageContaining("line 1: longer than 4096 characters");
  }

  @Test
  void moreLinesThanCanBePackedAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("lower,upper,size\n" + "0,1,1\n".repeat(100_001)))
        .withMessageContaining("line 100002: more than 100000 rectangles");
  }
}
