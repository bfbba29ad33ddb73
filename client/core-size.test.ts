import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { expect, it } from "vitest";
import { REPOSITORY_ROOT } from "../test/support/repository/repository.ts";

/** Bound of everything that `index.ts` exports, minified and compressed. */
const MAX_BYTES = 6 * 1024;

it("the core has no dependency, and is below 6 KB", async () => {
  const build = await rolldown({ input: "client/index.ts", cwd: REPOSITORY_ROOT, platform: "neutral" });
  const { output } = await build.generate({ minify: true });
  await build.close();
  const [{ code, imports }, ...others] = output;
  expect([imports, others]).toEqual([[], []]);
  expect(gzipSync(code).length).toBeLessThan(MAX_BYTES);
});
