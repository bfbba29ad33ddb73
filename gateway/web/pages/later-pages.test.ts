import { Hono } from "hono";
import { expect, it, vi } from "vitest";
import type { AuthContext } from "../http/hono-context.ts";
import { laterPages } from "./later-pages.ts";

const context = {} as AuthContext;

it("loads the module for the first request of one of its pages, and gives the handler what it needs", async () => {
  const load = vi.fn(async () => ({
    showName: (_: AuthContext, { name }: { readonly name: string }) => new Response(name),
    showNumber: async (_: AuthContext, { count }: { readonly count: number }) => new Response(`${count}`),
  }));
  const later = laterPages(load);
  const [showName, showNumber] = [later("showName"), later("showNumber")];
  expect(load).not.toHaveBeenCalled();
  const answers = await Promise.all([showName(context, { name: "a name" }), showNumber(context, { count: 7 })]);
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(["a name", "7"]);
});

it("fails each request while the module can't be loaded", async () => {
  const later = laterPages(async (): Promise<{ readonly show: () => Response }> => {
    throw new Error("no such file");
  });
  const app = new Hono();
  const errors: string[] = [];
  app.onError((error, c) => {
    errors.push(error.message);
    return c.text("", 500);
  });
  app.get("/", (c) => later("show")(c as unknown as AuthContext, {}));
  for (const _ of [1, 2]) expect((await app.request("/")).status).toBe(500);
  expect(errors).toEqual(["no such file", "no such file"]);
});
