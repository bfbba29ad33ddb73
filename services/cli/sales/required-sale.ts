import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";

/** The sale in an answer. The service always sets it, although the field is optional in the message. */
export function requiredSale({ sale }: { readonly sale?: Sale | undefined }): Sale {
  if (sale === undefined) throw new TypeError("the answer has no sale");
  return sale;
}
