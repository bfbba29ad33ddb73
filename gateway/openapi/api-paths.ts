import { requestPath } from "../web/http/request-path.ts";
import { VIEWER_PREFIX } from "./viewer-files.ts";

export const OPENAPI_PATH = "/openapi.json";
export const DOCS_PATH = "/docs";

/** Whether a request target is the document, its page or a file of that. Compared as it stands, as `findResource` does. */
export function isApiTarget(target: string): boolean {
  const path = requestPath(target);
  return path === OPENAPI_PATH || path === DOCS_PATH || path.startsWith(VIEWER_PREFIX);
}
