import type { BrowserContext } from "playwright-core";

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Script for every page: reports the name of each field that somebody changes. */
const REPORT_FIELDS = `addEventListener("change", ({ target }) => reportField(target.name), true);`;

/** The screens that somebody sees on the way to a goal, as paths, and the fields that they fill in, each in its order. */
export class Way {
  readonly screens: string[] = [];
  readonly fields: string[] = [];

  /** Counts in all tabs of a browser from now on. Its pages must run scripts. */
  static async follow(context: BrowserContext): Promise<Way> {
    const way = new Way();
    await context.exposeFunction("reportField", (name: string) => way.fields.push(name));
    await context.addInitScript(REPORT_FIELDS);
    const count = (url: string) => way.screens.push(new URL(url).pathname.replaceAll(UUID, ":id"));
    for (const page of context.pages()) page.on("domcontentloaded", (shown) => count(shown.url()));
    context.on("page", (page) => page.on("domcontentloaded", (shown) => count(shown.url())));
    return way;
  }
}
