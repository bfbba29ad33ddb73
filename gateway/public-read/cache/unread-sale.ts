import type { FeedState, SaleSummary } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { PublicError } from "../../web/http/public-error.ts";

/** The refusal of a public sale whose contract hasn't been read whole yet, with what is known of it: it has no figures. */
export class UnreadSale extends PublicError {
  readonly summary: SaleSummary;
  readonly feedState: FeedState | undefined;

  constructor(summary: SaleSummary, feedState: FeedState | undefined) {
    super("unavailable", "The sale's figures can't be read at the moment.", { headers: ["Retry-After", "1"] });
    this.summary = summary;
    this.feedState = feedState;
  }
}
