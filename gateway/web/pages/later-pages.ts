import type { PageHandler } from "./page-route.ts";

/**
 * Returns a function that gives the handler of a page or form by its name in a module that is loaded for the first request of one: most
 * processes never show these pages. Where the module can't be loaded, each request fails.
 */
export function laterPages<Dependencies>(
  load: () => Promise<{ readonly [Name in keyof Dependencies]: PageHandler<Dependencies[Name]> }>,
): <Name extends keyof Dependencies>(name: Name) => PageHandler<Dependencies[Name]> {
  return (name) => async (c, dependencies) => {
    const pages = await load();
    return pages[name](c, dependencies);
  };
}
