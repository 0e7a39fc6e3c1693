// Libraries that are older than the processor use what it can do only if they are told.
#pragma once

namespace mlpac::cli {

/// Tells them, before their first kernel runs; may start the program anew, since some listen only while they are
/// loaded.
void use_processor(int argc, char** argv);

}  // namespace mlpac::cli
