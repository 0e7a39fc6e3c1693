// One suggestion after the other. All that counts is on the server: a reload, or another start of it, goes on where it was.
"use strict";

const by_id = (id) => document.getElementById(id);
const settings = { label: "", show: "open" };
let item = null;
let busy = false;
let stale = false; // a filter was changed while a request ran

function element(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

const percent = (value) => `${(100 * value).toFixed(value > 0.1 ? 0 : 1)} %`;

// ---- asking ----

async function ask(path, body) {
  const options = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("mlpac review does not answer. Start it again and open the address it prints; no decision is lost.");
  }
  const answer = await response.json().catch(() => ({ error: `answer ${response.status}` }));
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

const query = (values) => new URLSearchParams({ label: settings.label, show: settings.show, ...values }).toString();
const body = (values) => ({ label: settings.label === "" ? null : settings.label, show: settings.show, ...values });

/// Runs one request at a time: a key pressed while it runs would decide about something nobody has seen.
async function once(request) {
  if (busy) return;
  busy = true;
  try {
    const answer = await request();
    by_id("message").hidden = true;
    if (answer) draw(answer);
  } catch (error) {
    by_id("message").textContent = error.message;
    by_id("message").hidden = false;
  } finally {
    busy = false;
  }
  if (stale) show_next();
}

const decide = (verdict) => item && once(() => ask("decide", body({ at: item.at, verdict })));
const undo = () => once(() => ask("undo", body({})));
function show_next(from = 0) {
  stale = busy;
  return once(() => ask(`next?${query({ from })}`));
}

// ---- drawing ----

function draw_progress(progress) {
  const { all, label } = progress;
  const decided = all.total - all.open;
  const parts = by_id("bar").children;
  ["accepted", "rejected", "skipped"].forEach((name, i) => (parts[i].style.width = `${(100 * all[name]) / all.total}%`));
  by_id("bar").setAttribute("aria-valuenow", Math.round((100 * decided) / all.total));
  const count = (value) => value.toLocaleString("en");
  let text = `${count(decided)} of ${count(all.total)} decided: ${count(all.accepted)} accepted, ${count(all.rejected)} rejected, ${count(all.skipped)} skipped`;
  if (label) text += `; of this label ${count(label.total - label.open)} of ${count(label.total)}`;
  by_id("progress").textContent = text;
  by_id("undo").disabled = progress.undo === false;
}

function draw_table(columns) {
  const list = element("dl", { className: "cells" });
  for (const [name, value] of columns) {
    list.append(element("dt", {}, name), element("dd", { className: value.length > 40 ? "long" : "" }, value === "" ? "–" : value));
  }
  return [list];
}

function draw_values(instance) {
  const largest = Math.max(...instance.values.map(([, value]) => Math.abs(value ?? 0)), 1e-30);
  const table = element("table", { className: "values" });
  for (const [name, value] of instance.values) {
    const bar = element("span", { className: value < 0 ? "below" : "" });
    bar.style.width = `${(100 * Math.abs(value ?? 0)) / largest}%`;
    table.append(
      element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value === null ? "missing" : String(+value.toPrecision(4))),
        element("td", { className: "track" }, bar)));
  }
  const left = instance.all - instance.values.length;
  const note = left > 0 ? `The ${instance.values.length} largest values; ${left} more are not 0.` : "All values that are not 0, the largest first.";
  return [table, element("p", { className: "note" }, note)];
}

function draw_sentence(words, number, instance) {
  const marks = instance.mentions.filter(([sentence]) => sentence === number);
  const rank = (entity) => (entity === instance.head.entity ? 0 : entity === instance.tail.entity ? 1 : 2);
  const names = ["entity head", "entity tail", "entity"];
  const line = element("p", { className: "sentence" }, element("sup", {}, String(number + 1)), " ");
  if (instance.evidence.includes(number)) line.classList.add("evidence");
  if (instance.both.includes(number)) line.classList.add("both");
  for (let i = 0; i < words.length; ) {
    const here = marks.filter(([, begin]) => begin === i).sort((a, b) => rank(a[3]) - rank(b[3]) || b[2] - a[2])[0];
    const end = here ? here[2] : i + 1;
    const text = words.slice(i, end).join(" ");
    line.append(here ? element("span", { className: names[rank(here[3])] }, text) : text, " ");
    i = end;
  }
  return line;
}

