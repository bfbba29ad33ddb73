// Loaded before a program of this repository (`node --import`), after exact-paths.mjs, which wouldn't pass imports on to it. Node holds
// all that it has read of its compile cache until it writes what is new there, which nearly always is nothing: so it is told to at each
// import. All at once at the end of a start would leave holes in memory that nothing fills. In plain JavaScript, as Node would load its
// TypeScript compiler for it.
import { opendirSync } from "node:fs";
import { flushCompileCache, getCompileCacheDir, registerHooks } from "node:module";

const folder = getCompileCacheDir();
// Who fills the cache writes thousands of files, and does it at the end, when nobody waits for the program.
if (folder !== undefined && holdsFiles(folder))
  registerHooks({
    resolve(specifier, context, next) {
      flushCompileCache();
      return next(specifier, context);
    },
  });

/** @param {string} path */
function holdsFiles(path) {
  const entries = opendirSync(path);
  const first = entries.readSync();
  entries.closeSync();
  return first !== null;
}
