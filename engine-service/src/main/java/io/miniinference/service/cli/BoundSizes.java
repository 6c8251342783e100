package io.miniinference.service.cli;

import io.miniinference.runtime.RequestShape;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/// The largest sizes that bounds allow, for which a load takes room.
///
/// @param sizes by symbol
record BoundSizes(Map<String, Long> sizes) implements PlannedSizes {

  @Override
  public String text() {
    return String.format(
        Locale.ROOT,
        "open sizes: planned for %s, the largest that the bounds allow; a load takes room for it (--dim NAME=VALUE plans others)%n",
        RequestShape.text(sizes));
  }

  @Override
  public String jsonFields() {
    return "\"dimensions\":%s,\"bounds\":true"
        .formatted(JsonMapper.builder().build().writeValueAsString(sizes));
  }
}
