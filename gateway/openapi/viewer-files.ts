import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";

/** Path of the viewer's files, whose names change with their content. */
export const VIEWER_PREFIX = "/docs/";

const HASH_CHARACTERS = 16;
const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

const [gzipAsync, gunzipAsync] = [promisify(gzip), promisify(gunzip)];

/** A file of the viewer, kept in memory in its compressed form only. */
export interface ViewerFile {
  readonly path: string;
  readonly mediaType: string;
  readonly gzipped: Buffer;
  /** Returns the uncompressed file. */
  uncompressed(): Promise<Buffer>;
}

export interface ViewerFiles {
  /** Styles and script of Swagger UI, which the page loads on request. */
  readonly viewerStyle: ViewerFile;
  readonly viewerScript: ViewerFile;
  readonly style: ViewerFile;
  readonly script: ViewerFile;
  readonly byPath: ReadonlyMap<string, ViewerFile>;
}

/** Reads the viewer's files: Swagger UI from its package, and the script and styles of this repository. */
export async function readViewerFiles(): Promise<ViewerFiles> {
  const packaged = createRequire(import.meta.url);
  const own = (file: string) => fileURLToPath(new URL(file, import.meta.url));
  const [viewerStyle, viewerScript, style, script] = await Promise.all([
    readViewerFile(packaged.resolve("swagger-ui-dist/swagger-ui.css"), STYLE),
    readViewerFile(packaged.resolve("swagger-ui-dist/swagger-ui-bundle.js"), SCRIPT),
    readViewerFile(own("viewer.css"), STYLE),
    readViewerFile(own("viewer.js"), SCRIPT),
  ]);
  const byPath = new Map([viewerStyle, viewerScript, style, script].map((file) => [file.path, file]));
  return { viewerStyle, viewerScript, style, script, byPath };
}

async function readViewerFile(file: string, mediaType: string): Promise<ViewerFile> {
  const content = await readFile(file);
  const hash = createHash("sha256").update(content).digest("hex").slice(0, HASH_CHARACTERS);
  const gzipped = await gzipAsync(content);
  const path = `${VIEWER_PREFIX}${hash}${file.slice(file.lastIndexOf("."))}`;
  return { path, mediaType, gzipped, uncompressed: () => gunzipAsync(gzipped) };
}
