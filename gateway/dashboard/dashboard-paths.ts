import { DASHBOARD_PATH } from "../web/auth/auth-paths.ts";
import { exportPath } from "./export/export-paths.ts";

/** Where the founder's pages are. */
export const NEW_SALE_PATH = `${DASHBOARD_PATH}/new-sale`;
/** Answers a script with what a form's entries come to. */
export const CHECK_PATH = `${DASHBOARD_PATH}/check`;

/** Pages and forms of one sale. */
export function salePaths(saleUuid: string) {
  const sale = `${DASHBOARD_PATH}/sales/${saleUuid}`;
  return {
    sale,
    settings: `${sale}/settings`,
    contract: `${sale}/contract`,
    open: `${sale}/open`,
    settle: `${sale}/settle`,
    members: `${sale}/members`,
    removeMember: `${sale}/members/remove`,
    log: `${sale}/log`,
    newApplication: `${sale}/applications/new`,
    /** Every commitment, as a file. */
    export: exportPath(saleUuid),
    /** A new sale with the same settings in live tenancy. */
    copy: `${NEW_SALE_PATH}?${new URLSearchParams({ from: saleUuid })}`,
  };
}

/** Pages and forms of an application of a sale. */
export function applicationPaths(saleUuid: string, clientUuid: string) {
  const application = `${salePaths(saleUuid).sale}/applications/${clientUuid}`;
  return {
    application,
    addRedirectUri: `${application}/redirect-uris/add`,
    removeRedirectUri: `${application}/redirect-uris/remove`,
    logos: `${application}/logos`,
    preview: `${application}/preview`,
    status: `${application}/status`,
  };
}

/** Where a page is that is shown without script when a sale's figures are public. */
export function publicSalePath(saleUuid: string): string {
  return `/sales/${saleUuid}`;
}
