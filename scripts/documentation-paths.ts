import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeBlocks, codeSpans } from "../test/support/markdown.ts";
import { parts } from "./test/parts.ts";

const EXTENSION = /\.(?:ts|mts|mjs|js|json|md|proto|binpb|sol|css|sh|yaml|yml)$/;
const PATH = /^[\w@.*-]+(?:\/[\w@.*-]+)*\/?$/;
/** Folders that only a run makes. */
const MADE_BY_A_RUN = ["data", "node_modules"];
/** Programs that a documented command may begin with and that aren't ours. */
const FOREIGN_PROGRAMS = new Set(["cd", "curl", "export", "git"]);

/** What of a page's paths and commands the repository doesn't have, each as the page writes it. */
export function missingFromRepository(markdown: string, root: string): string[] {
  const prose = markdown.replace(/^```.*?^```$/gms, "");
  const commands = [
    ...codeSpans(prose).filter(isCommand),
    ...codeBlocks(markdown, "sh").flatMap(({ code }) => commandsOf(code)),
  ];
  const words = [...codeSpans(prose), ...commands.flatMap((command) => command.split(/\s+/))];
  const paths = [...new Set(words)].filter((word) => isPathOf(word, root) && !isThere(word, root));
  return [...paths, ...commands.filter((command) => !isKnownCommand(command, root))];
}

/** The lines of a block without comments; one that ends in a backslash goes on in the next. */
function commandsOf(code: string): string[] {
  const lines = code.replaceAll(/\\\n\s*/g, "").split("\n");
  return lines.map((line) => line.replace(/\s*#.*$/, "")).filter((line) => line !== "");
}

function isCommand(span: string): boolean {
  return /^(?:npm|npx|node) /.test(span);
}

/** Whether a word names something of the repository: by its ending, or because it begins with one of the root's names. */
function isPathOf(word: string, root: string): boolean {
  if (!PATH.test(word)) return false;
  const [first = ""] = word.split("/");
  if (MADE_BY_A_RUN.includes(first)) return false;
  return word.endsWith("/") || EXTENSION.test(word) || (word.includes("/") && readdirSync(root).includes(first));
}

/** A path counts from the root; the bare name of a file or folder is enough where one of that name is somewhere. */
function isThere(word: string, root: string): boolean {
  if (globSync(word, { cwd: root }).length > 0) return true;
  const isBare = !word.slice(0, -1).includes("/");
  return isBare && globSync(`{services,gateway,scripts,test,proto,docs,deploy}/**/${word}`, { cwd: root }).length > 0;
}

function isKnownCommand(command: string, root: string): boolean {
  const [program = "", ...args] = command.replace(/^(?:[A-Z_]+=\S+ )+/, "").split(/\s+/);
  if (program === "npm") return isKnownNpm(args, root);
  if (program === "npx") return isKnownNpx(args, root);
  return program === "node" || FOREIGN_PROGRAMS.has(program);
}

/** `npm run NAME`, `npm start`, `npm test -- PART…`, `npm ci`. */
function isKnownNpm(args: readonly string[], root: string): boolean {
  const [first = "", ...rest] = args.filter((arg) => arg !== "-s");
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  if (first === "ci") return true;
  const [name = "", ...own] = first === "run" ? rest : [first, ...rest];
  if (!(name in scripts)) return false;
  const names = own.filter((arg) => !arg.startsWith("-"));
  return !/^test(?::long)?$/.test(name) || names.every((part) => parts.some((known) => known.name === part));
}

/** `npx PROGRAM …` of a package of ours; of vitest also the project. */
function isKnownNpx([program = "", ...args]: readonly string[], root: string): boolean {
  if (!existsSync(join(root, "node_modules/.bin", program))) return false;
  const project = args[args.indexOf("--project") + 1];
  if (program !== "vitest" || !args.includes("--project")) return true;
  return readFileSync(join(root, "vitest.config.ts"), "utf8").includes(`name: "${project}"`);
}
