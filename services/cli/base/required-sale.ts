import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";

/** The sale that an answer carries. The contract has every answer carry one, but a message may lack any field. */
export function requiredSale({ sale }: { readonly sale?: Sale | undefined }): Sale {
  if (sale === undefined) throw new TypeError("the answer has no sale");
  return sale;
}
