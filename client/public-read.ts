import type { CommitmentData } from "./commitment-data.ts";
import { type CallOptions, jsonPost, request, type Server, urlOf } from "./request.ts";
import type { Position, PositionRequest, Sale } from "./sale.ts";

/**
 * Reads a sale's figures. It needs no sign-in.
 *
 * @throws TidemarkError `not_found` for a sale that isn't public
 */
export function readCommitmentData(server: Server, saleUuid: string, options?: CallOptions): Promise<CommitmentData> {
  return read(server, "read-commitment-data", { SaleUUID: saleUuid }, options);
}

/**
 * Reads what a sale is, and how current its figures are. It needs no sign-in.
 *
 * @throws TidemarkError `not_found` for a sale that isn't public
 */
export function readSale(server: Server, saleUuid: string, options?: CallOptions): Promise<Sale> {
  return read(server, "read-sale", { SaleUUID: saleUuid }, options);
}

/**
 * Reads a page of what a wallet has committed. It needs no sign-in.
 *
 * @throws TidemarkError `not_found` for a sale that isn't public, `resource_exhausted` where too many wallets are looked up at once
 */
export function readPosition(server: Server, request: PositionRequest, options?: CallOptions): Promise<Position> {
  return read(server, "read-position", request, options);
}

function read<T>(server: Server, call: string, body: object, options: CallOptions = {}): Promise<T> {
  return request(urlOf(server, `public/${call}`), jsonPost(body), { ...options, ...server });
}
