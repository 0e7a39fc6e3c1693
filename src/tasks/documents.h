// Relations between the entities of documents, when only some triples are annotated.
#pragma once

#include "tasks/task.h"

namespace mlpac {

Problem load_document_task(const Options& options);
Application apply_documents(const nlohmann::json& description, const Options& options, bool labels_required);
std::string pack_documents(const PackRequest& request);

}  // namespace mlpac
