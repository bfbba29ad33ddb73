import { Code, ConnectError } from "@connectrpc/connect";
import type { CommitmentsClient } from "../sending/commitments-client.ts";

/** A client of a commitments service in which only the given methods answer. */
export function clientWith(
  commitments: Partial<CommitmentsClient["commitments"]>,
  sales: Partial<CommitmentsClient["sales"]> = {},
): CommitmentsClient {
  const refuse = () => Promise.reject(new ConnectError("not part of this test", Code.Unimplemented));
  return {
    sales: { getSale: refuse, listSales: refuse, ...sales },
    commitments: {
      acquireSaleLease: refuse,
      acquireSaleLeases: refuse,
      applyCommitments: refuse,
      getCommitmentRecords: refuse,
      listChangedSales: refuse,
      listDigests: refuse,
      renewSaleLeases: refuse,
      reportSourceStatus: refuse,
      reportSourceStatuses: refuse,
      ...commitments,
    },
  };
}
