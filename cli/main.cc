#include "cli/command.h"
#include "cli/processor.h"

int main(int argc, char** argv) {
  mlpac::cli::use_processor(argc, argv);
  return mlpac::cli::dispatch(argc, argv);
}
