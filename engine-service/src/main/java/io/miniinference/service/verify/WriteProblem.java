package io.miniinference.service.verify;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;

/// Why a file cannot be written, in words: what Java throws often has its path alone.
public final class WriteProblem {
  private WriteProblem() {}

  /// The reason, which follows what could not be written.
  public static String of(IOException e) {
    return switch (e) {
      case FileAlreadyExistsException _ -> "it is a file";
      case AccessDeniedException _ -> "this user has no right to";
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }
}
