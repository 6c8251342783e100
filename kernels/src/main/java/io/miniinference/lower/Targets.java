package io.miniinference.lower;

import io.miniinference.device.DeviceInfo;
import io.miniinference.lower.TargetProvider.Fit;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/// The targets that are there.
public final class Targets {
  /// In place of a name: the one that suits a device best.
  public static final String AUTO = "auto";

  private static final List<TargetProvider> PROVIDERS =
      ServiceLoader.load(TargetProvider.class, Targets.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .sorted(Comparator.comparing(TargetProvider::name))
          .toList();

  private Targets() {}

  /// All of them, by name.
  public static List<TargetProvider> all() {
    return PROVIDERS;
  }

  /// The target of that name.
  ///
  /// @throws IllegalArgumentException if there is none, with those that there are
  public static Target<?> named(String name) {
    return named(name, Precision.F32);
  }

  /// The target of that name, for devices that have all that it can use.
  ///
  /// @param precision how exact products must be
  /// @throws IllegalArgumentException if there is none, with those that there are
  public static Target<?> named(String name, Precision precision) {
    return PROVIDERS.stream()
        .filter(provider -> provider.name().equals(name))
        .findFirst()
        .<Target<?>>map(provider -> provider.target(precision))
        .orElseThrow(
            () -> new IllegalArgumentException("no target '" + name + "': " + names(PROVIDERS)));
  }

  /// The target for a device.
  ///
  /// @param name which, or [#AUTO]
  /// @param precision how exact products must be
  /// @throws IllegalArgumentException if none of that name runs there, with those that do
  public static Target<?> of(DeviceInfo device, String name, Precision precision) {
    List<TargetProvider> running =
        PROVIDERS.stream().filter(provider -> provider.fit(device) != Fit.NONE).toList();
    return running.stream()
        .filter(provider -> name.equals(AUTO) || provider.name().equals(name))
        .max(Comparator.comparing(provider -> provider.fit(device)))
        .<Target<?>>map(provider -> provider.target(device, precision))
        .orElseThrow(() -> missing(device, name, running));
  }

  private static IllegalArgumentException missing(
      DeviceInfo device, String name, List<TargetProvider> running) {
    return new IllegalArgumentException(
        "no kernels '%s' for the device '%s': %s, %s"
            .formatted(name, device.name(), AUTO, names(running)));
  }

  private static String names(List<TargetProvider> providers) {
    return String.join(", ", providers.stream().map(TargetProvider::name).toList());
  }
}
