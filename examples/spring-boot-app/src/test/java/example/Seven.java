package example;

import java.util.Arrays;

/** A bar at the top and a stroke from its right end down to the left. */
final class Seven {
  static float[] pixels() {
    float[] pixels = new float[28 * 28];
    for (int i = 0; i < 15; i++) {
      for (int thick = 0; thick < 3; thick++) {
        pixels[(5 + thick) * 28 + 6 + i] = 1;
        pixels[(7 + i) * 28 + 20 - i / 2 - thick] = 1;
      }
    }
    return pixels;
  }

  static String json() {
    return Arrays.toString(pixels());
  }
}
