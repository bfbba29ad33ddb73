const PREFIX = "/dashboard/sales/";
const SUFFIX = "/commitments.csv";

/** Route of a sale's export. */
export const EXPORT_ROUTE = `${PREFIX}{saleUuid}${SUFFIX}`;

/** Returns the path of a sale's export. */
export function exportPath(saleUuid: string): string {
  return PREFIX + saleUuid + SUFFIX;
}
