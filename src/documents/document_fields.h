// Fields of a JSON document with errors that say which document and field: "x.json: document 3 ('Title'): labels[2].h
// is -1, expected ...".
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace mlpac {

/// The place of a document, for messages.
class DocumentFields {
 public:
  /// Element `number` of the file, called `what`, is an object with these `members`.
  DocumentFields(const std::string& source, std::size_t number, std::string_view what = "document",
                 std::string_view members = "title, sents, vertexSet and labels")
      : source_(source), number_(number), what_(what), members_(members) {}
  void set_title(std::string title) { title_ = std::move(title); }

  [[noreturn]] void fail(const std::string& field, const std::string& problem) const;

  /// The JSON value of a document or Error with the place where it is malformed.
  nlohmann::json parse(std::string_view text) const;

  const nlohmann::json& member(const nlohmann::json& object, const char* name, const std::string& field) const;
  const nlohmann::json& array(const nlohmann::json& value, const std::string& field, std::string_view of) const;
  std::string text(const nlohmann::json& value, const std::string& field) const;
  /// A whole number from `least` to `most`; `what` says what it counts.
  std::int32_t number(const nlohmann::json& value, const std::string& field, std::int64_t least, std::int64_t most,
                      std::string_view what) const;

 private:
  const std::string& source_;
  std::size_t number_;
  std::string_view what_;
  std::string_view members_;
  std::string title_;
};

}  // namespace mlpac
