// @ts-check
// What figures are of, in words. Runs in the browser and on the server, so that both say the same.

import { groupedText } from "./numbers.js";
import { momentText } from "./row-texts.js";

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
  return Fault || (AsOf === null ? "" : blockText(AsOf));
}

/** @param {Block} block */
function blockText({ Block, BlockHash, BlockTime }) {
  const time = BlockTime === undefined ? "" : `: ${momentText(new Date(1000 * BlockTime).toISOString())}`;
  return `As of ${BlockHash === undefined ? "slot" : "block"} ${groupedText(BigInt(Block))}${time}`;
}
