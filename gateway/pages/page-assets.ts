import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { ASSETS_PREFIX } from "../auth-paths.ts";

export interface PageAsset {
  /** Changes with the content, so that it may be kept for ever. */
  readonly path: string;
  readonly mediaType: string;
  readonly content: string;
}

const HASH_CHARACTERS = 16;

export const STYLESHEET = readAsset("style.css", "text/css; charset=utf-8");
export const ICON = readAsset("icon.svg", "image/svg+xml");

export const PAGE_ASSETS: ReadonlyMap<string, PageAsset> = new Map(
  [STYLESHEET, ICON].map((asset) => [asset.path, asset]),
);

function readAsset(file: string, mediaType: string): PageAsset {
  const content = readFileSync(new URL(file, import.meta.url), "utf8");
  const hash = createHash("sha256").update(content).digest("hex").slice(0, HASH_CHARACTERS);
  const extension = file.slice(file.lastIndexOf("."));
  return { path: `${ASSETS_PREFIX}${hash}${extension}`, mediaType, content };
}
