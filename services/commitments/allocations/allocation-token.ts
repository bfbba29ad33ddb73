import { Buffer } from "node:buffer";
import { unknownPageToken } from "../../../common/platform/rpc/server/page-token.ts";
import type { Allocation } from "../../../common/sale/record/allocation.ts";

type Key = Pick<Allocation, "entityId" | "wallet" | "token">;

/** Entity, wallet and token. */
const KEY = /^([0-9a-f]{32})\/([0-9a-zA-Z]{1,44})\/([0-9a-zA-Z]{1,44})$/;

/** Returns the token of the page that begins after an allocation. */
export function allocationToken({ entityId, wallet, token }: Key): string {
  return Buffer.from(`${entityId}/${wallet}/${token}`).toString("base64url");
}

/**
 * Returns the allocation after which a page begins; undefined for the first page.
 *
 * @throws ServiceError `invalid_argument` for text that `allocationToken` never makes
 */
export function keyOfToken(text: string): Key | undefined {
  if (text === "") return undefined;
  const [, entityId, wallet, token] = KEY.exec(Buffer.from(text, "base64url").toString("latin1")) ?? [];
  if (entityId !== undefined && wallet !== undefined && token !== undefined) {
    const key = { entityId, wallet, token };
    if (allocationToken(key) === text) return key;
  }
  throw unknownPageToken();
}
