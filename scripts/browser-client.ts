import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { ROOT } from "./test/run-command.ts";

/** Modules that the live page and the element run without types, and the sources that each is made of. */
export const BROWSER_MODULES: Readonly<Record<string, readonly string[]>> = {
  "gateway/sale-page/browser/client.js": ["client/commitment-data.ts"],
  "gateway/sale-page/browser/message.js": [
    "common/platform/language/per-language.ts",
    "common/platform/language/message.ts",
  ],
};

const COMMENT = /^ *(?:\/\*\*[\s\S]*?\*\/|\/\/.*)\n/gm;
/** An import of another source of the same module. */
const IMPORT = /^import .* from "\.\/[\w-]+\.ts";\n/gm;

/** Returns a module's code for browsers, which load no TypeScript. Node only. @param module one of `BROWSER_MODULES` */
export function browserModuleOf(module: string): string {
  const sources = BROWSER_MODULES[module] ?? [];
  const head = `// ${sources.join(" and ")} without types, made by \`npm run generate\`.\n`;
  const code = sources.map((source) => {
    const stripped = stripTypeScriptTypes(readFileSync(join(ROOT, source), "utf8"));
    return stripped.replace(COMMENT, "").replace(IMPORT, "").trim();
  });
  const args = ["format", `--stdin-file-path=${module}`];
  return execFileSync("biome", args, { cwd: ROOT, input: `${head}\n${code.join("\n\n")}\n`, encoding: "utf8" });
}
