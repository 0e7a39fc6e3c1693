// The harness itself: it must see what goes wrong in a page, or the tests that use it could not fail.
import { mkdtempSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { Browser, check } from "./browser.mjs";

const folder = mkdtempSync(join(tmpdir(), "mlpac-browser-"));
const browser = await Browser.start({ screenshots: join(folder, "shots") });

async function outcome(html, options) {
  const path = join(folder, "page.html");
  writeFileSync(path, `<!doctype html><meta name="viewport" content="width=device-width"><title>t</title>${html}`);
  const view = await browser.open(pathToFileURL(path).href, options);
  let message = "";
  try {
    await view.check();
    view.check_requests("file:");
  } catch (error) {
    message = error.message;
  }
  const width = await view.page.evaluate(() => window.innerWidth);
  const dark = await view.page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  check(existsSync(await view.screenshot("shot")), "no screenshot");
  await view.close();
  return { message, width, dark };
}

try {
  const good = await outcome("<p>good</p>");
  check(good.message === "" && good.width === 1280 && !good.dark, JSON.stringify(good));
  const phone = await outcome("<p>good</p>", { width: "phone", dark: true });
  check(phone.message === "" && phone.width === 390 && phone.dark, JSON.stringify(phone));
  const cases = {
    "console: broken": "<script>console.error('broken')</script>",
    "page: thrown": "<script>throw new Error('thrown')</script>",
    "pixels wider": "<div style='width: 3000px'>wide</div>",
    "request": "<img src='http://127.0.0.1:9/x.png' alt=''>",
  };
  for (const [wanted, html] of Object.entries(cases)) {
    const { message } = await outcome(html);
    check(message.includes(wanted), `'${wanted}' was not noticed: '${message}'`);
  }
} finally {
  await browser.stop();
  rmSync(folder, { recursive: true });
}
