import { callOrAbsent } from "../../../chains/evm/call-or-absent.ts";
import type { EvmFamily } from "../../evm-family.ts";
import { hasSignerRole } from "../../signer-role.ts";
import { meaningOf } from "./contract-version.ts";
import { OptionalFunctions, UNUSABLE_ANSWERS_OF_ABSENT } from "./optional-functions.ts";
import { REFERENCE_LOGS } from "./reference-logs.ts";
import { referenceView } from "./reference-view.ts";
import { loadSaleCalls } from "./sale-calls.ts";

/** The family of the reference contract: one that has `ICommitmentDataReader`. */
export const REFERENCE_FAMILY: EvmFamily = {
  names: {
    interface: "ICommitmentDataReader",
    saleUuid: "saleUUID()",
    totals: "totalCommittedAmountByToken()",
    acceptedTotals: "totalAcceptedAmountByToken()",
    acceptsSigner: "hasRole(bytes32,address)",
  },
  logs: REFERENCE_LOGS,
  rowsAreFixed: false,
  async view({ use }) {
    const optional = new OptionalFunctions(use === "once" ? UNUSABLE_ANSWERS_OF_ABSENT : 1);
    return referenceView(await loadSaleCalls(), optional);
  },
  meaningOf,
  acceptsSigner: (pinned, signer, signal) => callOrAbsent(pinned, hasSignerRole(signer), signal),
};
