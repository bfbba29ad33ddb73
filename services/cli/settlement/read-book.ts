import { setTimeout as delay } from "node:timers/promises";
import { draftOf } from "../../../common/sale/definition/definition-message.ts";
import type { SourceLocation } from "../../../common/sale/definition/source-location.ts";
import type { SettlementBook, SettlementTerms } from "../../../common/sale/settlement/settlement-book.ts";
import { MovedOn } from "../../../common/verify/shown/moved-on.ts";
import type { CommitmentData } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { CliContext } from "../base/cli-context.ts";
import { CommandFailure } from "../base/cli-error.ts";
import { required } from "../base/required.ts";
import { readCommitments } from "./read-commitments.ts";
import { settleableSale } from "./settleable-sale.ts";

/** Reads of a sale that changes between its parts. */
const MAX_READS = 10;
const PAUSE_MS = 100;

/** A book without the founder's lists, and what the service publishes of the same revision. */
export interface ReadBook {
  readonly book: SettlementBook;
  readonly location?: SourceLocation;
  readonly published: CommitmentData;
  /** The source's warning; empty for none. */
  readonly warning: string;
}

/**
 * Reads a sale and its commitments at one revision.
 *
 * @throws CommandFailure where it can't be settled yet, or changes all the time; what the calls throw
 */
export async function readBook(saleUuid: string, context: CliContext): Promise<ReadBook> {
  for (let read = 1; ; read += 1) {
    try {
      return await readOnce(saleUuid, context);
    } catch (error) {
      if (!(error instanceof MovedOn)) throw error;
      if (read === MAX_READS) throw new CommandFailure(`${error.message}: run the command again`);
      await delay(PAUSE_MS, undefined, { signal: context.signal });
    }
  }
}

async function readOnce(saleUuid: string, context: CliContext): Promise<ReadBook> {
  const { sales, commitments: service, signal } = context;
  const sale = required(await sales.getSale({ saleUuid }, { signal }), "sale");
  const { input, location } = settleableSale(sale);
  const data = await service.getCommitmentData({ saleUuid }, { signal });
  if (data.generation !== sale.generation || data.revision !== sale.revision) throw new MovedOn();
  const published = required(data, "data");
  const { header, commitments } = await readCommitments(sale, context);
  const terms = termsOf(required(header, "definition"), published.paymentTokenDecimals);
  return {
    book: { input, terms, refusals: [], limits: [], commitments },
    ...(location === undefined ? {} : { location }),
    published,
    warning: sale.sourceStatus?.warning ?? "",
  };
}

function termsOf(definition: SaleDefinition, normalised: number): SettlementTerms {
  const { pricing, priceTick, paymentTokens, paymentTokenDecimals = normalised } = draftOf(definition);
  return { pricing, priceTick, paymentTokens, paymentTokenDecimals };
}
