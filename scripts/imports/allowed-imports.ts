import type { AllowedImports } from "./import-violations.ts";

/**
 * The one table of who may import whom. Dependencies run one way: gateway → generated clients → rpc → use cases → domain; the
 * store implements what use cases need. Nothing imports another service's inside.
 */
export const ALLOWED_IMPORTS: AllowedImports = {
  "proto/gen": [],
  "services/shared": ["proto/gen"],
  "services/auth": ["services/shared", "proto/gen"],
  "services/commitments": ["services/shared", "proto/gen"],
  "services/indexer": ["services/shared", "proto/gen"],
  "services/cli": ["services/shared", "proto/gen"],
  gateway: ["services/shared", "proto/gen"],
};

/**
 * These may import anything: they put the services together in one process, or show them. Tests and their helpers are not
 * read at all.
 */
export const UNRESTRICTED = ["services/embedded.ts", "services/embedded/", "services/demo/"];
