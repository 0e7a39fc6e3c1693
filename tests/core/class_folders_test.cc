// Folders of classes: what is listed, in which order, and what is refused.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "mlpac/error.h"
#include "mlpac/image_table.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

namespace fs = std::filesystem;

void add(const fs::path& path) {
  fs::create_directories(path.parent_path());
  write_text(path, "x");
}

std::string refusal(const fs::path& folder) {
  try {
    list_class_folders(folder);
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find(folder.string()), 0U) << error.what();
    return error.what();
  }
  return "not refused";
}

#define EXPECT_REFUSED(folder, word) EXPECT_NE(refusal(folder).find(word), std::string::npos) << refusal(folder)

TEST(ClassFolders, AreSortedAndFiltered) {
  const TemporaryFolder folder;
  for (const char* const name : {"s/cat/b.jpg", "s/cat/a.PNG", "s/cat/C.Jpeg", "s/cat/notes.txt", "s/cat/.hidden.jpg",
                                 "s/Dog/1.jpg", "s/ant/x.jpeg", "s/.git/x.jpg", "s/readme.md", "s/loose.jpg"}) {
    add(folder / name);
  }
  const ClassFolders list = list_class_folders(folder / "s");
  EXPECT_EQ(list.class_names, (std::vector<std::string>{"Dog", "ant", "cat"}));
  EXPECT_EQ(list.classes, (std::vector<std::int32_t>{0, 1, 2, 2, 2}));
  EXPECT_EQ(list.files, (std::vector<fs::path>{folder / "s/Dog/1.jpg", folder / "s/ant/x.jpeg", folder / "s/cat/C.Jpeg",
                                               folder / "s/cat/a.PNG", folder / "s/cat/b.jpg"}));
}

TEST(ClassFolders, EmptyTreesAreRefused) {
  const TemporaryFolder folder;
  EXPECT_REFUSED(folder / "missing", "cannot be read");
  fs::create_directories(folder / "empty");
  EXPECT_REFUSED(folder / "empty", "has no sub-folders");
  add(folder / "files/a.jpg");
  EXPECT_REFUSED(folder / "files", "has no sub-folders");
  EXPECT_REFUSED(folder / "files/a.jpg", "cannot be read");
  add(folder / "s/cat/a.jpg");
  add(folder / "s/dog/a.gif");
  EXPECT_REFUSED(folder / "s", "dog: has no images");
}

TEST(ClassFolders, TheFolderAboveIsRefusedWithAHint) {
  const TemporaryFolder folder;
  add(folder / "train/cat/a.jpg");
  add(folder / "test/cat/a.jpg");
  EXPECT_REFUSED(folder / ".", "is a folder within the class 'test'");
}

TEST(ClassFolders, UnsortedImagesAreOneClassWithoutName) {
  const TemporaryFolder folder;
  add(folder / "all/b.jpg");
  add(folder / "all/a.png");
  const auto list = list_images(folder / "all");
  EXPECT_EQ(list.class_names, std::vector<std::string>{""});
  EXPECT_EQ(list.files.size(), 2U);
  EXPECT_EQ(list.files.front().filename(), "a.png");
  add(folder / "sorted/cat/a.jpg");
  EXPECT_EQ(list_images(folder / "sorted").class_names, std::vector<std::string>{"cat"});
  fs::create_directories(folder / "none");
  EXPECT_THROW(list_images(folder / "none"), Error);
}

TEST(ClassFolders, LinksAreFollowedButNotInCircles) {
  const TemporaryFolder folder;
  add(folder / "store/1.jpg");
  fs::create_directories(folder / "s");
  fs::create_directory_symlink(folder / "store", folder / "s/cat");
  fs::create_directories(folder / "s/dog");
  fs::create_symlink(folder / "store/1.jpg", folder / "s/dog/2.jpg");
  EXPECT_EQ(list_class_folders(folder / "s").files.size(), 2U);

  fs::create_symlink("3.jpg", folder / "s/dog/3.jpg");
  EXPECT_REFUSED(folder / "s", "3.jpg: cannot be read");
  fs::remove(folder / "s/dog/3.jpg");
  fs::create_symlink("nowhere", folder / "s/dog/4.jpg");
  EXPECT_REFUSED(folder / "s", "4.jpg: cannot be read");
  fs::remove(folder / "s/dog/4.jpg");
  fs::create_directory_symlink("..", folder / "s/dog/up");
  EXPECT_REFUSED(folder / "s", "up: is a folder within");
  fs::remove(folder / "s/dog/up");
  fs::create_directory_symlink(".", folder / "s/self");
  EXPECT_REFUSED(folder / "s", "is a folder within the class 'self'");
}

}  // namespace
}  // namespace mlpac
