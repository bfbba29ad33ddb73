import { type PageAsset, readAsset, readScript } from "../../web/pages/page-assets.ts";

export const DASHBOARD_STYLESHEET = readAsset(new URL("dashboard.css", import.meta.url), "text/css; charset=utf-8");
export const DASHBOARD_SCRIPT = readScript(
  new URL("../../sale-page/browser/monogram.js", import.meta.url),
  new URL("dashboard.js", import.meta.url),
);

/** Files that the founder's pages load besides those of every page. */
export const DASHBOARD_ASSETS: ReadonlyMap<string, PageAsset> = new Map(
  [DASHBOARD_STYLESHEET, DASHBOARD_SCRIPT].map((asset) => [asset.path, asset]),
);
