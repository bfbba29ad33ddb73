import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./test/run-command.ts";

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
}

/** A package in the container image. */
export interface ProductionPackage {
  /** The package's name, for example `@bufbuild/protobuf`. */
  readonly name: string;
  readonly version: string;
  /** The package's folder, relative to the repository's root. */
  readonly folder: string;
  /** SPDX expression of its package.json, if it has one. */
  readonly licence?: string;
}

const FOLDER = "node_modules/";

/** Returns the packages that `npm ci --omit=dev --omit=optional --omit=peer` installs in a folder, sorted by name. */
export function productionPackages(root = ROOT): readonly ProductionPackage[] {
  const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(join(root, "package-lock.json"), "utf8"),
  );
  return Object.entries(lock.packages)
    .filter(([path, { dev, optional, devOptional, peer }]) => path !== "" && !(dev || optional || devOptional || peer))
    .map(([folder, { version = "", license }]) => ({
      name: folder.slice(folder.lastIndexOf(FOLDER) + FOLDER.length),
      version,
      folder,
      ...(license === undefined ? {} : { licence: license }),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
