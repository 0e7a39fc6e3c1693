// Reviews: the journal that survives whatever happens, the index of suggestions, what comes next, what the page gets.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/file.h"
#include "documents_example.h"
#include "mlpac/error.h"
#include "refusals.h"
#include "review/journal.h"
#include "review/requests.h"
#include "review/session.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

const std::string kData = "id,text,n,tags\na,\"one, two\",1,x\nb,\"line\nbreak\",2,\nc,three,3,y\n";
const std::string kList =
    "rank,row,id,label,probability,policy,critic,agreement\n1,1,b,x,0.9000,0.8000,0.7000,0.9000\n"
    "2,0,a,y,0.8000,0.8000,,\n3,2,c,x,0.5000,0.4000,0.1000,0.7000\n4,1,b,y,0.2500,0.4000,0.1000,0.7000\n";
const std::string kLines =
    R"({"rank":1,"row":1,"id":"b","label":"x","probability":0.9,"policy":0.8,"critic":0.7,"agreement":0.9})"
    "\n"
    R"({"rank":2,"row":0,"id":"a","label":"y","probability":0.8,"policy":0.8,"critic":null,"agreement":null})"
    "\n";

ReviewDecision decision(Verdict verdict, std::int64_t row, std::string label) {
  return {verdict, row, std::string(1, static_cast<char>('a' + row)), std::move(label), 0.5, "2026-11-16T03:00:00Z"};
}

class Review : public testing::Test {
 protected:
  Review() {
    write_text(folder_ / "data.csv", kData);
    write_text(folder_ / "list.csv", kList);
    read_.label_list = "tags";
    read_.id_column = "id";
  }
  Journal open_journal(std::int64_t instances = 3) const {
    return Journal(folder_ / "j.jsonl", {"list.csv", "data.csv", instances});
  }
  ReviewSession open(Journal& journal) const {
    return {SuggestionIndex(folder_ / "list.csv"), feature_instances(folder_ / "data.csv", read_), journal};
  }
  static nlohmann::json ask(ReviewSession& session, const ReviewRequest& request, int status = 200) {
    const auto response = answer(session, request);
    EXPECT_EQ(response.status, status) << response.body;
    return nlohmann::json::parse(response.body);
  }

  TemporaryFolder folder_;
  ReadOptions read_;
};

