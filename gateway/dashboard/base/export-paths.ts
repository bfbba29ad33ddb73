const PREFIX = "/dashboard/sales/";
const EXACT = "/commitments.csv";
const FOR_PEOPLE = "/commitments-for-people.csv";

/** Route of a sale's exact export. */
export const EXPORT_ROUTE = `${PREFIX}{saleUuid}${EXACT}`;
/** Route of a sale's export for people. */
export const PEOPLE_EXPORT_ROUTE = `${PREFIX}{saleUuid}${FOR_PEOPLE}`;
/** Query parameter of the latter: the name of a time zone. */
export const ZONE_PARAMETER = "zone";

/** Returns the path of a sale's exact export. */
export function exportPath(saleUuid: string): string {
  return PREFIX + saleUuid + EXACT;
}

/** Returns the path of a sale's export for people, without its query. */
export function peopleExportPath(saleUuid: string): string {
  return PREFIX + saleUuid + FOR_PEOPLE;
}
