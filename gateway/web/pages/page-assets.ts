import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { ASSETS_PREFIX } from "../auth/auth-paths.ts";

export interface PageAsset {
  /** Changes with the content, so that browsers may keep the file for ever. */
  readonly path: string;
  readonly mediaType: string;
  readonly content: string;
}

const HASH_CHARACTERS = 16;

export const STYLESHEET = readAsset(new URL("style.css", import.meta.url), "text/css; charset=utf-8");
export const ICON = readAsset(new URL("icon.svg", import.meta.url), "image/svg+xml");

/** Files of the pages of sign-in, OAuth and account, by path. */
export const PAGE_ASSETS: ReadonlyMap<string, PageAsset> = new Map(
  [STYLESHEET, ICON].map((asset) => [asset.path, asset]),
);

/** Reads a file of this repository that pages load. */
export function readAsset(file: URL, mediaType: string): PageAsset {
  const content = readFileSync(file, "utf8");
  const hash = createHash("sha256").update(content).digest("hex").slice(0, HASH_CHARACTERS);
  const extension = file.pathname.slice(file.pathname.lastIndexOf("."));
  return { path: `${ASSETS_PREFIX}${hash}${extension}`, mediaType, content };
}
