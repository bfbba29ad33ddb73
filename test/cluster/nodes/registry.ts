import { createReadStream } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { ImageFiles } from "./image-layout.ts";

/** Path of the distribution specification 1.1: name of the repository, kind, and digest or tag. */
const PATH = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/;

/** A registry of images that are there from its start, by the name of their repository. Any tag is found. */
export class StaticRegistry {
  readonly #images: ReadonlyMap<string, ImageFiles>;
  readonly #server: Server;

  private constructor(images: ReadonlyMap<string, ImageFiles>) {
    this.#images = images;
    this.#server = createServer(({ url = "", method }, response) => this.#answer(url, method === "HEAD", response));
  }

  static async start(images: ReadonlyMap<string, ImageFiles>, address: string, port: number): Promise<StaticRegistry> {
    const registry = new StaticRegistry(images);
    await new Promise<void>((resolve) => registry.#server.listen(port, address, resolve));
    return registry;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(url: string, withoutBody: boolean, response: ServerResponse): void {
    if (url === "/v2/") return void response.end();
    const [, name = "", kind, reference = ""] = PATH.exec(url.split("?", 1)[0] ?? "") ?? [];
    const image = this.#images.get(name);
    const digest = kind === "manifests" && !reference.includes(":") ? image?.manifestDigest : reference;
    const blob = image?.blobs.get(digest ?? "");
    if (blob === undefined || digest === undefined) return void response.writeHead(404).end();
    response.writeHead(200, {
      "content-type": blob.type,
      "content-length": blob.size,
      "docker-content-digest": digest,
    });
    if (withoutBody) return void response.end();
    createReadStream(blob.file).pipe(response);
  }
}
