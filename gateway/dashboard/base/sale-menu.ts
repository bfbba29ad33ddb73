import { html } from "hono/html";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { type Sale, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { salePaths } from "./dashboard-paths.ts";
import { texts } from "./texts.ts";

/** A sale, with what decides which of its pages somebody may see. */
export interface MenuSale {
  readonly sale: Sale;
  readonly role: Role;
  /** Whether this gateway has the pages about who may take part. */
  readonly hasTakingPart: boolean;
}

interface Entry {
  readonly href: string;
  readonly text: string;
  /** Pages without an entry of their own that belong to this one, besides those below its path. */
  readonly covers?: readonly string[];
}

/** Returns the links to a sale's pages that somebody may see. @param path of the request */
export function saleMenu(of: MenuSale, path: string): Html {
  const entries = entriesOf(of);
  const current = entryAt(entries, path);
  const { label, closed } = texts().menu;
  const summary = current === undefined ? label : fillHtml(closed, { page: html`<b>${current.text}</b>` });
  return html`<nav class="sale-menu" aria-label="${label}"><details><summary>${summary}</summary>
<ul>${entries.map(
    (entry) =>
      html`<li><a href="${entry.href}"${entry === current && html` aria-current="${entry.href === path ? "page" : "true"}"`}>${entry.text}</a></li>`,
  )}</ul></details></nav>
`;
}

function entriesOf({ sale: { uuid, status }, role, hasTakingPart }: MenuSale): readonly Entry[] {
  const paths = salePaths(uuid);
  const { menu } = texts();
  const mayChange = role >= Role.EDITOR && status !== SaleStatus.WITHDRAWN;
  const covered = [paths.open, paths.settle, paths.remove, paths.contract];
  const changed = [
    { href: paths.settings, text: menu.settings },
    { href: paths.presentation, text: menu.presentation },
  ];
  return [
    { href: paths.sale, text: menu.overview, covers: covered },
    ...(status === SaleStatus.DRAFT ? [] : [{ href: paths.days, text: menu.days }]),
    ...(mayChange ? changed : []),
    { href: paths.applications, text: menu.applications },
    ...(hasTakingPart ? [{ href: paths.takingPart, text: menu.takingPart }] : []),
    { href: paths.downloads, text: menu.downloads, covers: [paths.importCommitments] },
    { href: paths.developers, text: menu.developers },
    ...(mayChange && status !== SaleStatus.DRAFT ? [{ href: paths.settlement, text: menu.settlement }] : []),
    ...(mayChange ? [{ href: paths.webhooks, text: menu.webhooks }] : []),
    { href: paths.members, text: menu.members },
    { href: paths.log, text: menu.log },
  ];
}

/** Returns the entry to which a page belongs. The overview, whose path begins those of all pages, has only its own ones. */
function entryAt(entries: readonly Entry[], path: string): Entry | undefined {
  const [overview, ...others] = entries;
  const isAt = (href: string) => path === href || path.startsWith(`${href}/`);
  const found = others.find(({ href, covers = [] }) => [href, ...covers].some(isAt));
  const isOverview = path === overview?.href || overview?.covers?.some(isAt);
  return found ?? (isOverview ? overview : undefined);
}
