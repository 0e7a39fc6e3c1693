// How fast the page of mlpac review is with many suggestions: start, memory, first paint, next item; prints JSON.
//
//   MLPAC=build/release/bin/mlpac node bench/review_page.mjs [SUGGESTIONS]     (1 000 000 if not given)
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { Browser } from "../tests/browser/browser.mjs";

const program = process.env.MLPAC ?? "build/release/bin/mlpac";
const count = process.argv[2] ?? "1000000";
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "mlpac-bench-review-"));
const kItems = 200;

const memory = (pid, field) => Number(readFileSync(`/proc/${pid}/status`, "utf8").match(new RegExp(`${field}:\\s+(\\d+)`))[1]) / 1024;
const quantile = (values, q) => values.sort((a, b) => a - b)[Math.floor(q * (values.length - 1))];

execFileSync("python3", [join(here, "../tests/cli/review_data.py"), folder, count]);
const began = performance.now();
const child = spawn(program, ["review", join(folder, "list.csv"), "--data", join(folder, "data.csv"), "--label-list", "topics", "--id", "ticket"]);
const address = await new Promise((resolve) => child.stdout.once("data", (data) => resolve(String(data).trim())));
const result = { suggestions: Number(count), file_mb: statSync(join(folder, "list.csv")).size / 1e6, start_s: (performance.now() - began) / 1000 };
const browser = await Browser.start();
try {
  const view = await browser.open(address);
  const { page } = view;
  await page.waitForFunction(() => document.body.dataset.at !== undefined);
  // From the request for the page to the first suggestion on the screen.
  result.first_paint_ms = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  result.first_item_ms = await page.evaluate(() => performance.now());
  // Within the page, from the key to what it draws: what a person waits for.
  const times = await page.evaluate(async (items) => {
    const times = [];
    for (let i = 0; i < items; ++i) {
      const before = document.body.dataset.at;
      const began = performance.now();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ars"[i % 3], bubbles: true }));
      while (document.body.dataset.at === before) await new Promise((resolve) => setTimeout(resolve, 0));
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return times;
  }, kItems);
  result.next_item_ms = { median: quantile(times, 0.5), p95: quantile(times, 0.95), slowest: Math.max(...times) };
  await page.selectOption("#label", { index: 3 });
  const filtered = performance.now();
  await page.waitForFunction(() => document.querySelector("#progress").textContent.includes("of this label"));
  result.filter_ms = performance.now() - filtered;
  result.memory_mb = memory(child.pid, "VmRSS");
  result.peak_memory_mb = memory(child.pid, "VmHWM");
  await view.check();
} finally {
  await browser.stop();
  child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
}
console.log(JSON.stringify(result, null, 2));
