package io.miniinference.service.describe;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A message as an object of JSON in Triton's form: under the names of its schema and in their
/// order, whole numbers as such, and with all fields but those whose absence says something.
public final class MessageJson {
  private MessageJson() {}

  public static Map<String, Object> of(Message message) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (!field.hasPresence() || message.hasField(field)) {
        object.put(field.getName(), value(field, message.getField(field)));
      }
    }
    return object;
  }

  private static Object value(FieldDescriptor field, Object value) {
    if (field.isMapField()) {
      return entries((List<?>) value);
    }
    return value instanceof List<?> all
        ? all.stream().map(one -> single(field, one)).toList()
        : single(field, value);
  }

  private static Map<String, Object> entries(List<?> entries) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (Object entry : entries) {
      var pair = (MapEntry<?, ?>) entry;
      Object value = pair.getValue();
      object.put(String.valueOf(pair.getKey()), value instanceof Message inner ? of(inner) : value);
    }
    return object;
  }

  private static Object single(FieldDescriptor field, Object value) {
    return switch (value) {
      case Message inner -> of(inner);
      case EnumValueDescriptor constant -> constant.getName();
      case Integer number when field.getType() == FieldDescriptor.Type.UINT32 ->
          Integer.toUnsignedLong(number);
      default -> value;
    };
  }
}
