import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeBlocks, codeSpans } from "../test/support/repository/markdown.ts";
import { parts } from "./test/parts.ts";

const EXTENSION = /\.(?:ts|mts|mjs|js|json|md|proto|binpb|sol|css|sh|yaml|yml)$/;
const PATH = /^[\w@.*-]+(?:\/[\w@.*-]+)*\/?$/;
/** Folders that exist only after a run. */
const MADE_BY_A_RUN = [".gallery", "data", "node_modules"];
/** Programs of others with which a documented command may begin. */
const FOREIGN_PROGRAMS = new Set(["cd", "curl", "export", "git"]);

/** A repository, and how vitest.config.ts divides its tests. */
export interface Repository {
  readonly root: string;
  readonly projects: readonly TestProject[];
}

export interface TestProject {
  readonly name: string;
  readonly include: string[];
  readonly exclude?: string[];
}

/** Returns the paths and commands of a page that the repository doesn't have, each as the page writes it. */
export function missingFromRepository(markdown: string, repository: Repository): string[] {
  const { root } = repository;
  const prose = markdown.replace(/^```.*?^```$/gms, "");
  const commands = [
    ...codeSpans(prose).filter(isCommand),
    ...codeBlocks(markdown, "sh").flatMap(({ code }) => commandsOf(code)),
  ];
  const words = [...codeSpans(prose), ...commands.flatMap((command) => command.split(/\s+/))];
  const paths = [...new Set(words)].filter((word) => isPathOf(word, root) && !isThere(word, root));
  return [...paths, ...commands.filter((command) => !isKnownCommand(command, repository))];
}

/** The lines of a block without comments. A line that ends in a backslash continues in the next. */
function commandsOf(code: string): string[] {
  const lines = code.replaceAll(/\\\n\s*/g, "").split("\n");
  return lines.map((line) => line.replace(/\s*#.*$/, "")).filter((line) => line !== "");
}

function isCommand(span: string): boolean {
  return /^(?:npm|npx|node) /.test(span);
}

/** Whether a word is meant as a path of the repository, by its ending or by its first folder. */
function isPathOf(word: string, root: string): boolean {
  if (!PATH.test(word)) return false;
  const [first = ""] = word.split("/");
  if (MADE_BY_A_RUN.includes(first)) return false;
  return word.endsWith("/") || EXTENSION.test(word) || (word.includes("/") && readdirSync(root).includes(first));
}

/** Whether a path exists, relative to the root. A bare name may be that of a file or folder anywhere in the repository. */
function isThere(word: string, root: string): boolean {
  if (globSync(word, { cwd: root }).length > 0) return true;
  const isBare = !word.slice(0, -1).includes("/");
  return (
    isBare && globSync(`{common,services,gateway,scripts,test,proto,docs,deploy}/**/${word}`, { cwd: root }).length > 0
  );
}

function isKnownCommand(command: string, repository: Repository): boolean {
  const [program = "", ...args] = command.replace(/^(?:[A-Z_]+=\S+ )+/, "").split(/\s+/);
  if (program === "npm") return isKnownNpm(args, repository.root);
  if (program === "npx") return isKnownNpx(args, repository);
  return program === "node" || FOREIGN_PROGRAMS.has(program);
}

/** Whether `npm run NAME`, `npm start`, `npm test -- PART…` or `npm ci` names existing scripts, parts and paths. */
function isKnownNpm(args: readonly string[], root: string): boolean {
  const [first = "", ...rest] = args.filter((arg) => arg !== "-s");
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  if (first === "ci") return true;
  const [name = "", ...own] = first === "run" ? rest : [first, ...rest];
  if (!(name in scripts)) return false;
  const names = own.filter((arg) => !arg.startsWith("-"));
  return (
    !/^test(?::long)?$/.test(name) ||
    names.every((name) => parts.some((part) => part.name === name) || existsSync(join(root, name)))
  );
}

/** Whether `npx PROGRAM …` runs an installed package, and for vitest an existing project and test files that exist. */
function isKnownNpx([program = "", ...args]: readonly string[], repository: Repository): boolean {
  if (!existsSync(join(repository.root, "node_modules/.bin", program))) return false;
  return program !== "vitest" || isKnownVitest(args.join(" "), repository);
}

/** Whether a command of vitest names a project that exists, and only test files that this project runs. */
function isKnownVitest(args: string, { root, projects }: Repository): boolean {
  const [, project] = / --project (\S+)/.exec(args) ?? [];
  const [, ...filters] = args.replace(/ -t "[^"]*"| --project \S+| -\S+/g, "").split(" ");
  const filesOf = (tests: readonly TestProject[]) =>
    tests.flatMap(({ include, exclude = [] }) => globSync(include, { cwd: root, exclude }));
  const all = filesOf(projects);
  const run = project === undefined ? all : filesOf(projects.filter(({ name }) => name === project));
  const named = filters.map((filter) => all.filter((file) => file.includes(filter)));
  return run.length > 0 && named.every((files) => files.length > 0 && files.every((file) => run.includes(file)));
}
