// @ts-check
// The demand of an auction as its public read has it.

import { fetchInTime } from "./deadline.js";

/** Returns the levels of an auction's demand by price descending; undefined where they can't be read now. @param {string} api path of the sale's public read
 * @returns {Promise<readonly import("../../../common/sale/figures/what-if.ts").PublicLevel[] | undefined>} */
export async function readDemand(api) {
  try {
    const answer = await fetchInTime(`${api}/demand`);
    return answer.ok ? (await answer.json()).Levels : undefined;
  } catch {
    return undefined;
  }
}
