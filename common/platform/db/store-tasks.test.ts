import { expect, it } from "vitest";
import { storeTasks } from "./store-tasks.ts";

/** @param problem an error with which the migrations fail */
function given(problem?: Error) {
  const done: string[] = [];
  const tasks = storeTasks({
    service: "any",
    variables: { LOG_LEVEL: "silent", DATA_DIR: "folder" },
    open: async (env) => {
      done.push(`open ${env.string("DATA_DIR", "")}`);
      return { close: async () => void done.push("close") };
    },
    migrate: async () => {
      done.push("migrate");
      if (problem !== undefined) throw problem;
      return ["001_sale"];
    },
    missing: async () => {
      done.push("look");
      return [];
    },
  });
  const run = (argument: string) => tasks.find((task) => task.argument === argument)?.run();
  return { done, run };
}

it("opens the database for each task, and closes it", async () => {
  const { done, run } = given();
  expect(done).toEqual([]);
  await run("--migrate");
  expect(done.splice(0)).toEqual(["open folder", "migrate", "close"]);
  await run("--await-migrations");
  expect(done).toEqual(["open folder", "look", "close"]);
});

it("closes the database after a failure, too", async () => {
  const { done, run } = given(new Error("no room"));
  await expect(run("--migrate")).rejects.toMatchObject({ cause: { message: "no room" } });
  expect(done).toEqual(["open folder", "migrate", "close"]);
});
