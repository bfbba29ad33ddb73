// @ts-check
// What figures are of, in words. Runs in the browser and on the server, so that both say the same.

import { fill } from "./message.js";
import { groupedText } from "./numbers.js";
import { momentText } from "./row-texts.js";
import { texts } from "./words.js";

/**
 * @typedef {object} Block
 * @property {string} Block
 * @property {string | undefined} [BlockHash]
 * @property {number | undefined} [BlockTime] in seconds since 1970
 *
 * @typedef {object} Source
 * @property {Block | null} AsOf
 * @property {string} Fault
 */

/**
 * Returns which block figures are of, or why they stand still; empty for a sale without a contract.
 *
 * @param {Source} source
 */
export function sourceText({ AsOf, Fault }) {
  if (Fault !== "") return faultText(Fault);
  return AsOf === null ? "" : blockText(AsOf);
}

/** @param {Block} block */
function blockText({ Block, BlockHash, BlockTime }) {
  const { live } = texts();
  const [block, isSlot] = [groupedText(BigInt(Block)), BlockHash === undefined];
  if (BlockTime === undefined) return fill(isSlot ? live.slot : live.block, { block });
  const time = momentText(new Date(1000 * BlockTime).toISOString());
  return fill(isSlot ? live.slotAt : live.blockAt, { block, time });
}

/** Names of the faults by the sentences that the public read has for them. */
const FAULTS = /** @type {const} */ ({
  "The sale's contract can't be read at the moment.": "unreadable",
  "Reading the sale's contract takes longer than usual.": "late",
  "The sale's contract isn't being read at the moment.": "noIndexer",
  "The sale's figures can't be brought up to date at the moment.": "unreachable",
  "The accepted amounts don't add up to the total that the sale's contract says.": "different",
});

/** Returns a fault in the language that is written; that of a later server in the server's words. @param {string} sentence */
function faultText(sentence) {
  const name = Object.hasOwn(FAULTS, sentence) ? FAULTS[/** @type {keyof typeof FAULTS} */ (sentence)] : undefined;
  return name === undefined ? sentence : texts().fault[name];
}
