import type { ServedSale } from "./sample-commitments-server.ts";
import { sampleCommitmentData } from "./sample-sale.ts";

/** A sale whose total and latest commitment grow. */
export class ChangingSale implements ServedSale {
  readonly data = sampleCommitmentData();
  revision = 1n;

  change(): void {
    this.revision++;
    this.data.totalAmount = String(BigInt(this.data.totalAmount) + 1n);
    const [latest] = this.data.commitments;
    if (latest?.amounts[0] !== undefined) latest.amounts[0].amount = this.revision.toString();
  }
}
