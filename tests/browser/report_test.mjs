// The pages of `mlpac report` and `mlpac experiment` as people see them: charts hold the data, values show on hover and
// by keyboard, tables sort, nothing is fetched, and everything fits a phone.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { Browser, check, skip } from "./browser.mjs";

const program = process.env.MLPAC ?? skip("MLPAC names no program");
const folder = mkdtempSync(join(tmpdir(), "mlpac-report-"));
const mlpac = (...words) => execFileSync(program, words, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] }).toString();

function make_run_pages() {
  mlpac("generate", "--rows", "300", "--test-rows", "200", "--features", "12", "--classes", "6", "--positives", "1.5", "--out", "data");
  for (const method of ["mlpac", "negative"]) {
    mlpac("train", "--train", "data/train.arff", "--labels", "data/labels.xml", "--test", "data/test.arff", "--method", method,
      "--ratio", "0.3", "--epochs", "4", "--pretrain-epochs", "2", "--widths", "16", "--batch", "32", "--candidates", "4",
      "--device", "cpu", "--quiet", "--out", method);
  }
  mlpac("report", "mlpac", "--out", "one.html");
  mlpac("report", "mlpac", "negative", "--out", "two.html");
}

// A program that only pretends to train: the report is what is looked at here.
function make_experiment_page() {
  writeFileSync(join(folder, "pretend"), `#!/usr/bin/env bash
ratio=0 seed=0 method=x
while [ $# -gt 0 ]; do case $1 in --ratio) ratio=$2 ;; --seed) seed=$2 ;; --method) method=$2 ;; esac; shift; done
f1=$((\${ratio#0.} * 7 + seed + \${#method}))
echo "{\\"test\\": {\\"precision\\": 50.0, \\"recall\\": 60.0, \\"f1\\": $f1.5, \\"map\\": 40.0}, \\"critic\\": null,
 \\"selection\\": {\\"rule\\": \\"estimated-f1\\", \\"epoch\\": 3, \\"phase\\": \\"mlpac\\", \\"w\\": 20, \\"threshold\\": 0.5, \\"score\\": 1.25},
 \\"seconds\\": {\\"total\\": 2.0, \\"train\\": 1.0}, \\"version\\": \\"9.9\\"}"
`);
  chmodSync(join(folder, "pretend"), 0o755);
  mkdirSync(join(folder, "plans/paper"), { recursive: true });
  const record = (method, ratio, value) => ({ table: "t", method, ratio, metric: "F1", value });
  writeFileSync(join(folder, "plans/paper.json"), JSON.stringify({ records: [record("MLPAC", 0.1, 9), record("MLPAC", 0.5, 41), record("MLPAC", 0.9, 66)] }));
  writeFileSync(join(folder, "plans/paper/shares.json"), JSON.stringify({
    name: "shares", title: "F1 and shares", axes: { method: ["method"], ratio: ["ratio"], seed: ["seed"] },
    paper: { tables: ["t"], methods: { mlpac: "MLPAC" } },
    groups: [{ name: "all", method: ["mlpac", "negative"], ratio: [0.1, 0.5, 0.9], seed: [0, 1, 2] }],
    report: [{ kind: "compare", title: "F1", where: {} }, { kind: "details", title: "All metrics", where: {} },
      { kind: "differences", title: "Differences", where: {}, method: "mlpac", others: ["negative"] }],
  }));
  execFileSync(program, ["experiment", "run", "shares", "--plans", "plans", "--device", "cpu", "--out", "report", "--quiet"],
    { cwd: folder, env: { ...process.env, MLPAC: join(folder, "pretend") }, stdio: ["ignore", "pipe", "inherit"] });
}

const browser = await Browser.start();
const open = (name, options) => browser.open(pathToFileURL(join(folder, name)).href, options);

/// Every chart has drawn every line and bar that its data has.
async function check_charts(view, name) {
  const charts = await view.page.$$eval(".chart", (figures) => figures.map((figure) => {
    const chart = JSON.parse(figure.querySelector("script").textContent);
    const values = (series) => series.y.filter((y, i) => y !== null && (!chart.log || series.x[i] > 0)).length;
    return {
      title: chart.title,
      wanted: chart.series.map((series) => [series.name, values(series)]),
      drawn: [...figure.querySelectorAll("svg [data-series]")].map((group) => [group.dataset.series,
        chart.categories ? group.querySelectorAll("rect").length : (group.querySelector("path").getAttribute("d").match(/[ML]/g) ?? []).length]),
      broken: figure.querySelector("svg").innerHTML.includes("NaN"),
    };
  }));
  check(charts.length > 0, `${name}: no charts`);
  for (const chart of charts) {
    check(!chart.broken, `${name}: ${chart.title}: NaN in the drawing`);
    check(JSON.stringify(chart.wanted) === JSON.stringify(chart.drawn),
      `${name}: ${chart.title}: ${JSON.stringify(chart.drawn)} is drawn of ${JSON.stringify(chart.wanted)}`);
  }
  return charts;
}

