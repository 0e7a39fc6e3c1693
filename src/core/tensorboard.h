// TensorBoard event files: a TFRecord stream of Event messages, encoded by hand because the part of the formats that
// curves need is small. A file is event_file_header() followed by any number of scalar_events(); bytes are only ever
// appended. TensorBoard finds files whose name contains "tfevents".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mlpac {

/// The record every event file starts with. `wall_time` is in seconds since 1970.
std::string event_file_header(double wall_time);

/// One record with the values of several curves at one step; nothing if there are no values. Tags are UTF-8. The format
/// stores 32-bit floats: a value beyond their range becomes infinite.
std::string scalar_events(double wall_time, std::int64_t step,
                          const std::vector<std::pair<std::string, double>>& scalars);

/// One point of a curve.
struct ScalarEvent {
  double wall_time = 0;
  std::int64_t step = 0;
  std::string tag;
  float value = 0;
};

/// All points of an event file in their order. Lengths and both checksums of every record are verified; Error with
/// `source` and the place if anything is damaged, cut off or missing. Events that are no scalars are skipped.
std::vector<ScalarEvent> parse_events(std::string_view bytes, const std::string& source);

}  // namespace mlpac
