// The page in a real browser: Chromium without a window, driven by playwright-core.
// Environment: NW_RENDER_PAGE (the program), NW_RECORDS (folder of make_records.py),
// NW_NODE_MODULES, NW_CHROMIUM. Exits with 77 (skipped) when one of them is missing.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const { NW_RENDER_PAGE, NW_RECORDS, NW_NODE_MODULES, NW_CHROMIUM } = process.env;
for (const [name, path] of Object.entries({
  "the records": join(NW_RECORDS, "proportions.json"),
  "playwright-core": join(NW_NODE_MODULES, "playwright-core"),
  "axe-core": join(NW_NODE_MODULES, "axe-core"),
  Chromium: NW_CHROMIUM || "/nowhere",
})) {
  if (existsSync(path)) continue;
  console.log(`page_test: skipped, ${name} not found at ${path}`);
  process.exit(77);
}
const require = createRequire(join(NW_NODE_MODULES, "here.js"));
const { chromium } = require("playwright-core");

const folder = mkdtempSync(join(tmpdir(), "nw_page_test_"));
const read = (name) => JSON.parse(readFileSync(join(NW_RECORDS, `${name}.json`)));
let browser;

before(async () => {
  browser = await chromium.launch({
    executablePath: NW_CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the page of the named records and checks at the end that it was quiet and alone. */
async function withPage(names, settings, body) {
  const { fixed, ...options } = settings;
  const file = join(folder, `${names.join("-")}${fixed ? "-fixed" : ""}.html`);
  const records = names.map((name) => join(NW_RECORDS, `${name}.json`));
  execFileSync(NW_RENDER_PAGE, [file, ...(fixed ? ["--fixed"] : []), ...records]);
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const noise = [];
  page.on("console", (message) => noise.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => noise.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (url !== pathToFileURL(file).href && !url.startsWith("data:") && !url.startsWith("blob:")) {
      noise.push(`request: ${url}`);
    }
  });
  try {
    await page.goto(pathToFileURL(file).href);
    if (!fixed && options.javaScriptEnabled !== false) {
      await page.locator("html[data-ready=yes]").waitFor({ state: "attached", timeout: 10000 });
      if (await count(page, "[data-chart]")) await page.locator(".plot svg").first().waitFor();
    }
    await body(page);
    assert.deepEqual(noise, []);
  } finally {
    await context.close();
  }
}

const count = (page, selector) => page.locator(selector).count();
const light = (colour) =>
  colour
    .match(/\d+/g)
    .slice(0, 3)
    .map(Number)
    .reduce((a, b) => a + b) / 3;
const every = [
  "proportions",
  "components",
  "same",
  "line",
  "hostile",
  "table",
  "choose_k",
  "distance",
  "training",
];

test("the page opens with the answer and holds every part", async () => {
  await withPage(["proportions"], {}, async (page) => {
    const record = read("proportions");
    const first = await page.evaluate(
      () => document.querySelector("main").innerText.split("\n")[0],
    );
    assert.equal(first, "Only the mix changed");
    assert.match(await page.locator(".lede").innerText(), /goes from 19\u00a0% to 5\.8\u00a0%/);
    await page.getByText("How sure is that?").click();
    assert.ok((await page.locator(".evidence").innerText()).includes(record.sentence));
    assert.equal(await count(page, "h1"), 1);
    assert.equal(await count(page, ".figure .points *:is(path, circle)"), 800);
    assert.equal(await count(page, ".figure .ellipses path"), 16);
    assert.equal(await count(page, ".proportions g[aria-label=bar] rect"), 16);
    assert.equal(await count(page, ".components tbody tr"), 8);
    assert.match(await page.locator(".curve .plot").innerText(), /k\* = 8/);
    assert.equal(await count(page, ".curve .floor-band path"), 1);
    const provenance = await page.locator(".provenance").innerText();
    for (const words of ["resamplings", "200", "g++ 12.2", "data/june.csv", "31.4 MB"]) {
      assert.ok(provenance.includes(words), words);
    }
  });
});

test("couplings are drawn on demand and explained", async () => {
  await withPage(["proportions"], {}, async (page) => {
    const record = read("proportions");
    const lines = () => count(page, ".couplings path");
    assert.equal(await lines(), 0);
    await page.getByLabel("plain W").check();
    assert.equal(await lines(), record.figure.plain.length);
    const crossing = async () =>
      Number((await page.locator(".story").innerText()).match(/([\d.]+) % of the drawn/)[1]);
    const plain = await crossing();
    await page.getByLabel("normalised").check();
    assert.equal(
      await lines(),
      record.figure.normalized_x.length + record.figure.normalized_y.length,
    );
    assert.ok(
      plain > 25 && (await crossing()) < 5,
      `plain ${plain}, normalised ${await crossing()}`,
    );
    await page.getByLabel("none").check();
    assert.equal(await lines(), 0);
    assert.equal(await page.locator(".story").innerText(), "");
  });
});

test("the legend shows and hides X, Y and the components", async () => {
  await withPage(["proportions"], {}, async (page) => {
    const button = page.getByRole("button", { name: "X: january", exact: true });
    await button.click();
    assert.equal(await button.getAttribute("aria-pressed"), "false");
    assert.equal(await count(page, ".figure .points *:is(path, circle)"), 400);
    await page.getByRole("button", { name: "components" }).click();
    assert.equal(await count(page, ".figure .ellipses path"), 0);
    await button.click();
    assert.equal(await count(page, ".figure .points *:is(path, circle)"), 800);
  });
});

test("the pointer calls up the numbers under it", async () => {
  await withPage(["proportions"], {}, async (page) => {
    await page.locator(".curve .plot").scrollIntoViewIfNeeded();
    const box = await page.locator(".curve g[aria-label=dot] circle").nth(2).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const tip = page.locator(".curve g[aria-label=tip] text");
    await tip.waitFor();
    assert.match(await tip.textContent(), /k = 3.?NW = 2\.83/);
  });
});

test("three axes can be looked at in pairs", async () => {
  await withPage(["same"], {}, async (page) => {
    const label = () => page.locator(".figure [aria-label='y-axis label']").textContent();
    assert.match(await label(), /principal axis 2 \(12 % of the variance\)/);
    await page.getByLabel("Axes").selectOption("1 and 3");
    assert.match(await label(), /principal axis 3/);
  });
});

test("columns of the data can be chosen, and couplings bring the axes of the fit back", async () => {
  await withPage(["table"], {}, async (page) => {
    const label = (axis) =>
      page.locator(`.figure [aria-label='${axis}-axis label']`).textContent();
    assert.equal(await label("x"), "age"); // what tells the components apart best
    await page.getByLabel("Up").selectOption("city");
    assert.equal(await label("y"), "city");
    assert.match(
      await page.locator(".figure [aria-label='y-axis tick label']").textContent(),
      /Oslo/,
    );
    await page.getByLabel("colour by component").check();
    const fills = await page
      .locator(".figure .points *:is(path, circle)")
      .evaluateAll((all) => [...new Set(all.map((point) => point.getAttribute("fill")))]);
    assert.deepEqual(fills.sort(), ["var(--member-0)", "var(--member-1)"]);
    await page.getByLabel("plain W").check();
    assert.match(await label("x"), /principal axis 1/);
    assert.equal(await page.getByLabel("Across").inputValue(), "a0");
  });
});

test("a row tells its own columns, and every column has its panel", async () => {
  await withPage(["table"], {}, async (page) => {
    const box = await page.locator(".figure .points *:is(path, circle)").first().boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const tip = page.locator(".figure g[aria-label=tip] text");
    await tip.waitFor();
    assert.match(await tip.textContent(), /age: [\d.]+.*city: (Oslo|Rome)/s);
    assert.equal(await count(page, ".columns .column"), 3);
    assert.equal(await page.locator(".columns .column h4").first().innerText(), "city");
    assert.match(await page.locator(".columns").innerText(), /missing: 5 % of X/);
  });
});

test("the first screen shows the headline, the shares and the picture", async () => {
  await withPage(["table"], {}, async (page) => {
    for (const part of ["h1", ".lede", ".figure .plot svg", ".proportions .plot svg"]) {
      const box = await page.locator(part).first().boundingBox();
      assert.ok(box.y + Math.min(box.height, 300) < 900, `${part} ends at ${box.y + box.height}`);
    }
  });
});

test("the curve can be seen on a logarithmic axis", async () => {
  await withPage(["proportions"], {}, async (page) => {
    const ticks = () => page.locator(".curve [aria-label='y-axis tick label']").textContent();
    const linear = await ticks();
    await page.getByLabel("logarithmic").check();
    assert.notEqual(await ticks(), linear);
  });
});

test("everything that reacts can be reached and worked by keyboard", async () => {
  await withPage(["proportions"], {}, async (page) => {
    const reached = [];
    for (let i = 0; i < 18; ++i) {
      await page.keyboard.press("Tab");
      reached.push(
        await page.evaluate(() => {
          const { activeElement: at } = document;
          return at.getAttribute("aria-label") || at.value || at.innerText.trim();
        }),
      );
    }
    for (const part of [
      "Skip to the result",
      "How sure is that?",
      "X",
      "Y",
      "components",
      "none",
      "Scatter plot",
      "Proportions of 8",
      "on",
      "NW(k) for k",
      "The curve in numbers",
      "Table of components",
      "Download",
    ]) {
      assert.ok(
        reached.some((name) => name?.startsWith(part) || name === part),
        `${part} in ${reached}`,
      );
    }
    const spoken = page.locator(".curve [aria-live]");
    await page.locator(".curve .plot").focus();
    await page.keyboard.press("End");
    assert.match(await spoken.textContent(), /k = 11/);
    await page.keyboard.press("ArrowLeft");
    assert.match(await spoken.textContent(), /k = 10/);
    assert.match(await page.locator(".curve g[aria-label=tip] text").textContent(), /k = 10/);
    await page.keyboard.press("Escape");
    assert.equal(await spoken.textContent(), "");
    await page.locator(".proportions .plot").focus();
    await page.keyboard.press("ArrowRight");
    assert.match(
      await page.locator(".proportions [aria-live]").textContent(),
      /component 1\n5\.8 % of X/,
    );
    assert.match(
      await page.locator(".proportions g[aria-label=tip] text").textContent(),
      /5\.8 % of X/,
    );
    await page.locator(".figure .plot").focus();
    await page.keyboard.press("End");
    assert.match(await page.locator(".figure g[aria-label=tip] text").textContent(), /component 8/);
  });
});

for (const colorScheme of ["light", "dark"]) {
  test(`an audit of accessibility finds nothing to say in ${colorScheme} mode`, async () => {
    const audit = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
    await withPage(["components", "same"], { colorScheme, bypassCSP: true }, async (page) => {
      const page_colour = await page.evaluate(
        () => getComputedStyle(document.body).backgroundColor,
      );
      assert.equal(light(page_colour) < 60, colorScheme === "dark", page_colour);
      await page.getByLabel("plain W").first().check();
      await page.locator(".curve .plot").first().focus();
      await page.keyboard.press("Home");
      const [box, words] = await page
        .locator(".curve [aria-label=tip]")
        .first()
        .evaluate((tip) =>
          ["path", "text"].map((name) => getComputedStyle(tip.querySelector(name)).fill),
        );
      assert.ok(Math.abs(light(box) - light(words)) > 120, `${words} on ${box}`);
      assert.equal(light(box) < 60, colorScheme === "dark");
      await page.evaluate(audit);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(
        violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(" ")}`),
        [],
      );
    });
  });
}

test("markup in names and texts stays text", async () => {
  await withPage(["hostile"], {}, async (page) => {
    for (const mode of ["plain W", "normalised"]) await page.getByLabel(mode).check();
    for (const chart of await page.locator(".plot").all()) {
      await chart.focus();
      await page.keyboard.press("Home");
    }
    assert.match(await page.title(), /<img src=x/);
    assert.equal(await count(page, "img"), 0);
    assert.equal(await count(page, "script"), 2);
    const shown = await page.locator("main").innerText();
    assert.ok(shown.includes("</script><script>document.title"));
  });
});

test("lines that share a chart are drawn together, each named in the legend", async () => {
  await withPage(["training"], {}, async (page) => {
    assert.equal(await count(page, ".series figure"), 2);
    const shared = page.locator(".series figure").nth(1);
    assert.equal(await shared.locator("figcaption").innerText(), "pi");
    assert.equal(await shared.locator("g[aria-label=line] path").count(), 9);
    assert.deepEqual(
      (await shared.locator(".line-legend li").allInnerTexts()).map((name) => name.trim()),
      Array.from({ length: 9 }, (_, j) => `pi ${j + 1}`),
    );
    assert.match(await page.locator(".figure .legend").innerText(), /the data\s+the model/);
  });
});

test("several runs become tabs that arrow keys switch, and print one after the other", async () => {
  await withPage(["proportions", "components", "training"], {}, async (page) => {
    const shown = () =>
      page
        .locator("section.run")
        .evaluateAll((all) =>
          all.flatMap((run, i) => (getComputedStyle(run).display === "none" ? [] : [i])),
        );
    assert.deepEqual(await shown(), [0]);
    await page.getByRole("tab").first().focus();
    await page.keyboard.press("ArrowRight");
    assert.deepEqual(await shown(), [1]);
    assert.equal(await count(page, "#run-1 .figure .points *:is(path, circle)"), 800);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    assert.deepEqual(await shown(), [2]);
    await page.locator(".overview table a").nth(1).click();
    await page.locator("section.run").nth(1).waitFor(); // the browser follows a link in its own time
    assert.deepEqual(await shown(), [1]);
    await page.emulateMedia({ media: "print" });
    assert.deepEqual(await shown(), [0, 1, 2]);
  });
});

test("on paper the page is light and nothing is cut off", async () => {
  await withPage(
    ["components"],
    { colorScheme: "dark", viewport: { width: 720, height: 1000 } },
    async (page) => {
      await page.emulateMedia({ media: "print" });
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(light(background), 255);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 720, `${wide} pixels`);
    },
  );
});

test("the record that is saved is the record that was drawn", async () => {
  await withPage(["proportions"], { acceptDownloads: true }, async (page) => {
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the raw record" }).click();
    const saved = JSON.parse(readFileSync(await (await saving).path()));
    const { figure, ...numbers } = read("proportions");
    for (const [key, value] of Object.entries(numbers)) {
      assert.deepEqual(saved[key], value, key);
    }
    assert.equal(saved.figure.plain.length, figure.plain.length);
  });
});

test("a page without scripts shows the same charts as pictures", async () => {
  await withPage(["proportions"], { fixed: true, javaScriptEnabled: false }, async (page) => {
    assert.equal(await count(page, ".figure svg.nw-chart .points :is(path, circle)"), 800);
    assert.equal(await count(page, ".proportions .bar"), 16);
    assert.equal(await count(page, ".curve svg.nw-chart .band"), 2);
    const link = await page.locator("a.download").getAttribute("href");
    const saved = JSON.parse(Buffer.from(link.split("base64,")[1], "base64").toString());
    assert.equal(saved[0].sentence, read("proportions").sentence);
  });
  await withPage(every, { javaScriptEnabled: false }, async (page) => {
    assert.equal(await page.locator("section.run:visible").count(), every.length);
  });
});

test("every kind of run is drawn and fits screens of all widths", async () => {
  for (const names of [...every.map((name) => [name]), every]) {
    await withPage(names, {}, async (page) => {
      if (names.length === 1) {
        assert.equal(
          await count(page, ".plot svg[aria-hidden]"),
          await count(page, "[data-chart]"),
          names[0],
        );
      }
      assert.equal(await count(page, "[data-chart] svg.nw-chart"), 0, names[0]);
      for (const width of [320, 390, 768, 1600]) {
        await page.setViewportSize({ width, height: 800 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${names}: ${wide} pixels at ${width}`);
      }
    });
  }
});
