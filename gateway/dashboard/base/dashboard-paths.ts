import { DASHBOARD_PATH } from "../../web/sessions/auth-paths.ts";

/** Path of the form for a new sale. */
export const NEW_SALE_PATH = `${DASHBOARD_PATH}/new-sale`;
/** Path of the check of a form's entries, for the page's script. */
export const CHECK_PATH = `${DASHBOARD_PATH}/check`;

/** Returns the paths of a sale's pages and forms. */
export function salePaths(saleUuid: string) {
  const sale = `${DASHBOARD_PATH}/sales/${saleUuid}`;
  return {
    sale,
    settings: `${sale}/settings`,
    presentation: `${sale}/presentation`,
    logo: `${sale}/presentation/logo`,
    /** A draft's public page as it will be. */
    preview: `${sale}/preview`,
    applications: `${sale}/applications`,
    developers: `${sale}/developers`,
    /** Charts by day. */
    days: `${sale}/days`,
    contract: `${sale}/contract`,
    /** State of the contract, for the page's script. */
    contractState: `${sale}/contract/state`,
    open: `${sale}/open`,
    settle: `${sale}/settle`,
    /** The plan of a settlement, and its downloads. */
    settlement: `${sale}/settlement`,
    remove: `${sale}/remove`,
    members: `${sale}/members`,
    removeMember: `${sale}/members/remove`,
    passkeyRule: `${sale}/members/passkeys`,
    log: `${sale}/log`,
    webhooks: `${sale}/webhooks`,
    importCommitments: `${sale}/import`,
    takingPart: `${sale}/taking-part`,
    newApplication: `${sale}/applications/new`,
    /** Page from which all commitments are downloaded. */
    downloads: `${sale}/downloads`,
    /** Download of all commitments. */
    export: exportPath(saleUuid),
    /** Download of all commitments for people. */
    peopleExport: peopleExportPath(saleUuid),
    /** Form for a new sale with the same settings in live tenancy. */
    copy: `${NEW_SALE_PATH}?${new URLSearchParams({ from: saleUuid })}`,
  };
}

/** Returns the paths of the pages and forms about who may take part in a sale. */
export function takingPartPaths(saleUuid: string) {
  const { takingPart: overview } = salePaths(saleUuid);
  return {
    overview,
    rules: `${overview}/rules`,
    groupMembers: `${overview}/group-members`,
    importGroupMembers: `${overview}/group-members/import`,
    removeGroupMembers: `${overview}/group-members/remove`,
    /** Download of all members of groups. */
    groupMembersCsv: `${overview}/group-members.csv`,
    denyList: `${overview}/deny-list`,
    changeDenyList: `${overview}/deny-list/change`,
    /** Download of the deny list. */
    denyListCsv: `${overview}/deny-list.csv`,
    freezes: `${overview}/freezes`,
    liftFreeze: `${overview}/freezes/lift`,
    signer: `${overview}/signer`,
    permits: `${overview}/permits`,
  };
}

/** Path of the entities that wait for a reviewer. */
export const REVIEWS_PATH = `${DASHBOARD_PATH}/reviews`;

/** Returns the path of the page on which a reviewer decides about an entity. */
export function reviewPath(entityUuid: string): string {
  return `${REVIEWS_PATH}/${entityUuid}`;
}

/** Returns the paths of the pages and forms of an application. */
export function applicationPaths(saleUuid: string, clientUuid: string) {
  const application = `${salePaths(saleUuid).sale}/applications/${clientUuid}`;
  return {
    application,
    addRedirectUri: `${application}/redirect-uris/add`,
    removeRedirectUri: `${application}/redirect-uris/remove`,
    logos: `${application}/logos`,
    preview: `${application}/preview`,
    security: `${application}/security`,
    status: `${application}/status`,
  };
}

/** Returns the path of a sale's public page. */
export function publicSalePath(saleUuid: string): string {
  return `/sales/${saleUuid}`;
}

const SALES_PREFIX = "/dashboard/sales/";
const EXACT_EXPORT = "/commitments.csv";
const EXPORT_FOR_PEOPLE = "/commitments-for-people.csv";

/** Route of a sale's exact export. */
export const EXPORT_ROUTE = `${SALES_PREFIX}{saleUuid}${EXACT_EXPORT}`;
/** Route of a sale's export for people. */
export const PEOPLE_EXPORT_ROUTE = `${SALES_PREFIX}{saleUuid}${EXPORT_FOR_PEOPLE}`;
/** Query parameter of the latter: the name of a time zone. */
export const ZONE_PARAMETER = "zone";

/** Returns the path of a sale's exact export. */
function exportPath(saleUuid: string): string {
  return SALES_PREFIX + saleUuid + EXACT_EXPORT;
}

/** Returns the path of a sale's export for people, without its query. */
function peopleExportPath(saleUuid: string): string {
  return SALES_PREFIX + saleUuid + EXPORT_FOR_PEOPLE;
}
