import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";

const ENTITIES = `${AUTH_PATHS.account}/entities`;

export const NEW_ENTITY_PATH = `${ENTITIES}/new`;

/** Returns the paths of the pages about an entity. @param entity its UUID, or a parameter of a route */
export function entityPaths(entity: string) {
  const page = `${ENTITIES}/${entity}`;
  return { entity: page, wallet: `${page}/wallet`, remove: `${page}/delete` } as const;
}

/** Returns the address of an entity's page with a message. */
export function pageOf(entityUuid: string, done: string): string {
  return `${entityPaths(entityUuid).entity}${done === "" ? "" : `?done=${done}`}`;
}
