// @ts-check
// Says in words which contract and block figures were read from. Runs in the browser and on the server, so that both say the same.

import { fill } from "../../web/browser/message.js";
import { countText } from "./numbers.js";
import { feedFaultNamed } from "./sale-rules.js";
import { language, texts } from "./words.js";

/**
 * @typedef {object} Block
 * @property {string} Block
 * @property {string | undefined} [BlockHash]
 * @property {number | undefined} [BlockTime] in seconds since 1970
 * @property {number} LastSuccess when it was last known to be the latest, in seconds since 1970
 *
 * @typedef {object} Source
 * @property {Block | null} AsOf
 * @property {string} Fault
 * @property {number} [BehindSeconds] seconds since the figures were last known to be current
 *
 * @typedef {object} SourceText
 * @property {string} sentence with a time at `{time}`
 * @property {string | undefined} time of ISO 8601
 */

/**
 * Returns which block figures are of, or why they stand still; empty for a sale without a contract.
 *
 * @param {Source} source
 * @returns {SourceText}
 */
export function sourceText({ AsOf, Fault }) {
  if (Fault !== "") return { sentence: faultText(Fault), time: undefined };
  return AsOf === null ? { sentence: "", time: undefined } : blockText(AsOf);
}

/**
 * @param {Block} block
 * @returns {SourceText}
 */
function blockText({ Block, BlockHash, BlockTime }) {
  const { live } = texts();
  const [block, isSlot] = [countText(BigInt(Block), language()), BlockHash === undefined];
  if (BlockTime === undefined) return { sentence: fill(isSlot ? live.slot : live.block, { block }), time: undefined };
  const time = new Date(1000 * BlockTime).toISOString();
  return { sentence: fill(isSlot ? live.slotAt : live.blockAt, { block, time: "{time}" }), time };
}

/** Returns a fault in the language that is written; that of a later server in the server's words. @param {string} sentence */
function faultText(sentence) {
  const name = feedFaultNamed(sentence);
  return name === undefined ? sentence : texts().fault[name];
}
