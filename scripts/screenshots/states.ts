import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { violationsOf } from "../../test/support/pages/axe.ts";
import { launchChromium } from "../../test/support/pages/browser.ts";
import { openWatchedPage } from "../../test/support/pages/watched-page.ts";
import { REPOSITORY_ROOT } from "../../test/support/repository/repository.ts";
import { ALL_STATES } from "./all-states.ts";
import { galleryPage, type Picture } from "./gallery-page.ts";
import type { Site, State } from "./state.ts";

// `npm run screenshots -- states [--only TEXT,…] [--widths NUMBER,…] [--languages en-GB,…] [--folder PATH]` takes a picture of each state of the pages, at each
// width, light and dark, and has axe look at it. `index.html` in the folder shows all at once. It fails if something is wrong with one.
const { values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    widths: { type: "string", default: "360,768,1280" },
    languages: { type: "string" },
    folder: { type: "string", default: join(REPOSITORY_ROOT, ".gallery") },
  },
});
const HEIGHT = 900;
/** States that are shown at the same time. */
const WORKERS = 2;
const WIDTHS = values.widths.split(",").map(Number);
const SCHEMES = ["light", "dark"] as const;

/** Longer than a page takes to follow another width or scheme. */
const SETTLE_MS = 250;

/** Takes the pictures of a state in a language: the page is brought to it once, and follows the widths and the schemes. */
async function picturesIn(language: string, browser: Browser, state: State, site: Site): Promise<readonly Picture[]> {
  const { page, complaints, close } = await openWatchedPage(browser, {
    locale: language,
    javaScriptEnabled: !state.isWithoutScript,
  });
  await page.setViewportSize({ width: Math.min(...WIDTHS), height: HEIGHT });
  const shown = await site.show(page).catch((error: unknown) => [String(error)]);
  const pictures: Picture[] = [];
  for (const width of WIDTHS) {
    for (const scheme of SCHEMES) {
      await page.setViewportSize({ width, height: HEIGHT });
      await page.emulateMedia({ colorScheme: scheme });
      await page.waitForTimeout(SETTLE_MS);
      const file = `${state.name}-${width}-${scheme}-${language.slice(0, 2)}.png`;
      await page.screenshot({ path: join(values.folder, file), fullPage: true });
      const overflow = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      // Axe is a script itself.
      const violations = state.isWithoutScript ? [] : await violationsOf(page);
      const problems = [...shown, ...(overflow ? ["it scrolls sideways"] : []), ...violations];
      pictures.push({ file, state, width, scheme, language, problems });
    }
  }
  await close();
  await site.restore?.();
  const own = complaints.filter(isOurs);
  return pictures.map((picture) => ({ ...picture, problems: [...picture.problems, ...own] }));
}

/** A gateway that is away is what some states are about. */
function isOurs(complaint: string): boolean {
  return !/net::ERR_(?:CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE)/.test(complaint);
}

async function picturesOf(browser: Browser, state: State): Promise<readonly Picture[]> {
  const site = await state.start();
  const pictures: Picture[] = [];
  const languages = values.languages?.split(",") ?? state.languages ?? ["en-GB"];
  try {
    for (const language of languages) pictures.push(...(await picturesIn(language, browser, state, site)));
  } finally {
    await site.stop();
  }
  console.log(`${state.name}: ${pictures.length} pictures`);
  for (const { file, problems } of pictures) for (const problem of problems) console.log(`  ${file}: ${problem}`);
  return pictures;
}

async function allPictures(browser: Browser, states: readonly State[]): Promise<readonly Picture[]> {
  const waiting = states.entries();
  const found: (readonly Picture[])[] = [];
  const work = async () => {
    for (const [index, state] of waiting) found[index] = await picturesOf(browser, state);
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return found.flat();
}

const only = values.only.split(",");
const states = ALL_STATES.filter(({ name }) => only.some((text) => name.includes(text)));
if (states.length === 0) throw new Error(`no state has a name with ${values.only}`);
await rm(values.folder, { recursive: true, force: true });
await mkdir(values.folder, { recursive: true });
const browser = await launchChromium();
try {
  const pictures = await allPictures(browser, states);
  const index = join(values.folder, "index.html");
  await writeFile(index, galleryPage(pictures));
  const wrong = pictures.filter(({ problems }) => problems.length > 0);
  console.log(`${pictures.length} pictures of ${states.length} states, ${wrong.length} with something wrong: ${index}`);
  if (wrong.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
}
