import { requestPath } from "../web/http/request-path.ts";

/** What there is beside a sale's commitment data. */
export type SaleExtraKind = "stream" | "history" | "demand";

/** A public resource that a request's path names. */
export type PublicResource =
  | { readonly kind: "read" }
  /** `saleUuid` is unchecked. */
  | { readonly kind: "sale" | SaleExtraKind; readonly saleUuid: string };

/** The paths of the public read. */
export interface PublicPaths {
  readonly read: string;
  readonly salePrefix: string;
}

/** Paths below a sale, the most wanted first. */
const SALE_SUFFIXES = [
  ["sale", "/commitment-data"],
  ["stream", "/commitment-data/stream"],
  ["history", "/history"],
  ["demand", "/demand"],
] as const;

/** @param prefix one safe path segment */
export function publicPaths(prefix: string): PublicPaths {
  return { read: `/${prefix}/v1/public/read-commitment-data`, salePrefix: `/${prefix}/v1/public/sales/` };
}

/**
 * What a request target names, its query ignored. Paths are compared as they stand: nothing is decoded or
 * normalised, so that no proxy can have understood them otherwise.
 */
export function findResource(paths: PublicPaths, target: string): PublicResource | undefined {
  const path = requestPath(target);
  if (path === paths.read) return { kind: "read" };
  if (!path.startsWith(paths.salePrefix)) return undefined;
  for (const [kind, suffix] of SALE_SUFFIXES) {
    if (!path.endsWith(suffix)) continue;
    const saleUuid = path.slice(paths.salePrefix.length, -suffix.length);
    return saleUuid === "" || saleUuid.includes("/") ? undefined : { kind, saleUuid };
  }
  return undefined;
}
