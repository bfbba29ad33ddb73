import type { Page } from "playwright-core";

/** A state that pages can be in, of which the gallery has pictures. */
export interface State {
  /** Begins the names of its pictures, such as `sale-upcoming`. */
  readonly name: string;
  /** Sentence about what one should see. */
  readonly title: string;
  /** English unless it says others. */
  readonly languages?: readonly string[];
  readonly isWithoutScript?: true;
  /** Route of the page, where it is one of the routing table by itself. */
  readonly route?: string;
  /** Brings servers to the state. */
  start(): Promise<Site>;
}

/** Servers in a state, which pages show one after another. */
export interface Site {
  /** Brings a page to the state. @returns what is wrong with it */
  show(page: Page): Promise<readonly string[]>;
  /** Undoes what a page did to the servers. */
  restore?(): Promise<void>;
  stop(): Promise<void>;
}

/** Time after which the picture is taken of what there is. */
const WAIT_MS = 15_000;
const POLL_MS = 50;

/** Waits until an expression is true in a page. @returns what is wrong if it never is */
export async function problemsUntil(page: Page, expression: string, problem: string): Promise<readonly string[]> {
  const end = performance.now() + WAIT_MS;
  while (performance.now() < end) {
    // Not `waitForFunction`, which evaluates text in the page, and the pages' policy forbids that.
    if (await page.evaluate(expression).catch(() => false)) return [];
    await page.waitForTimeout(POLL_MS);
  }
  return [problem];
}
