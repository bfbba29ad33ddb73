import { join } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "./test/run-command.ts";

/** The entry of the module, which has all that it imports. */
const ENTRY = "gateway/sale-page/verify/compare-in-browser.ts";
const HEAD = `// ${ENTRY} with all that it imports, made by \`npm run generate\`.\n`;

const TARGET = "es2023";

/** Modules for browsers in place of those of Node. */
const OWN = "gateway/sale-page/verify/in-place-of";
const IN_PLACE_OF: Readonly<Record<string, string>> = {
  "node:async_hooks": join(ROOT, OWN, "async-hooks.ts"),
  "node:buffer": join(ROOT, "node_modules/buffer/index.js"),
  "node:crypto": join(ROOT, OWN, "crypto.ts"),
  "node:timers": join(ROOT, OWN, "timers.ts"),
  "node:timers/promises": join(ROOT, OWN, "timers-promises.ts"),
  "node:util": join(ROOT, OWN, "util.ts"),
};

/** Returns the module `BUNDLE`. Its code is the command's own, so the two can't differ. @throws Error if it needs another module of Node */
export async function browserBundle(): Promise<string> {
  const bundle = await rolldown({
    input: join(ROOT, ENTRY),
    platform: "browser",
    resolve: { alias: { ...IN_PLACE_OF } },
    // What most browsers have had for years: no `using`, for instance.
    transform: { target: TARGET },
    onLog(_level, { message }) {
      throw new Error(message);
    },
  });
  const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false });
  await bundle.close();
  const [{ code }] = output;
  return `${HEAD}${code}`;
}
