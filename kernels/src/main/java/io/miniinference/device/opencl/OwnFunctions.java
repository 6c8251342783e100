package io.miniinference.device.opencl;

import static org.jocl.CL.CL_PLATFORM_VERSION;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// The functions of OpenCL C that kernels here use, declared ahead of a program in the place of
/// PoCL's 18,000 lines, which take its compiler longer than most kernels (`docs/pocl.md`). PoCL
/// leaves its own out where the guard around them is defined.
///
/// A program that uses others is not built so; then it is built in the ordinary way.
final class OwnFunctions {
  /// In PoCL's form of the platform's version.
  private static final String TRIED = "PoCL 3.";

  private static final String OPTION = " -D_OPENCL_H_";
  private static final String TEXT = read("functions.h");

  private OwnFunctions() {}

  /// Whether a platform is one with which this was tried.
  static boolean suit(OpenClTarget target) {
    return target.isPocl() && Cl.text(target.platform(), CL_PLATFORM_VERSION).contains(TRIED);
  }

  /// A program with the declarations ahead of it. Lines are counted from its own first one.
  static String ahead(String source) {
    return TEXT + "#line 1\n" + source;
  }

  /// What such a program is built with.
  static String options(String options) {
    return options + OPTION;
  }

  private static String read(String name) {
    try (InputStream in = OwnFunctions.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
