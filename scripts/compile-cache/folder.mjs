// Plain JavaScript: the preload that imports it runs at each start, and Node loads its TypeScript compiler only for what no cache has.
import { lstatSync, mkdirSync, rmSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../node_modules/.cache/node-compile-cache", import.meta.url));
const FOR_OWNER_ONLY = 0o700;
const OTHERS = 0o077;

/**
 * Returns the folder of Node's compile cache, made where it is missing. What is in it is run as code, so it is this user's alone: one that
 * others could write to is made anew, and for another user's, and where none can be made, it returns undefined.
 *
 * @param {string} [folder] below node_modules by default, so that it goes with an installation
 * @returns {string | undefined}
 */
export function compileCacheFolder(folder = FOLDER) {
  try {
    if (!isOwn(folder)) return undefined;
    if (isOpen(folder)) rmSync(folder, { recursive: true });
    mkdirSync(folder, { recursive: true, mode: FOR_OWNER_ONLY });
    return isOwn(folder) && !isOpen(folder) ? folder : undefined;
  } catch {
    // A read-only installation, or one of another user.
    return undefined;
  }
}

/** @param {string} folder */
function isOwn(folder) {
  const state = lstatSync(folder, { throwIfNoEntry: false });
  if (state === undefined) return true;
  return state.isDirectory() && state.uid === (process.getuid?.() ?? state.uid);
}

/** @param {string} folder */
function isOpen(folder) {
  const state = lstatSync(folder, { throwIfNoEntry: false });
  return process.platform !== "win32" && state !== undefined && (state.mode & OTHERS) !== 0;
}
