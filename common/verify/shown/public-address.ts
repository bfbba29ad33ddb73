import { parseUuid } from "../../platform/encoding/uuid.ts";
import { CannotVerify } from "../compare/cannot-verify.ts";
import { getJson } from "./get-json.ts";

/** The public address of a sale: of its page, or of its figures. */
export interface PublicAddress {
  readonly origin: string;
  readonly saleUuid: string;
  /** First segment of the public paths; absent in the address of a page, which doesn't have it. */
  readonly prefix?: string;
}

const PAGE = /^\/sales\/([^/]+)\/?$/;
const API = /^\/([^/]+)\/v1\/public\/sales\/([^/]+)(?:\/commitment-data)?\/?$/;
/** The end of the path in the document of the API by which its prefix is found. */
const READ = "/v1/public/read-commitment-data";

/** Reads the address of a sale; undefined for a text that is none. */
export function publicAddress(text: string): PublicAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, pathname } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  const [, pageUuid] = PAGE.exec(pathname) ?? [];
  const [, prefix, apiUuid] = API.exec(pathname) ?? [];
  const saleUuid = parseUuid(pageUuid ?? apiUuid ?? "");
  return saleUuid === undefined ? undefined : { origin, saleUuid, ...(prefix === undefined ? {} : { prefix }) };
}

/**
 * Returns the URL of a sale's public document, below which its figures are.
 *
 * @throws CannotVerify if the host has no public read; what `getJson` throws
 */
export async function publicDocument(address: PublicAddress, signal: AbortSignal): Promise<string> {
  const prefix = address.prefix ?? (await prefixOf(address.origin, signal));
  return `${address.origin}/${prefix}/v1/public/sales/${address.saleUuid}`;
}

/** The first segment of the public paths, which each deployment chooses. */
async function prefixOf(origin: string, signal: AbortSignal): Promise<string> {
  const { body } = await getJson(`${origin}/openapi.json`, signal);
  const paths = Object.keys((body["paths"] ?? {}) as Record<string, unknown>);
  const path = paths.find((each) => each.endsWith(READ));
  if (path === undefined) throw new CannotVerify(`${origin} has no public read of sales`);
  return path.slice(1, -READ.length);
}
