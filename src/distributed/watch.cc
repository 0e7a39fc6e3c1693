#include "distributed/watch.h"

#ifdef MLPAC_GLOO

#include <fmt/format.h>

#include <cstdlib>

#include "core/log.h"
#include "distributed/rendezvous.h"

namespace mlpac {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kBeat = 500ms;
constexpr auto kSilence = 20s;       // without a sign of life a process is lost
constexpr auto kAlarmSilence = 4s;   // the same when communication has failed, which says that one is
constexpr auto kLongestWait = 25s;   // for a verdict
constexpr auto kGrace = 3s;          // for a process to end by itself once it is known that one is lost
constexpr auto kFarewell = 5s;       // that the store stays for others to say that they are done
constexpr auto kLastWords = 1500ms;  // the same after an error: for others to hear of it

constexpr const char* kVerdict = "verdict";
constexpr const char* kAlarm = "alarm";

std::string beat_key(int rank) { return fmt::format("beat/{}", rank); }
std::string done_key(int rank) { return fmt::format("done/{}", rank); }

std::vector<std::uint8_t> bytes(const std::string& text) { return {text.begin(), text.end()}; }
std::string text(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace

Watch::Watch(const Launch& launch, StorePointer store)
    : launch_(launch),
      store_(std::move(store)),
      signs_(static_cast<std::size_t>(launch.size), {0, Clock::now()}),
      thread_([this] { run(); }) {}

void Watch::run() {
  std::unique_lock lock(mutex_);
  auto told = Clock::time_point::max();
  while (!ended_) {
    if (verdict_.empty()) {
      const bool alarm = alarm_;
      lock.unlock();
      std::string verdict;
      try {
        store_->add(beat_key(launch_.rank), 1);
        if (alarm) store_->set(kAlarm, bytes("1"));
        verdict = look();
      } catch (const std::exception&) {
        verdict =
            launch_.launcher_keeps_store
                ? fmt::format("the launcher, which keeps the store at {}, does not answer", meeting_point(launch_))
                : "rank 0 was lost";
      }
      lock.lock();
      if (!verdict.empty()) {
        verdict_ = verdict;
        told = Clock::now();
        changed_.notify_all();
      }
    } else if (!heard_ && Clock::now() - told > kGrace) {
      // The process computes, or waits for one that waits itself: it would end late, or never. Files are whole at any
      // moment, as they are for a process that is killed.
      log_error(verdict_);
      std::_Exit(1);
    }
    changed_.wait_for(lock, kBeat);
  }
}

std::string Watch::look() {
  if (store_->check({kVerdict})) return text(store_->get(kVerdict));
  std::string verdict;
  // One looks after all; the others look after that one.
  for (int rank = launch_.rank == 0 ? 1 : 0; rank < (launch_.rank == 0 ? launch_.size : 1) && verdict.empty(); ++rank) {
    verdict = look_at(rank);
  }
  if (!verdict.empty()) announce(verdict);
  return verdict;
}

std::string Watch::look_at(int rank) {
  auto& [sign, when] = signs_[static_cast<std::size_t>(rank)];
  const auto now = Clock::now();
  if (const auto current = store_->add(beat_key(rank), 0); current != sign) {
    sign = current;
    when = now;
    return {};
  }
  const auto limit = store_->check({kAlarm}) ? Clock::duration(kAlarmSilence) : Clock::duration(kSilence);
  if (now - when < limit || store_->check({done_key(rank)})) return {};
  return fmt::format("rank {} was lost", rank);
}

void Watch::announce(const std::string& verdict) { store_->set(kVerdict, bytes(verdict)); }

std::string Watch::explain(const std::string& failure) {
  std::unique_lock lock(mutex_);
  alarm_ = true;
  changed_.notify_all();
  changed_.wait_for(lock, kLongestWait, [this] { return !verdict_.empty() || ended_; });
  heard_ = true;
  return verdict_.empty() ? "communication between the processes failed: " + failure : verdict_;
}

void Watch::fail() {
  {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    if (!verdict_.empty()) return;  // the error is another one's
  }
  try {
    announce(fmt::format("rank {} ended with an error", launch_.rank));
  } catch (const std::exception&) {  // whoever keeps the store has ended: nobody is left to be told
  }
}

Watch::~Watch() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
  try {
    store_->set(done_key(launch_.rank), bytes("1"));
    if (launch_.rank != 0 || launch_.launcher_keeps_store) return;
    const auto until = Clock::now() + (failed_ || !verdict_.empty() ? Clock::duration(kLastWords) : kFarewell);
    for (int rank = 1; rank < launch_.size; ++rank) {
      while (!store_->check({done_key(rank)}) && Clock::now() < until) std::this_thread::sleep_for(20ms);
    }
  } catch (const std::exception&) {
  }
}

}  // namespace mlpac

#endif
