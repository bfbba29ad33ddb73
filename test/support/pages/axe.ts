import { readFileSync } from "node:fs";
import type axe from "axe-core";
import type { Page } from "playwright-core";

const AXE = readFileSync(new URL("../../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** Violations that axe finds in the whole page. The debugger injects axe, as the pages' policy allows no script of ours. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.waitForLoadState();
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: AXE });
  const expression = "axe.run().then(({ violations }) => violations)";
  const { result } = await session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  await session.detach();
  const violations: axe.Result[] = result.value;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}
