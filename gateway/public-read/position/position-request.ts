import { addressFamily, anyAddressForm } from "../../../common/chains/addresses.ts";
import type { JsonObject } from "../../web/http/json-body.ts";
import { invalidField } from "../../web/http/public-error.ts";
import { parseSaleUuid, SALE_UUID_FIELD } from "../../web/http/sale-uuid.ts";
import { parseReadBody, requiredField } from "../read-request.ts";

/** A wallet to look up. Whether it is one of the sale's chain, and spelled right, the commitments service says. */
export interface PositionRequest {
  /** In canonical form. */
  readonly saleUuid: string;
  readonly wallet: string;
  /** Empty for the first page. */
  readonly pageToken: string;
}

export const WALLET_FIELD = "Wallet";
export const PAGE_TOKEN_FIELD = "PageToken";

const PAGE_TOKEN = /^[\w-]{0,64}$/;

/** The fields of the request by those of `GetPosition`. */
export const PUBLIC_FIELDS: ReadonlyMap<string, string> = new Map([
  ["sale_uuid", SALE_UUID_FIELD],
  ["wallet", WALLET_FIELD],
  ["page_token", PAGE_TOKEN_FIELD],
]);

/** Reads the body of a look-up. Unknown fields are ignored. @throws PublicError `invalid_argument` */
export function parsePositionRequest(body: Buffer): PositionRequest {
  return positionRequest(parseReadBody(body));
}

/** Checks the fields of a look-up. @throws PublicError `invalid_argument` */
export function positionRequest(value: JsonObject): PositionRequest {
  const saleUuid = parseSaleUuid(requiredField(value, SALE_UUID_FIELD));
  const wallet = textOf(WALLET_FIELD, requiredField(value, WALLET_FIELD));
  if (addressFamily(wallet) === undefined) throw invalidField(WALLET_FIELD, "address.form", anyAddressForm);
  return { saleUuid, wallet, pageToken: pageTokenOf(value) };
}

function pageTokenOf(value: JsonObject): string {
  if (!Object.hasOwn(value, PAGE_TOKEN_FIELD)) return "";
  const token = textOf(PAGE_TOKEN_FIELD, value[PAGE_TOKEN_FIELD]);
  if (PAGE_TOKEN.test(token)) return token;
  throw invalidField(PAGE_TOKEN_FIELD, "page_token.unknown", "must be the NextPageToken of the page before");
}

function textOf(field: string, value: unknown): string {
  if (typeof value !== "string") throw invalidField(field, "string", "must be a string");
  return value;
}
