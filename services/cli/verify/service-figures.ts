import { setTimeout as delay } from "node:timers/promises";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Client } from "@connectrpc/connect";
import type { SourcePosition } from "../../../common/chains/base/source-position.ts";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { draftOf } from "../../../common/sale/definition/definition-message.ts";
import { type Source, sourceAddress, sourceFamily, sourceVersion } from "../../../common/sale/definition/sale.ts";
import { stageOf } from "../../../common/sale/state/stage.ts";
import { CannotVerify } from "../../../common/verify/compare/cannot-verify.ts";
import type { ShownAccepted } from "../../../common/verify/compare/shown-accepted.ts";
import type { ShownDefinition, ShownSale, ShownSource } from "../../../common/verify/compare/shown-sale.ts";
import { MovedOn } from "../../../common/verify/shown/moved-on.ts";
import type { SaleAllocations } from "../../../proto/gen/tidemark/commitments/v1/allocation_pb.ts";
import type {
  CommitmentService,
  GetCommitmentDataResponse,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { type AsOf, type Sale, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { SourcePosition as PositionMessage } from "../../../proto/gen/tidemark/commitments/v1/source_position_pb.ts";
import { exportedRows } from "./exported-rows.ts";
import { figuresOfMessage } from "./figures-of-message.ts";

/** Reads of a sale that changes between its parts, before the next attempt is the caller's. */
const MAX_READS = 10;
const PAUSE_MS = 100;

/** The services that have a sale. */
export interface FigureServices {
  readonly sales: Pick<Client<typeof SaleService>, "getSale">;
  readonly commitments: Client<typeof CommitmentService>;
}

/**
 * Reads a sale and all of its commitments by the RPCs of the commitments service, at one revision.
 *
 * @throws CannotVerify for a sale that isn't read from a contract; MovedOn if the sale changes all the time; what the calls throw
 */
export async function serviceFigures(
  { sales, commitments }: FigureServices,
  saleUuid: string,
  signal: AbortSignal,
): Promise<ShownSale> {
  for (let read = 1; ; read += 1) {
    try {
      const [{ sale }, data] = await Promise.all([
        sales.getSale({ saleUuid }, { signal }),
        commitments.getCommitmentData({ saleUuid }, { signal }),
      ]);
      if (sale === undefined) throw new TypeError("the answer has no sale");
      if (sale.generation !== data.generation || sale.revision !== data.revision) throw new MovedOn();
      return await withRows(shownSale(sale, data), sale, commitments, signal);
    } catch (error) {
      if (!(error instanceof MovedOn) || read === MAX_READS) throw error;
      await delay(PAUSE_MS, undefined, { signal });
    }
  }
}

async function withRows(
  shown: ShownSale,
  { generation, revision }: Sale,
  commitments: Client<typeof CommitmentService>,
  signal: AbortSignal,
): Promise<ShownSale> {
  const { saleUuid, settled, definition } = shown;
  const rows = await exportedRows(commitments, { saleUuid, generation, revision, settled, definition }, signal);
  return { ...shown, rows };
}

function shownSale(sale: Sale, { data, feedState, changedPosition }: GetCommitmentDataResponse): ShownSale {
  if (data === undefined) throw new TypeError("the answer has no figures");
  if (sale.definition === undefined) throw new TypeError("the answer has no definition");
  const { source, presentation: _, paymentTokenDecimals, ...draft } = draftOf(sale.definition);
  const contractVersion = source && sourceVersion(source);
  const [stage, asOf] = [stageOf(sale.stage), feedState?.asOf && asOfPosition(feedState.asOf)];
  const definition: ShownDefinition = {
    ...draft,
    paymentTokenDecimals: paymentTokenDecimals ?? data.paymentTokenDecimals,
    parsesExtraData: true,
    ...(contractVersion === undefined ? {} : { contractVersion }),
  };
  return {
    saleUuid: sale.uuid,
    name: definition.name,
    settled: sale.status === SaleStatus.SETTLED,
    ...(stage === undefined ? {} : { stage }),
    definition,
    source: shownSource(source, feedState?.chain?.chainId),
    figures: figuresOfMessage(data),
    state: `revision ${sale.revision}`,
    ...(asOf === undefined ? {} : { asOf }),
    ...(changedPosition === undefined ? {} : { changedAt: positionOf(changedPosition) }),
    isFinal: feedState?.final ?? false,
    ...(sale.allocations === undefined ? {} : { accepted: acceptedOf(sale.allocations) }),
  };
}

function acceptedOf({ accepted, total }: SaleAllocations): ShownAccepted {
  return { total: BigInt(total), byToken: new Map(accepted.map(({ token, amount }) => [token, BigInt(amount)])) };
}

function shownSource(source: Source | undefined, chainId: bigint | undefined): ShownSource {
  if (source === undefined) {
    throw new CannotVerify("the sale isn't read from a contract: its figures are those of the service that feeds it");
  }
  const contractFamily = sourceFamily(source);
  return {
    ...{ kind: source.kind, chain: source.chain, address: sourceAddress(source) },
    ...(chainId === undefined || chainId === 0n ? {} : { chainId }),
    ...(contractFamily === undefined ? {} : { contractFamily }),
  };
}

function asOfPosition({ position, blockTime }: AsOf): SourcePosition | undefined {
  return position && { ...positionOf(position), ...timeOf(blockTime) };
}

function timeOf(blockTime: Timestamp | undefined): Pick<SourcePosition, "timeSeconds"> {
  return blockTime === undefined ? {} : { timeSeconds: blockTime.seconds };
}

function positionOf({ height, hash }: PositionMessage): SourcePosition {
  return { height, hash: hexOfBytes(hash) };
}
