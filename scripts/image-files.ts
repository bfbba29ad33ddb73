import { chmodSync, copyFileSync, globSync, mkdirSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { DRAWING_FILES } from "../gateway/sale-page/share-image/drawing-files.ts";
import { productionPackages } from "./production-packages.ts";
import { ROOT } from "./test/run-command.ts";

/** Files and folders of the repository that the image contains beside its packages: code, and the guide that the dashboard shows. */
export const IMAGE_SOURCES = [
  "package.json",
  "LICENSE",
  "proto/gen",
  "client",
  "common",
  "services",
  "gateway",
  "docs/for-founders.md",
  "docs/sales.md",
  "docs/sign-in.md",
  "docs/public-read.md",
  "docs/embed.md",
  "docs/webhooks.md",
  "deploy/compose-secrets.ts",
  "deploy/fill-compile-cache.ts",
  "scripts/exact-paths.mjs",
  "scripts/compile-cache/forget.mjs",
];

const MODULES = "node_modules";
const TESTS = /\.test\.ts$|\/testing\//;
/** Declarations and source maps of packages are for developers only: Node doesn't strip types below node_modules. */
const DECLARATIONS_AND_MAPS = /\.(?:[mc]?ts|map)$/;
/** Files of a package that say what it is and under which licence. */
const LICENCES = /\/(?:package\.json|LICEN[CS]E[^/]*)$/;
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;
/** Modification time of everything, in seconds. A time of its own would make each build another image. */
const MODIFIED = 0;

/**
 * Lays out the folder that deploy/Dockerfile copies into the image: the sources and the production packages that are installed
 * in the repository. Two builds give the same bytes, modes and times.
 *
 * @param target a folder that doesn't exist yet
 * @throws Error if a package isn't installed
 */
export function layOutImage(target: string): void {
  const files = [
    ...IMAGE_SOURCES.flatMap(sourceFiles),
    ...productionPackages().flatMap(({ folder }) => packageFiles(folder)),
  ];
  for (const file of files) {
    mkdirSync(join(target, dirname(file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(target, file));
  }
  for (const entry of globSync("**", { cwd: target, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    fix(path, entry.isDirectory() ? FOLDER_MODE : FILE_MODE);
  }
  fix(target, FOLDER_MODE);
}

function fix(path: string, mode: number): void {
  chmodSync(path, mode);
  utimesSync(path, MODIFIED, MODIFIED);
}

function sourceFiles(path: string): string[] {
  if (statSync(join(ROOT, path)).isFile()) return [path];
  return filesBelow(path, []).filter((file) => !TESTS.test(file));
}

function packageFiles(folder: string): string[] {
  const files = filesBelow(folder, [MODULES]);
  if (files.length === 0) throw new Error(`${folder} is not installed: run npm ci`);
  const isDrawn = DRAWING_FILES.some((file) => join(MODULES, file).startsWith(`${folder}/`));
  return files.filter((file) => (isDrawn ? isDrawingFile(file) : !DECLARATIONS_AND_MAPS.test(file)));
}

/** Whether a file of Skia or of a font is read, or says what it is: other builds and weights would take 30 MB more. */
function isDrawingFile(file: string): boolean {
  return DRAWING_FILES.includes(file.slice(MODULES.length + 1)) || LICENCES.test(file);
}

function filesBelow(folder: string, exclude: readonly string[]): string[] {
  return globSync("**", { cwd: join(ROOT, folder), withFileTypes: true, exclude })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));
}

// `node scripts/image-files.ts FOLDER`, as the Dockerfile runs it.
if (import.meta.main) {
  const [target] = process.argv.slice(2);
  if (target === undefined) throw new Error("usage: node scripts/image-files.ts FOLDER");
  layOutImage(target);
}
