import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** A file that a registry serves by its digest. */
interface Blob {
  readonly file: string;
  readonly type: string;
  readonly size: number;
}

/** An image, as a registry holds it. */
export interface ImageFiles {
  readonly manifestDigest: string;
  readonly blobs: ReadonlyMap<string, Blob>;
}

/** Fields of an image's configuration, as the image specification 1.1 names them. */
export interface ImageConfiguration {
  readonly User?: string;
  readonly Env?: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd?: readonly string[];
  readonly WorkingDir?: string;
}

const TYPE = "application/vnd.oci.image";

/** Describes layers, each a tar, as one image; its files lie in the folder. */
export async function layOutFiles(
  folder: string,
  layers: readonly string[],
  config: ImageConfiguration,
): Promise<ImageFiles> {
  const blobs = new Map<string, Blob>();
  const add = async (file: string, type: string) => {
    const digest = await digestOf(file);
    const { size } = await stat(file);
    blobs.set(digest, { file, type, size });
    return { mediaType: type, digest, size };
  };
  const write = async (name: string, type: string, content: object) => {
    const file = join(folder, name);
    await writeFile(file, JSON.stringify(content));
    return add(file, type);
  };
  const layerBlobs = [];
  for (const layer of layers) layerBlobs.push(await add(layer, `${TYPE}.layer.v1.tar`));
  const configuration = await write("config.json", `${TYPE}.config.v1+json`, {
    architecture: process.arch === "arm64" ? "arm64" : "amd64",
    os: "linux",
    config,
    rootfs: { type: "layers", diff_ids: layerBlobs.map(({ digest }) => digest) },
  });
  const mediaType = `${TYPE}.manifest.v1+json`;
  const manifest = { schemaVersion: 2, mediaType, config: configuration, layers: layerBlobs };
  const { digest } = await write("manifest.json", mediaType, manifest);
  return { manifestDigest: digest, blobs };
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return `sha256:${hash.digest("hex")}`;
}
