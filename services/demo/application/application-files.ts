import { readFile } from "node:fs/promises";

export interface ApplicationFile {
  readonly url: URL;
  readonly mediaType: string;
}

/** The files that the application's pages load, by path. */
export const APPLICATION_FILES: ReadonlyMap<string, ApplicationFile> = new Map([
  ["/style.css", { url: new URL("style.css", import.meta.url), mediaType: "text/css; charset=utf-8" }],
  ["/logo.png", { url: new URL("../logos/square.png", import.meta.url), mediaType: "image/png" }],
]);

export async function readApplicationFile({ url }: ApplicationFile): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(await readFile(url));
}
