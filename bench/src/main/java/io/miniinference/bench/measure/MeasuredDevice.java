package io.miniinference.bench.measure;

import io.miniinference.device.DeviceInfo;

/// The device that a suite measured.
///
/// @param kind of [DeviceInfo.Kind]
/// @param workers units that run launches side by side
public record MeasuredDevice(
    String kind, String name, String platform, String driver, int workers) {

  static MeasuredDevice of(DeviceInfo info) {
    return new MeasuredDevice(
        info.kind().name(), info.name(), info.platform(), info.driver(), info.workers());
  }

  String text() {
    return "%s (%s), driver %s%s"
        .formatted(name, platform, driver, workers == 1 ? "" : ", " + workers + " workers");
  }
}
