import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { ROOT } from "./test/run-command.ts";

/** The part of the client that the live page and the element run, and where they find it. */
const SOURCE = "client/commitment-data.ts";
export const BROWSER_CLIENT = "gateway/sale-page/browser/client.js";

const COMMENT = /^ *(?:\/\*\*[\s\S]*?\*\/|\/\/.*)\n/gm;
const HEAD = `// ${SOURCE} without types, made by \`npm run generate\`.\n`;

/** Returns the client's code for browsers, which load no TypeScript. Node only. */
export function browserClient(): string {
  const code = stripTypeScriptTypes(readFileSync(join(ROOT, SOURCE), "utf8")).replace(COMMENT, "");
  const args = ["format", `--stdin-file-path=${BROWSER_CLIENT}`];
  return execFileSync("biome", args, { cwd: ROOT, input: HEAD + code, encoding: "utf8" });
}
