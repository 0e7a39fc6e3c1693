// Opens pages in Debian's chromium without a window, for the tests of pages: what the page writes to the console as an
// error, throws, or fails to load is collected, and every screenshot goes to one folder.
//
//   const browser = await Browser.start({ screenshots: "/tmp/shots" });
//   const view = await browser.open(url, { width: "desktop" });   // or "phone", or a number of pixels; dark: true
//   await view.page.keyboard.press("a");                          // view.page is a page of playwright
//   await view.screenshot("first");                               // /tmp/shots/first.png
//   await view.check();                                               // throws if anything went wrong in the page
//   await browser.stop();
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

export const widths = { desktop: 1280, phone: 390 };
const kSkip = 77; // as automake's tests: ctest shows it as skipped

/// Ends the test as skipped, with the reason.
export function skip(reason) {
  console.error(`SKIPPED: ${reason}`);
  process.exit(kSkip);
}

function find_chromium() {
  const candidates = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  return candidates.find((path) => path && existsSync(path));
}

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

class View {
  constructor(page, screenshots) {
    this.page = page;
    this.errors = [];
    this.requests = [];
    this.screenshots = screenshots;
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.errors.push(`page: ${error.message}`));
    page.on("request", (request) => this.requests.push(request.url()));
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      if (reason !== "net::ERR_ABORTED") this.errors.push(`request: ${request.url()}: ${reason}`);
    });
  }

  /// Throws if the page reported an error, or, unless the caller knows better, is wider than its window.
  async check({ scrolls_sideways = false } = {}) {
    check(this.errors.length === 0, `errors in the page:\n  ${this.errors.join("\n  ")}`);
    const over = await this.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    check(scrolls_sideways || over <= 0, `the page is ${over} pixels wider than its window`);
  }

  /// Throws if the page asked anybody but `origin` for anything.
  check_requests(origin) {
    const outside = this.requests.filter((url) => !url.startsWith(origin) && !/^(data|blob|about):/.test(url));
    check(outside.length === 0, `requests to elsewhere: ${outside.join(" ")}`);
  }

  async screenshot(name, { whole = false } = {}) {
    if (!this.screenshots) return null;
    const path = join(this.screenshots, `${name}.png`);
    await this.page.screenshot({ path, fullPage: whole });
    return path;
  }

  async close() {
    await this.page.context().close();
  }
}

export class Browser {
  /// `screenshots`: a folder for them; by default $SCREENSHOTS, and without it none are taken.
  static async start({ screenshots = process.env.SCREENSHOTS } = {}) {
    let playwright;
    try {
      playwright = await import("playwright-core");
    } catch {
      skip("playwright-core is not installed; scripts/setup test installs it");
    }
    const executablePath = find_chromium();
    if (!executablePath) skip("chromium is not installed; scripts/setup test installs it");
    if (screenshots) mkdirSync(screenshots, { recursive: true });
    const browser = new Browser();
    browser.screenshots = screenshots;
    // Containers have neither user namespaces nor much of /dev/shm; pages under test are our own.
    const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"];
    browser.chromium = await playwright.chromium.launch({ executablePath, headless: true, args });
    return browser;
  }

  async open(url, { width = "desktop", height = 800, dark = false, wait = "load" } = {}) {
    const context = await this.chromium.newContext({
      viewport: { width: widths[width] ?? width, height },
      colorScheme: dark ? "dark" : "light",
      deviceScaleFactor: 1,
    });
    const view = new View(await context.newPage(), this.screenshots);
    view.response = await view.page.goto(url, { waitUntil: wait });
    return view;
  }

  async stop() {
    await this.chromium.close();
  }
}