TEST_F(Review, IndexReadsBothFormats) {
  write_text(folder_ / "list.jsonl", kLines);
  const SuggestionIndex csv(folder_ / "list.csv");
  const SuggestionIndex lines(folder_ / "list.jsonl");
  ASSERT_EQ(csv.size(), 4);
  ASSERT_EQ(lines.size(), 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto a = csv.at(i);
    const auto b = lines.at(i);
    EXPECT_EQ(std::tie(a.row, a.id, a.label, a.probability, a.policy, a.critic),
              std::tie(b.row, b.id, b.label, b.probability, b.policy, b.critic));
  }
  EXPECT_EQ(csv.at(1).critic, std::nullopt);
  EXPECT_EQ(csv.label_names(), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(csv.of_row(1), (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(csv.find(2, "x"), 2);
  EXPECT_EQ(csv.find(2, "y"), std::nullopt);
}

TEST_F(Review, IndexRefusesWhatIsNoList) {
  const std::vector<std::pair<std::string, std::string>> bad{
      {"", "no suggestions"},
      {"a,b\n1,2\n", "no column row"},
      {kList.substr(0, kList.find('\n') + 1), "no suggestions behind"},
      {kList + "5,1,b,x,0.2,,,\n", "suggested twice"},
      {kList + "5,minus,b,z,0.2,,,\n", "row is no number"},
      {kLines + "{\"row\":1}\n", ":3: "},
      {kLines + "[1]\n", ":3: "}};
  for (const auto& [text, word] : bad) {
    write_text(folder_ / "bad", text);
    try {
      SuggestionIndex index(folder_ / "bad");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }
}

TEST_F(Review, DamagedFilesAreReadOrRefused) {
  constexpr std::array<std::string_view, 6> kPieces{"\n", "\"", "{", "}", ",", "null"};
  const auto journal =
      std::string(R"({"journal":"mlpac review","version":1,"suggestions":"s","data":"d","instances":3})") + "\n" +
      R"({"decision":"accept","row":1,"id":"b","label":"x","probability":0.5,"time":"t"})" + "\n" +
      R"({"decision":"undo","row":1,"id":"b","label":"x","probability":0.5,"time":"t"})" + "\n";
  const auto cwd = std::filesystem::current_path();
  std::filesystem::current_path(folder_ / "");
  for (const auto& text : {kList, kLines}) {
    expect_parsed_or_refused(text, 300, 7, kPieces, [&](const std::string& damaged) {
      write_text("fuzz", damaged);
      const SuggestionIndex index("fuzz");
      for (std::size_t i = 0; i < index.size(); ++i) index.at(i);
    });
  }
  expect_parsed_or_refused(journal, 300, 8, kPieces, [&](const std::string& damaged) {
    write_text("fuzz", damaged);
    read_journal("fuzz").standing();
  });
  std::filesystem::current_path(cwd);
}

TEST_F(Review, IndexNoticesAChangedFile) {
  const SuggestionIndex index(folder_ / "list.csv");
  std::string other = kList;
  other.replace(other.find("b,x"), 3, "b,z");
  write_text(folder_ / "list.csv", other);
  EXPECT_THROW(index.at(0), Error);
  write_text(folder_ / "list.csv", "");
  EXPECT_THROW(index.at(3), Error);
}

TEST_F(Review, DecisionsAreTakenBackInTurn) {
  ReviewDecisions decisions;
  EXPECT_EQ(decisions.take_back(), std::nullopt);
  decisions.add(decision(Verdict::accept, 1, "x"));
  decisions.add(decision(Verdict::reject, 0, "y"));
  decisions.add(decision(Verdict::reject, 1, "x"));
  EXPECT_EQ(decisions.verdict(1, "x"), Verdict::reject);
  EXPECT_EQ(decisions.standing().size(), 2);
  decisions.take_back();
  EXPECT_EQ(decisions.verdict(1, "x"), Verdict::accept);
  EXPECT_EQ(decisions.standing().front(), decision(Verdict::accept, 1, "x"));
}

TEST_F(Review, JournalSurvivesHalfALine) {
  {
    auto journal = open_journal();
    journal.add(decision(Verdict::accept, 1, "x"));
    journal.add(decision(Verdict::skip, 0, "y"));
    EXPECT_EQ(journal.undo()->verdict, Verdict::skip);
    journal.add(decision(Verdict::reject, 2, "x"));
  }
  const auto whole = read_file(folder_ / "j.jsonl");
  // Cut at every byte of the last line: it counts only when its end is there, and what is appended then is readable.
  const auto last = whole.rfind('\n', whole.size() - 2) + 1;
  for (std::size_t size = last; size < whole.size(); ++size) {
    write_text(folder_ / "j.jsonl", whole.substr(0, size));
    EXPECT_EQ(read_journal(folder_ / "j.jsonl").standing().size(), 1);
    {
      auto journal = open_journal();
      EXPECT_EQ(journal.repaired(), size > last);
      journal.add(decision(Verdict::accept, 0, "y"));
    }
    EXPECT_EQ(read_journal(folder_ / "j.jsonl").standing().back(), decision(Verdict::accept, 0, "y"));
  }
}

TEST_F(Review, JournalRefusesOthers) {
  auto journal = open_journal();
  EXPECT_THROW(open_journal(), Error);  // two processes
  write_text(folder_ / "other.jsonl", "{\"a\":1}\n");
  EXPECT_THROW(Journal(folder_ / "other.jsonl", {"s", "d", 3}), Error);
  EXPECT_THROW(read_journal(folder_ / "list.csv"), Error);
  EXPECT_THROW(Journal("/nonexistent/folder/j", {"s", "d", 3}), Error);
}

TEST_F(Review, JournalBelongsToItsData) {
  { auto journal = open_journal(); }
  EXPECT_THROW(open_journal(4), Error);
  for (const char* line :
       {"{}", "1", "{\"decision\":\"undo\"}", "{\"decision\":\"maybe\",\"row\":1}", "{\"decision\":3}"}) {
    auto text = read_file(folder_ / "j.jsonl");
    write_text(folder_ / "bad.jsonl", text + line + "\n");
    try {
      read_journal(folder_ / "bad.jsonl");
      ADD_FAILURE() << line;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("bad.jsonl:2: "), std::string::npos) << error.what();
    }
  }
}

TEST_F(Review, DecisionsChangeLabels) {
  Labels labels(2);
  labels.append({{0, kAnnotated}});
  labels.append({});
  labels.append({{1, kKnownNegative}});
  const std::vector<std::string> ids{"a", "b", "c"};
  const std::vector<std::string> names{"x", "y"};
  std::vector<ReviewDecision> made{decision(Verdict::accept, 1, "x"), decision(Verdict::reject, 0, "y"),
                                   decision(Verdict::skip, 1, "y"), decision(Verdict::accept, 2, "y")};
  for (const bool by_id : {false, true}) {
    const auto result =
        with_decisions(labels, made, {by_id ? std::span(ids) : std::span<const std::string>(), names}, "j");
    EXPECT_EQ(result.at(0, 0), kAnnotated);
    EXPECT_EQ(result.at(0, 1), kKnownNegative);
    EXPECT_EQ(result.at(1, 0), kAnnotated);
    EXPECT_EQ(result.at(1, 1), kUnknown);
    EXPECT_EQ(result.at(2, 1), kAnnotated);
  }
  // Rows that were reordered are found by their ids.
  const std::vector<std::string> reordered{"c", "a", "b"};
  EXPECT_EQ(with_decisions(labels, made, {reordered, names}, "j").at(2, 0), kAnnotated);
  made.push_back(decision(Verdict::accept, 7, "x"));
  EXPECT_THROW(with_decisions(labels, made, {{}, names}, "j"), Error);
  made.back() = decision(Verdict::reject, 1, "z");
  EXPECT_THROW(with_decisions(labels, made, {{}, names}, "j"), Error);
}

TEST_F(Review, SessionGoesThroughSuggestions) {
  auto journal = open_journal();
  auto session = open(journal);
  const ReviewFilter all;
  ReviewFilter only_y;
  only_y.label = 1;
  EXPECT_EQ(session.next(0, all), 0);
  session.decide(0, Verdict::accept);
  EXPECT_EQ(session.next(0, all), 1);
  EXPECT_EQ(session.next(2, only_y), 3);
  session.decide(3, Verdict::skip);
  EXPECT_EQ(session.next(2, only_y), 1);  // from the beginning again
  session.decide(1, Verdict::reject);
  EXPECT_EQ(session.next(0, only_y), std::nullopt);
  EXPECT_EQ(session.next(0, {std::nullopt, Verdict::skip}), 3);
  auto progress = session.progress(only_y);
  EXPECT_EQ(progress["all"], nlohmann::json::parse(R"({"open":1,"accepted":1,"rejected":1,"skipped":1,"total":4})"));
  EXPECT_EQ(progress["label"]["open"], 0);
  EXPECT_EQ(session.undo()->at, 1);
  EXPECT_EQ(session.next(0, only_y), 1);
  EXPECT_THROW(session.item(4), Error);
  EXPECT_THROW(session.decide(4, Verdict::accept), Error);
  EXPECT_THROW(session.next(0, {7, Verdict::open}), Error);
}

TEST_F(Review, SessionContinues) {
  {
    auto journal = open_journal();
    auto session = open(journal);
    session.decide(2, Verdict::reject);
    session.decide(0, Verdict::accept);
    session.decide(0, Verdict::reject);
  }
  auto journal = open_journal();
  auto session = open(journal);
  EXPECT_EQ(session.progress({})["all"]["rejected"], 2);
  EXPECT_EQ(session.undo()->at, 0);
  EXPECT_EQ(session.item(0)["verdict"], "accept");
  session.undo();
  EXPECT_EQ(session.next(0, {}), 0);
  session.undo();
  EXPECT_FALSE(session.undo().has_value());
}

TEST_F(Review, ItemsShowCells) {
  auto journal = open_journal();
  const auto item = open(journal).item(0);
  EXPECT_EQ(item["id"], "b");
  EXPECT_EQ(item["instance"]["columns"],
            nlohmann::json::parse(R"([["id", "b"], ["text", "line\nbreak"], ["n", "2"]])"));
  EXPECT_EQ(item["annotated"], nlohmann::json::array());
  EXPECT_EQ(item["others"][0]["label"], "y");
}

TEST_F(Review, OtherDataIsNoticed) {
  auto journal = open_journal();
  write_text(folder_ / "data.csv", "id,text,n,tags\na,t,1,x\nz,t,2,\nc,three,3,y\n");
  EXPECT_THROW(open(journal), Error);
  write_text(folder_ / "data.csv", "id,text,n,tags\na,t,1,x\n");
  EXPECT_THROW(open(journal), Error);
  write_text(folder_ / "data.csv", "id,text,n,tags\na,t,1,x\nb,t,2,x\nc,three,3,y\n");
  EXPECT_THROW(open(journal), Error);  // annotated already
}

TEST_F(Review, LargestValuesOfSparseRows) {
  write_text(folder_ / "d.svm", "0 1:0.5 3:-2 7:1\n1 2:1\n");
  write_text(folder_ / "l.csv", "rank,row,id,label,probability\n1,0,0,1,0.5\n");
  const auto instances = feature_instances(folder_ / "d.svm", {});
  const auto shown = instances->show({0, "0"});
  EXPECT_EQ(shown["kind"], "values");
  EXPECT_EQ(shown["all"], 3);
  EXPECT_EQ(shown["values"][0][1], -2);
  EXPECT_EQ(shown["values"][2][1], 0.5);
}

TEST_F(Review, PairsOfDocuments) {
  const auto instances = document_instances(example_documents(), example_relations());
  EXPECT_EQ(instances->size(), 6);
  const InstanceName name{0, "Bonn/2/1"};
  EXPECT_EQ(instances->annotated(name), (std::vector<std::string>{"P131", "P17"}));
  const auto shown = instances->show(name);
  EXPECT_EQ(shown["head"]["name"], "Old Bonn");
  EXPECT_EQ(shown["evidence"], nlohmann::json::parse("[0, 1]"));
  EXPECT_EQ(shown["both"], nlohmann::json::array());
  EXPECT_EQ(instances->show({0, "Bonn/0/1"})["both"], nlohmann::json::parse("[0]"));
  for (const char* bad : {"Bonn/0/0", "Bonn/0/3", "Bonn/0", "Bonn", "Rome/0/1", "Bonn/-1/1", "Bonn/x/1"}) {
    EXPECT_THROW(instances->show({0, bad}), Error) << bad;
  }
  EXPECT_EQ(parse_pair_id("A/B/1/2")->title, "A/B");
  write_text(folder_ / "rel_info.json", R"({"P17": "country", "P36": 3})");
  const auto named =
      document_instances(example_documents(), example_relations(), read_meanings(folder_ / "rel2id.json"));
  EXPECT_EQ(named->meaning("P17"), "country");
  EXPECT_EQ(named->meaning("P36"), "");
  write_text(folder_ / "rel_info.json", "[");
  EXPECT_TRUE(read_meanings(folder_ / "rel2id.json").empty());
}

TEST_F(Review, RequestsAndTheirMistakes) {
  auto journal = open_journal();
  auto session = open(journal);
  EXPECT_EQ(ask(session, {"GET", "next", {{"from", "0"}, {"label", ""}, {"show", "open"}}, ""})["item"]["at"], 0);
  const auto decided =
      ask(session, {"POST", "decide", {}, R"({"at":0,"verdict":"accept","label":null,"show":"open"})"});
  EXPECT_EQ(decided["item"]["at"], 1);
  EXPECT_EQ(decided["progress"]["all"]["accepted"], 1);
  EXPECT_EQ(ask(session, {"POST", "undo", {}, "{}"})["item"]["at"], 0);
  ask(session, {"POST", "undo", {}, "{}"}, 409);
  ask(session, {"GET", "nothing", {}, ""}, 404);
  ask(session, {"GET", "page.html", {}, ""}, 404);
  ask(session, {"GET", "picture", {{"at", "0"}}, ""}, 404);
  ask(session, {"PUT", "decide", {}, "{}"}, 405);
  ask(session, {"GET", "item", {{"at", "9"}}, ""}, 422);
  ask(session, {"GET", "item", {{"at", "-1"}}, ""}, 400);
  ask(session, {"GET", "item", {}, ""}, 400);
  ask(session, {"GET", "next", {{"label", "9"}}, ""}, 422);
  ask(session, {"GET", "next", {{"label", "99999999999"}}, ""}, 400);
  ask(session, {"GET", "next", {{"show", "all"}}, ""}, 400);
  for (const char* body :
       {"", "[]", "{", "{\"at\":0}", R"({"at":0,"verdict":"open"})", R"({"at":0.5,"verdict":"accept"})",
        R"({"at":[],"verdict":"accept"})", R"({"verdict":"accept"})"}) {
    ask(session, {"POST", "decide", {}, body}, 400);
  }
  EXPECT_EQ(answer(session, {"GET", "", {}, ""}).type, "text/html; charset=utf-8");
  EXPECT_NE(answer(session, {"GET", "page.js", {}, ""}).body.find("decide"), std::string::npos);
}

}  // namespace
}  // namespace mlpac
