// Loaded before a program of this repository (`node --import`). Node would ask the disk, and the package.json files above, at each of
// its 3,000 imports, which is a sixth of a start. Nearly all answers follow from the path or from an earlier answer of Node's. In plain
// JavaScript, as Node would load its TypeScript compiler for it.
import { registerHooks } from "node:module";

const ROOT = new URL("../", import.meta.url).href;
const PACKAGES = "/node_modules/";
/** Node's answers for packages, by specifier and by where it looks from. */
const packages = new Map();
/** Formats of the `.js` files of a folder: all are what the nearest package.json says. */
const formats = new Map();

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL, conditions } = context;
    // A program's own file has no parent. What `require` is given needn't be exact, and packages have other files for it.
    if (parentURL === undefined || !conditions.includes("import")) return next(specifier, context);
    if (!specifier.startsWith(".")) return resolvePackage(specifier, context, next);
    if (specifier.endsWith(".js")) return resolveScript(specifier, context, next);
    if (!specifier.endsWith(".ts")) return next(specifier, context);
    return answer(new URL(specifier, parentURL).href, "module-typescript");
  },
});

function answer(url, format) {
  return { url, format, shortCircuit: true };
}

/** From all of our own modules, the same packages are found. A package may have some of its own, and names for its own folders. */
function resolvePackage(specifier, context, next) {
  const { parentURL } = context;
  const isOwn = parentURL.startsWith(ROOT) && !parentURL.includes(PACKAGES);
  const key = `${specifier} ${isOwn ? ROOT : folderOf(parentURL)}`;
  const known = packages.get(key);
  if (known !== undefined) return answer(known.url, known.format);
  const found = next(specifier, context);
  packages.set(key, found);
  return found;
}

/** An import's path is exact, so that only the file's format is unknown. */
function resolveScript(specifier, context, next) {
  const url = new URL(specifier, context.parentURL).href;
  const folder = folderOf(url);
  const format = formats.get(folder);
  if (format !== undefined) return answer(url, format);
  const found = next(specifier, context);
  // A file behind a link is in another folder, and a package.json may leave it to each file.
  if (found.url === url && typeof found.format === "string") formats.set(folder, found.format);
  return found;
}

/** @param {string} url */
function folderOf(url) {
  return url.slice(0, url.lastIndexOf("/"));
}
