import { type PageAsset, readAsset } from "../../web/pages/page-assets.ts";

export const DASHBOARD_STYLESHEET = readAsset(new URL("dashboard.css", import.meta.url), "text/css; charset=utf-8");
export const DASHBOARD_SCRIPT = readAsset(new URL("dashboard.js", import.meta.url), "text/javascript; charset=utf-8");

/** Files that the founder's pages load besides those of every page. */
export const DASHBOARD_ASSETS: ReadonlyMap<string, PageAsset> = new Map(
  [DASHBOARD_STYLESHEET, DASHBOARD_SCRIPT].map((asset) => [asset.path, asset]),
);
