import type { FamilyLogs } from "../evm-family.ts";

/** `BidSubmitted(uint256 indexed,address indexed,uint256,uint128)` */
const BID_SUBMITTED = "0x650baad5cd8ca09b8f580be220fa04ce2ba905a041f764b6a3fe2c848eb70540";

/** The logs of an auction. Only a bid adds a row: exits, claims, checkpoints and sweeps change none. */
export const CCA_LOGS: FamilyLogs = {
  topics: [BID_SUBMITTED],
  meaningOf: ([topic, id]) =>
    topic === BID_SUBMITTED && id !== undefined ? { kind: "row", commitmentId: id.slice(2) } : { kind: "unknown" },
  namedId: ({ commitmentId }) => commitmentId,
  topicsOf: ({ commitmentId }) => [BID_SUBMITTED, `0x${commitmentId}`],
};
