// mlpac review as people use it, in a browser: 200 decisions by keyboard, a reload, the program killed in between, undo,
// the copy with exactly the accepted labels; a narrow screen, a dark one, and no error on the console.
//
//   MLPAC=build/release/bin/mlpac node tests/browser/review_test.mjs     SCREENSHOTS=folder keeps pictures of the page
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { Browser, check, skip } from "./browser.mjs";

const program = process.env.MLPAC ?? "build/release/bin/mlpac";
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "mlpac-review-"));
const kDecisions = 200;
const started = [];

function options(...more) {
  return ["review", join(folder, "list.csv"), "--data", join(folder, "data.csv"), "--label-list", "topics", "--id", "ticket", ...more];
}

/// Starts the program and waits for its address.
function start() {
  const child = spawn(program, options(), { stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  let errors = "";
  child.stderr.on("data", (data) => (errors += data));
  return new Promise((resolve, reject) => {
    child.stdout.once("data", (data) => resolve({ child, address: String(data).trim() }));
    child.once("exit", () => {
      if (errors.includes("built without cpp-httplib")) skip("the program was built without cpp-httplib");
      reject(new Error(`mlpac review ended: ${errors}`));
    });
  });
}

function kill(child) {
  return new Promise((resolve) => {
    child.removeAllListeners("exit");
    child.once("exit", resolve);
    child.kill("SIGKILL");
  });
}

const rows = (path) => {
  const script = "import csv, json, sys; print(json.dumps(list(csv.DictReader(open(sys.argv[1])))))";
  return JSON.parse(execFileSync("python3", ["-c", script, path], { maxBuffer: 1 << 26 }));
};
const labels = (path) => new Set(rows(path).flatMap(({ ticket, topics }) => topics.split("|").filter(Boolean).map((label) => `${ticket} ${label}`)));

const at = (page) => page.evaluate(() => document.body.dataset.at);

/// Presses a key and waits for what it does.
async function press(page, key) {
  const before = await at(page);
  await page.keyboard.press(key);
  await page.waitForFunction((old) => document.body.dataset.at !== old, before);
}

const expected = new Map(); // by number of the suggestion
const keys = { accept: "a", reject: "r", skip: "s" };

/// Decides about the suggestion that is shown, in an order that has a bit of everything.
async function decide(page, number) {
  const verdict = ["accept", "reject", "accept", "skip", "reject", "accept", "accept"][number % 7];
  expected.set(Number(await at(page)), verdict);
  await press(page, keys[verdict]);
}

async function main(browser) {
  execFileSync("python3", [join(here, "../cli/review_data.py"), folder, "300"]);
  let { child, address } = await start();
  let view = await browser.open(address);
  let page = view.page;
  const ready = () => page.waitForFunction(() => document.body.dataset.at !== undefined);
  await ready();
  check((await page.textContent("#name")) !== "", "no suggestion is shown");
  check((await page.textContent(".cells")).includes("<b>marks</b>"), "text of the data is not shown as it is");
  await view.screenshot("review-desktop");

  // A hundred decisions, some of them taken back; a reload goes on where it was.
  let number = 0;
  for (; number < 60; ++number) await decide(page, number);
  for (let i = 0; i < 3; ++i) {
    await press(page, "u");
    expected.delete(Number(await at(page)));
  }
  await page.reload();
  await ready();
  check((await page.textContent("#progress")).startsWith("57 of 300 decided"), await page.textContent("#progress"));
  for (; number < 100; ++number) await decide(page, number);

  // Killed at once after a decision, which must not be lost.
  await view.check();
  view.check_requests(new URL(address).origin);
  await kill(child);
  await page.keyboard.press("a");
  await page.waitForSelector("#message:not([hidden])");
  check((await page.textContent("#message")).includes("no decision is lost"), "nothing says that the program is gone");
  await view.close();
  ({ child, address } = await start());
  view = await browser.open(address, { width: "phone", dark: true });
  page = view.page;
  await ready();
  check((await page.textContent("#progress")).startsWith("97 of 300 decided"), await page.textContent("#progress"));
  await view.screenshot("review-phone-dark");
  await view.check();
  const small = await page.evaluate(() => [...document.querySelectorAll(".buttons button")].filter((b) => b.getBoundingClientRect().height < 44 || b.getBoundingClientRect().bottom > innerHeight).length);
  check(small === 0, "buttons are too small for a finger, or not on the screen");

  // Undo reaches behind the kill; clicks decide as keys do.
  await press(page, "u");
  expected.delete(Number(await at(page)));
  expected.set(Number(await at(page)), "reject");
  const before = await at(page);
  await page.click("#reject");
  await page.waitForFunction((old) => document.body.dataset.at !== old, before);
  for (; expected.size < kDecisions; ++number) await decide(page, number);
  await view.check();

  // Only one label, and what was skipped.
  await page.selectOption("#label", { index: 2 });
  await page.waitForFunction(() => document.querySelector("#progress").textContent.includes("of this label"));
  const wanted = (await page.textContent("#label option:checked")).replace(/ \(.*/, "");
  await page.waitForFunction((label) => document.querySelector("#name").textContent === label, wanted);
  await page.reload();
  await ready();
  check((await page.textContent("#name")) === wanted, "the filter is lost by a reload");
  // Both filters are changed before the answer to the first is there.
  await page.route("**/next?*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    await route.continue();
  });
  await page.selectOption("#label", "");
  await page.selectOption("#show", "skip");
  await page.waitForFunction(() => document.querySelector("#scores").textContent.includes("now skipped"));
  await page.unroute("**/next?*");
  await view.check();
  await view.close();

  // The same at the width of a desktop in the dark: what a person sees who continues.
  view = await browser.open(address, { dark: true });
  await view.page.waitForFunction(() => document.body.dataset.at !== undefined);
  await view.screenshot("review-desktop-dark");
  const nameless = await view.page.evaluate(() =>
    [...document.querySelectorAll("button, select, img, section, [role]")].filter((node) => {
      const label = node.closest("label");
      return !(node.ariaLabel || node.alt || node.textContent.trim() || label?.textContent.trim());
    }).map((node) => node.outerHTML));
  check(nameless.every((html) => html.includes("role=\"alert\"")), `without a name: ${nameless}`);
  await view.check();
  await view.close();
  child.removeAllListeners("exit");
  child.kill("SIGINT");

  // Exactly what was accepted is in the copy.
  const copy = join(folder, "better.csv");
  const result = spawnSync(program, options("--export", copy), { encoding: "utf8" });
  check(result.status === 0, result.stderr);
  const suggested = rows(join(folder, "list.csv")).map(({ id, label }) => `${id} ${label}`);
  const accepted = [...expected].filter(([, verdict]) => verdict === "accept").map(([i]) => suggested[i]).sort();
  const old = labels(join(folder, "data.csv"));
  const added = [...labels(copy)].filter((label) => !old.has(label)).sort();
  check(accepted.length > 50 && JSON.stringify(added) === JSON.stringify(accepted), `${added.length} labels were added, ${accepted.length} accepted`);
  check([...old].every((label) => labels(copy).has(label)), "the copy lacks labels of the data");
  const lines = readFileSync(join(folder, "list.csv.decisions.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  check(lines.filter(({ decision }) => decision && decision !== "undo").length >= kDecisions, "the journal lacks decisions");
}

const browser = await Browser.start();
try {
  await main(browser);
} finally {
  for (const child of started) {
    child.removeAllListeners("exit");
    child.kill("SIGKILL");
  }
  await browser.stop();
  rmSync(folder, { recursive: true });
}
