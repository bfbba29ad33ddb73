// Loaded before a program of this repository (`node --import`): what was compiled at an earlier start needn't be again. A process keeps
// what it compiled when it ends by itself.
import { enableCompileCache } from "node:module";
import process from "node:process";
import { compileCacheFolder } from "./folder.mjs";

// The image and tests say where theirs is.
const folder = process.env.NODE_COMPILE_CACHE ?? compileCacheFolder();
if (folder !== undefined) enableCompileCache(folder);
