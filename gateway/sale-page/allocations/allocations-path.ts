/** The name of the parameter with the token of a later page. */
export const AFTER_PARAMETER = "after";

/** Returns the address of a page of a sale's allocations; of the first without a token. */
export function allocationsPath(saleUuid: string, pageToken = ""): string {
  const query = pageToken === "" ? "" : `?${new URLSearchParams({ [AFTER_PARAMETER]: pageToken })}`;
  return `/sales/${saleUuid}/allocations${query}`;
}

/** Returns the address of the file of all allocations of a sale. */
export function allocationsFilePath(saleUuid: string): string {
  return `/sales/${saleUuid}/allocations.csv`;
}
