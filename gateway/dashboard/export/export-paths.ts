const PREFIX = "/dashboard/sales/";
const SUFFIX = "/commitments.csv";

/** Route of a sale's export, as Hono has it. */
export const EXPORT_ROUTE = `${PREFIX}:saleUuid${SUFFIX}`;

export function exportPath(saleUuid: string): string {
  return PREFIX + saleUuid + SUFFIX;
}

/** Whether a path is that of an export, of whichever sale. */
export function isExportPath(path: string): boolean {
  if (!path.startsWith(PREFIX) || !path.endsWith(SUFFIX)) return false;
  const saleUuid = path.slice(PREFIX.length, -SUFFIX.length);
  return saleUuid !== "" && !saleUuid.includes("/");
}