async function check_hover(view, title) {
  const figure = view.page.locator(".chart", { has: view.page.locator("figcaption", { hasText: title }) }).first();
  await figure.scrollIntoViewIfNeeded();
  const chart = JSON.parse(await figure.locator("script").textContent());
  const box = await figure.locator("svg").boundingBox();
  await view.page.mouse.move(box.x + box.width * 0.98, box.y + box.height * 0.4);
  const tip = figure.locator(".tip");
  check(await tip.isVisible(), `${title}: nothing shows on hover`);
  const last = chart.series.find((series) => !series.behind);
  const value = last.y.findLast((y) => y !== null);
  check((await tip.textContent()).includes(value.toFixed(2)) || (await tip.textContent()).includes(value.toFixed(1)) || (await tip.textContent()).includes(String(value)),
    `${title}: ${value} is not in '${await tip.textContent()}'`);
  await view.page.mouse.move(0, 0);
  check(!(await tip.isVisible()), `${title}: the values stay`);
  await figure.locator("svg").focus();
  await view.page.keyboard.press("ArrowRight");
  check(await tip.isVisible(), `${title}: arrow keys show nothing`);
  await view.page.keyboard.press("Escape");
  if (chart.series.length > 1) {
    const button = figure.locator(".legend button").first();
    await button.click();
    check((await figure.locator("svg [data-series]").count()) === chart.series.length - 1, `${title}: a line cannot be hidden`);
    await button.click();
  }
  await figure.locator("summary").click();
  await figure.locator("details tbody tr").first().waitFor({ timeout: 5000 }); // the data below the chart
  await figure.locator("summary").click();
}

/// A click sorts by number, another one the other way round.
async function check_sorting(view, caption, column) {
  const table = view.page.locator("table", { has: view.page.locator("caption", { hasText: caption }) }).first();
  const index = (await table.locator("thead th").allTextContents()).findIndex((text) => text.trim() === column);
  check(index >= 0, `${caption}: no column ${column}`);
  const head = table.locator("thead th").nth(index);
  const values = async () => (await table.locator("tbody tr").evaluateAll((rows, i) => rows.map((row) => row.cells[i].dataset.value), index))
    .filter((value) => value !== undefined).map(Number);
  const before = await values();
  check(before.length > 1, `${caption}: too few numbers in ${column}`);
  for (const [order, sign] of [["ascending", 1], ["descending", -1]]) {
    await head.locator("button").click();
    check((await head.getAttribute("aria-sort")) === order, `${caption}: aria-sort`);
    const found = await values();
    check(JSON.stringify(found) === JSON.stringify([...before].sort((a, b) => sign * (a - b))), `${caption}: ${found} is not ${order}`);
  }
}

try {
  make_run_pages();
  make_experiment_page();
  const pages = { one: "one.html", two: "two.html", experiment: "report/shares.html" };
  for (const [name, file] of Object.entries(pages)) {
    for (const [look, options] of Object.entries({ desktop: {}, phone: { width: "phone" }, dark: { dark: true } })) {
      const view = await open(file, options);
      await check_charts(view, `${name} ${look}`);
      await view.check();
      view.check_requests("file:");
      await view.screenshot(`report-${name}-${look}`, { whole: true });
      await view.close();
    }
  }
  const one = await open("one.html");
  const titles = (await check_charts(one, "one")).map((chart) => chart.title);
  for (const wanted of ["Precision, recall and F1", "Local reward", "Loss of the critic", "Enhanced labels", "Score versus w", "Classes"]) {
    check(titles.some((title) => title.startsWith(wanted)), `no chart '${wanted}' in ${titles.join(", ")}`);
  }
  await check_hover(one, "Precision, recall and F1");
  await check_hover(one, "Score versus w");
  await check_sorting(one, "Classes of", "F1");
  const result = JSON.parse(readFileSync(join(folder, "mlpac/result.json"), "utf8"));
  check((await one.page.locator(".figures").textContent()).includes(result.test.f1.toFixed(1)), "the F1 of the run is not on its page");
  await one.page.emulateMedia({ media: "print" });
  await one.screenshot("report-one-print", { whole: true });
  await one.check();
  await one.close();
  const two = await open("two.html");
  await check_sorting(two, "Test labels", "F1");
  check((await two.page.locator("table", { hasText: "Options that differ" }).textContent()).includes("method"), "the method differs");
  await two.close();
  const experiment = await open("report/shares.html");
  const chart = (await check_charts(experiment, "experiment"))[0];
  check(JSON.stringify(chart.wanted) === JSON.stringify([["mlpac", 3], ["negative", 3], ["mlpac, paper", 3]]), JSON.stringify(chart.wanted));
  await check_hover(experiment, "F1 versus share");
  await check_sorting(experiment, "All metrics", "F1");
  await experiment.close();
} finally {
  await browser.stop();
  rmSync(folder, { recursive: true });
}
