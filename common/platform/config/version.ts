import { readFileSync } from "node:fs";

/** The version of the repository or image that this file is part of, from its package.json. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
).version;
