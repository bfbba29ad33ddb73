import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { ASSETS_PREFIX } from "../sessions/auth-paths.ts";

export interface PageAsset {
  /** Changes with the content, so that browsers may keep the file for ever. */
  readonly path: string;
  readonly mediaType: string;
  readonly content: string;
}

const HASH_CHARACTERS = 16;

const IMPORT = /^import [^;]*;\n/gm;
const EXPORT = /^export /gm;

/** The styles of all pages, and those of pages with forms. */
export const STYLESHEET = assetOf(
  ["base.css", "style.css"].map((name) => readFileSync(new URL(name, import.meta.url), "utf8")).join("\n"),
  ".css",
  "text/css; charset=utf-8",
);
export const ICON = readAsset(new URL("icon.svg", import.meta.url), "image/svg+xml");

/** The script of every page: a form is sent once, and an error goes where its field is mended. */
export const FORMS_SCRIPT = readScript(
  new URL("../browser/send-once.js", import.meta.url),
  new URL("../browser/mended-fields.js", import.meta.url),
);

/** Files of the pages of sign-in, OAuth and account, by path. */
export const PAGE_ASSETS: ReadonlyMap<string, PageAsset> = new Map(
  [STYLESHEET, ICON, FORMS_SCRIPT].map((asset) => [asset.path, asset]),
);

/** Reads a file of this repository that pages load. */
export function readAsset(file: URL, mediaType: string): PageAsset {
  return assetOf(readFileSync(file, "utf8"), extensionOf(file), mediaType);
}

/**
 * Reads modules as one script, each after those that it imports: an asset's path has the hash of its content, so one can't import
 * another. Biome formats these modules, and no text in them looks like an import or an export.
 */
export function readScript(...modules: readonly URL[]): PageAsset {
  const sources = modules.map((file) => readFileSync(file, "utf8").replace(IMPORT, "").replace(EXPORT, ""));
  return assetOf(sources.join("\n"), ".js", "text/javascript; charset=utf-8");
}

function assetOf(content: string, extension: string, mediaType: string): PageAsset {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, HASH_CHARACTERS);
  return { path: `${ASSETS_PREFIX}${hash}${extension}`, mediaType, content };
}

function extensionOf({ pathname }: URL): string {
  return pathname.slice(pathname.lastIndexOf("."));
}
