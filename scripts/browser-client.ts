import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join, posix } from "node:path";
import { ROOT } from "./test/run-command.ts";

/** Modules that pages and the element run without types, and the sources that each is made of. */
export const BROWSER_MODULES: Readonly<Record<string, readonly string[]>> = {
  "gateway/sale-page/browser/client.js": ["client/commitment-data.ts"],
  "gateway/web/browser/message.js": ["common/platform/language/per-language.ts", "common/platform/language/message.ts"],
  "gateway/sale-page/browser/numbers.js": [
    "common/sale/words/exact-text.ts",
    "common/sale/words/number-text.ts",
    "common/sale/words/figure.ts",
  ],
  "gateway/sale-page/browser/read-number.js": ["common/sale/words/read-number.ts"],
  "gateway/sale-page/browser/sale-rules.js": [
    "common/sale/state/bidding.ts",
    "common/sale/state/phase.ts",
    "common/sale/words/currency.ts",
    "common/sale/words/feed-fault.ts",
  ],
  "gateway/sale-page/browser/timeline-rules.js": ["common/sale/state/timeline.ts"],
  "gateway/sale-page/browser/offer-rules.js": ["common/sale/figures/offer-state.ts"],
  "gateway/sale-page/browser/look-up-rules.js": [
    "common/sale/state/bid-state.ts",
    "common/sale/state/bid-forecast.ts",
    "common/chains/base/address-form.ts",
  ],
  "gateway/sale-page/browser/clearing-rules.js": [
    "common/sale/definition/tick-width.ts",
    "common/sale/figures/tick-tree.ts",
    "common/sale/figures/tick-node.ts",
    "common/sale/figures/clearing-price.ts",
    "common/sale/figures/position.ts",
    "common/sale/figures/what-if.ts",
  ],
  // Each alone, as some have constants of the same name.
  "gateway/sale-page/browser/read-selectors.js": ["common/contracts/reference/evm/read-selectors.ts"],
  "gateway/sale-page/browser/abi-words.js": ["common/chains/evm/abi-words.ts"],
  "gateway/sale-page/browser/decoding-budget.js": ["common/contracts/reference/evm/decoding-budget.ts"],
  "gateway/sale-page/browser/decode-rows.js": ["common/contracts/reference/evm/decode-rows.ts"],
  "gateway/sale-page/browser/amounts.js": ["common/sale/figures/amount.ts"],
};

/** The module with which the page of checks compares a sale. It is made in another way, as it has some hundred sources. */
export const BUNDLE = "gateway/sale-page/verify/compare-in-browser.js";

/** Modules for browsers in place of those of Node. */
const IN_PLACE_OF: Readonly<Record<string, string>> = {
  "node:buffer": "gateway/sale-page/browser/hex-buffer.js",
};

const COMMENT = /^ *(?:\/\*\*[\s\S]*?\*\/|\/\/.*)\n/gm;
const IMPORT = /^import ([^;]*?) from "([^"]+)";\n/gm;

/** Returns a module's code for browsers, which load no TypeScript. Node only. @param module one of `BROWSER_MODULES` */
export function browserModuleOf(module: string): string {
  const sources = BROWSER_MODULES[module] ?? [];
  const head = `// ${sources.join(" and ")} without types, made by \`npm run generate\`.\n`;
  const code = sources.map((source) => {
    const stripped = stripTypeScriptTypes(readFileSync(join(ROOT, source), "utf8")).replace(COMMENT, "");
    return stripped.replace(IMPORT, (_, names, path) => importOf(names, source, path, module)).trim();
  });
  // Also makes one import of two from one module, as those of two sources may be.
  const args = ["check", "--write", "--linter-enabled=false", `--stdin-file-path=${module}`];
  return execFileSync("biome", args, { cwd: ROOT, input: `${head}\n${code.join("\n\n")}\n`, encoding: "utf8" });
}

/** Returns an import of a source as one of the module that has it; nothing within a module. */
function importOf(names: string, source: string, path: string, module: string): string {
  const imported = posix.join(posix.dirname(source), path);
  const home =
    IN_PLACE_OF[path] ?? Object.keys(BROWSER_MODULES).find((other) => BROWSER_MODULES[other]?.includes(imported));
  if (home === undefined) throw new Error(`${source} imports ${imported}, which no module for browsers has`);
  const relative = posix.relative(posix.dirname(module), home);
  return home === module ? "" : `import ${names} from "${relative.startsWith(".") ? "" : "./"}${relative}";\n`;
}