function draw_document(instance) {
  const pair = element("p", { className: "pair" });
  const entity = (name, { name: text, type }) => element("span", { className: name }, type ? `${text} (${type})` : text);
  pair.append(entity("head", instance.head), " → ", entity("tail", instance.tail));
  const sentences = instance.sentences.map((words, number) => draw_sentence(words, number, instance));
  const note = element("p", { className: "note" }, "A line on the left marks sentences that name both entities",
    instance.evidence.length ? "; shaded ones are listed as evidence of the pair's annotated relations." : ".");
  return [pair, ...sentences, note];
}

function draw_instance(instance) {
  switch (instance.kind) {
    case "table": return draw_table(instance.columns);
    case "values": return draw_values(instance);
    case "document": return draw_document(instance);
    case "image": return [element("img", { src: `picture?at=${item.at}`, alt: `Image ${instance.file}` })];
    default: return ["This kind of instance cannot be shown."];
  }
}

function draw_chips(list, chips, none) {
  list.replaceChildren(...chips);
  if (chips.length === 0) list.append(element("li", { className: "none" }, none));
}

const verdict_words = { open: "", accept: "accepted", reject: "rejected", skip: "skipped" };

function draw_item() {
  by_id("name").textContent = item.label;
  by_id("meaning").textContent = item.meaning;
  by_id("meaning").hidden = item.meaning === "";
  by_id("meter").style.width = `${100 * item.probability}%`;
  const scores = [`probability ${percent(item.probability)}`, `policy ${percent(item.policy)}`];
  if (item.critic !== null) scores.push(`critic ${percent(item.critic)}`);
  if (item.verdict !== "open") scores.push(`now ${verdict_words[item.verdict]}`);
  by_id("scores").textContent = scores.join(" · ");
  const name = item.instance.kind === "document" ? item.instance.title : item.instance.file ?? item.id;
  by_id("instance").replaceChildren(element("p", { className: "id" }, `${name} · suggestion ${item.at + 1}`), ...draw_instance(item.instance));
  draw_chips(by_id("annotated"), item.annotated.map((label) => element("li", {}, label)), "none");
  const chip = ({ label, verdict }) =>
    element("li", { className: verdict }, verdict === "open" ? label : `${label} (${verdict_words[verdict]})`);
  draw_chips(by_id("others"), item.others.map(chip), "nothing else");
}

function draw(answer) {
  draw_progress(answer.progress);
  item = answer.item;
  by_id("main").hidden = item === null;
  by_id("done").hidden = item !== null;
  if (item) {
    draw_item();
    window.scrollTo(0, 0);
  } else {
    const what = by_id("show").selectedOptions[0].textContent;
    by_id("done").textContent = `There are no ${what} suggestions${settings.label === "" ? "" : " of this label"}. ` +
      "mlpac review S --data FILE --export COPY writes the data with the accepted labels.";
    by_id("done").append(" ", element("button", { type: "button", onclick: undo }, "Undo the last decision"));
  }
  document.body.dataset.at = item ? item.at : "none";
}

// ---- keys, clicks, filters ----

const keys = { a: () => decide("accept"), r: () => decide("reject"), s: () => decide("skip"), u: undo, l: () => by_id("label").focus() };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, input")) return;
  const action = keys[event.key.toLowerCase()];
  if (!action || event.repeat) return;
  event.preventDefault();
  action();
});

for (const button of document.querySelectorAll("[data-verdict]")) {
  button.addEventListener("click", () => decide(button.dataset.verdict));
}
by_id("undo").addEventListener("click", undo);

for (const name of ["label", "show"]) {
  by_id(name).addEventListener("change", (event) => {
    settings[name] = event.target.value;
    history.replaceState(null, "", `#${new URLSearchParams(settings)}`);
    event.target.blur(); // keys decide again
    show_next();
  });
}

async function start() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const state = await ask("state");
  state.labels.forEach(({ name, total }, number) => by_id("label").append(element("option", { value: number }, `${name} (${total})`)));
  for (const name of ["label", "show"]) {
    const options = [...by_id(name).options].map(({ value }) => value);
    if (options.includes(wanted.get(name) ?? "-")) by_id(name).value = settings[name] = wanted.get(name);
  }
  by_id("journal").textContent = state.journal;
  return ask(`next?${query({ from: 0 })}`);
}
once(start);
