import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { AuctionFacts, ScheduledBlock } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { utcTime } from "../../platform/encoding/utc-time.ts";
import { fill, type Translation } from "../../platform/language/message.ts";
import { type DefinitionLine, type DefinitionStyle, ENGLISH_STYLE, priceLine } from "./definition-lines.ts";
import { countText } from "./number-text.ts";

/** The words of an auction's lines. */
export const AUCTION_WORDS = {
  contract: "Contract",
  kind: "Continuous Clearing Auction {version}",
  token: "Token for sale",
  starts: "Bids from",
  ends: "No more bids from",
  claims: "Tokens from",
  block: "block {number}",
  blockAt: "block {number}, {time}",
  blockEstimated: "block {number}, about {time} (estimated)",
  bidsAt: "Bids at multiples of",
  bidders: "Who may bid",
  everybody: "everybody",
  byHook: "whom the contract {address} lets",
  required: "Must raise",
  requiredUnknown: "unknown, as the contract doesn’t say it",
} as const;

/** The language of an auction's lines, and its words. */
export interface AuctionStyle extends DefinitionStyle {
  readonly auctionWords: Translation<typeof AUCTION_WORDS>;
  /** Returns a time for readers. */
  readonly timeText: (time: Date) => string;
}

const ENGLISH: AuctionStyle = { ...ENGLISH_STYLE, auctionWords: AUCTION_WORDS, timeText: utcTime };

/**
 * Returns what an auction's contract says besides the settings of its sale, as lines to read.
 *
 * @param definition the settings that follow from it; undefined where they can't be read
 */
export function auctionLines(
  auction: AuctionFacts,
  definition: SaleDefinition | undefined,
  style: AuctionStyle = ENGLISH,
): readonly DefinitionLine[] {
  const { version, offeredToken, start, end, claim, tickSpacing, validationHook } = auction;
  const { auctionWords: words } = style;
  const symbol = definition?.presentation?.offeredTokenSymbol ?? "";
  return [
    { label: words.contract, text: fill(words.kind, { version }) },
    { label: words.token, text: symbol === "" ? offeredToken : `${symbol}, ${offeredToken}` },
    ...blockLine(words.starts, start, style),
    ...blockLine(words.ends, end, style),
    ...blockLine(words.claims, claim, style),
    ...(definition === undefined ? [] : [priceLine(definition, words.bidsAt, BigInt(tickSpacing), style)]),
    {
      label: words.bidders,
      text: validationHook === "" ? words.everybody : fill(words.byHook, { address: validationHook }),
    },
    { label: words.required, text: words.requiredUnknown },
  ];
}

function blockLine(
  label: string,
  block: ScheduledBlock | undefined,
  { auctionWords: words, language, timeText }: AuctionStyle,
): readonly DefinitionLine[] {
  if (block === undefined) return [];
  const number = countText(block.number, language);
  if (block.time === undefined) return [{ label, text: fill(words.block, { number }) }];
  const time = timeText(new Date(Number(block.time.seconds) * 1_000));
  return [{ label, text: fill(block.estimated ? words.blockEstimated : words.blockAt, { number, time }) }];
}
