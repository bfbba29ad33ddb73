import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { violationsOf } from "../../test/support/pages/axe.ts";
import { launchChromium } from "../../test/support/pages/browser.ts";
import { openWatchedPage } from "../../test/support/pages/watched-page.ts";
import { REPOSITORY_ROOT } from "../../test/support/repository/repository.ts";
import { DASHBOARD_STATES } from "./dashboard-states.ts";
import { EMBED_STATES } from "./embed-states.ts";
import { galleryPage, type Picture } from "./gallery-page.ts";
import { SALE_PAGE_STATES } from "./sale-page-states.ts";
import type { Site, State } from "./state.ts";

// `npm run screenshots -- states [--only TEXT,…] [--widths NUMBER,…] [--folder PATH]` takes a picture of each state of the pages, at each
// width, light and dark, and has axe look at it. `index.html` in the folder shows all at once. It fails if something is wrong with one.
const { values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    widths: { type: "string", default: "360,768,1280" },
    folder: { type: "string", default: join(REPOSITORY_ROOT, ".gallery") },
  },
});
const STATES: readonly State[] = [...SALE_PAGE_STATES, ...EMBED_STATES, ...DASHBOARD_STATES];
const HEIGHT = 900;
/** States that are shown at the same time. */
const WORKERS = 2;
const SCHEMES = ["light", "dark"] as const;

/** One look at a state. */
interface Look {
  readonly width: number;
  readonly scheme: (typeof SCHEMES)[number];
  readonly language: string;
}

function looksAt({ languages = ["en-GB"] }: State): readonly Look[] {
  const widths = values.widths.split(",").map(Number);
  return widths.flatMap((width) =>
    SCHEMES.flatMap((scheme) => languages.map((language) => ({ width, scheme, language }))),
  );
}

async function pictureOf(browser: Browser, state: State, site: Site, look: Look): Promise<Picture> {
  const { width, scheme, language } = look;
  const { page, complaints, close } = await openWatchedPage(browser, {
    ...{ viewport: { width, height: HEIGHT }, colorScheme: scheme, locale: language },
    javaScriptEnabled: !state.isWithoutScript,
  });
  const file = `${state.name}-${width}-${scheme}-${language.slice(0, 2)}.png`;
  const problems = await site.show(page).catch((error: unknown) => [String(error)]);
  await page.screenshot({ path: join(values.folder, file), fullPage: true });
  const overflow = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  // Axe is a script itself.
  const violations = state.isWithoutScript ? [] : await violationsOf(page);
  const found = [...problems, ...(overflow ? ["it scrolls sideways"] : []), ...violations];
  await close();
  await site.restore?.();
  return { file, state, ...look, problems: [...found, ...complaints.filter(isOurs)] };
}

/** A gateway that is away is what some states are about. */
function isOurs(complaint: string): boolean {
  return !/net::ERR_(?:CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE)/.test(complaint);
}

async function picturesOf(browser: Browser, state: State): Promise<readonly Picture[]> {
  const site = await state.start();
  const pictures: Picture[] = [];
  try {
    for (const look of looksAt(state)) pictures.push(await pictureOf(browser, state, site, look));
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
const states = STATES.filter(({ name }) => only.some((text) => name.includes(text)));
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
