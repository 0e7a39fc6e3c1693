// A file is either the old one or the new one, complete: what makes checkpoints safe against full disks and kills.
#include "core/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>

#include "mlpac/error.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST(AtomicWrite, WritesAndReplaces) {
  const TemporaryFolder folder;
  const auto path = folder / "state";
  write_file_atomically(path, "first, and longer than the second");
  write_file_atomically(path, "second");
  EXPECT_EQ(read_file(path), "second");
  EXPECT_EQ(files_in(path.parent_path()), 1U);  // no temporary file is left
}

TEST(AtomicWrite, JoinsPiecesAndKeepsEveryByte) {
  const TemporaryFolder folder;
  const std::string zeros("a\0b\r\n\xff", 6);
  const std::array<std::string_view, 4> pieces{zeros, "", "tail", zeros};
  write_file_atomically(folder / "state", pieces);
  EXPECT_EQ(read_file(folder / "state"), zeros + "tail" + zeros);
  write_file_atomically(folder / "state", "");
  EXPECT_EQ(read_file(folder / "state"), "");
}

TEST(AtomicWrite, LargerThanOneReadChunk) {
  const TemporaryFolder folder;
  std::string big(3'000'001, 'x');
  for (std::size_t i = 0; i < big.size(); i += 97) big[i] = static_cast<char>(i % 251);
  write_file_atomically(folder / "big", big);
  EXPECT_TRUE(read_file(folder / "big") == big);
}

TEST(AtomicWrite, MissingFolderIsAnErrorThatNamesTheFile) {
  const TemporaryFolder folder;
  const auto path = folder / "nowhere" / "state";
  const auto message = error_of([&] { write_file_atomically(path, "x"); });
  EXPECT_NE(message.find(path.string()), std::string::npos);
  EXPECT_NE(message.find("No such file"), std::string::npos);
  EXPECT_EQ(files_in(path.parent_path().parent_path()), 0U);
}

TEST(AtomicWrite, AFolderIsNotReplaced) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "taken");
  write_text(folder / "taken" / "inside", "kept");
  EXPECT_THROW(write_file_atomically(folder / "taken", "x"), Error);
  EXPECT_EQ(read_file(folder / "taken" / "inside"), "kept");
  EXPECT_EQ(files_in((folder / "taken").parent_path()), 1U);
}

TEST(AtomicWrite, AFullDiskKeepsTheOldFile) {
  const TemporaryFolder folder;
  const auto path = folder / "state";
  write_file_atomically(path, "old content");
  // The size limit stands in for a full disk. It concerns the whole process, so a child does the writing.
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);  // the write then fails with an error, as on a full disk
    const rlimit limit{1000, 1000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(3);
    try {
      write_file_atomically(path, std::string(5000, 'n'));
    } catch (const Error& error) {
      const std::string_view message = error.what();
      ::_exit(message.find("cannot write") != std::string_view::npos ? 0 : 2);
    }
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(read_file(path), "old content");
  EXPECT_EQ(files_in(path.parent_path()), 1U);
}

TEST(ReadFile, ErrorsSayWhy) {
  const TemporaryFolder folder;
  EXPECT_NE(error_of([&] { read_file(folder / "none"); }).find("No such file"), std::string::npos);
  fs::create_directory(folder / "sub");
  EXPECT_NE(error_of([&] { read_file(folder / "sub"); }).find("it is a folder"), std::string::npos);
}

TEST(ReadFile, ReadsWhatIsNoRegularFile) {
  EXPECT_EQ(read_file("/dev/null"), "");
  EXPECT_FALSE(read_file("/proc/self/status").empty());  // its size is said to be 0
}

TEST(AppendLine, AddsLinesAndReportsFailure) {
  const TemporaryFolder folder;
  append_line(folder / "log", "one");
  append_line(folder / "log", "");
  append_line(folder / "log", "two");
  EXPECT_EQ(read_file(folder / "log"), "one\n\ntwo\n");
  EXPECT_NE(error_of([&] { append_line(folder / "no" / "log", "x"); }).find("cannot append"), std::string::npos);
  EXPECT_THROW(append_line("/dev/full", "x"), Error);
}

TEST(CreateFolder, MakesParentsAndAcceptsWhatExists) {
  const TemporaryFolder folder;
  create_folder(folder / "a" / "b" / "c");
  create_folder(folder / "a" / "b" / "c");
  EXPECT_TRUE(fs::is_directory(folder / "a" / "b" / "c"));
  write_text(folder / "file", "x");
  EXPECT_NE(error_of([&] { create_folder(folder / "file" / "sub"); }).find("cannot create the folder"),
            std::string::npos);
}

}  // namespace
}  // namespace mlpac
