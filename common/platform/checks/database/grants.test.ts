import { expect, it } from "vitest";
import { grantsOn } from "./grants.ts";

const ROWS = ["SELECT", "INSERT", "UPDATE", "DELETE"];
const read = (...lines: readonly string[]) => {
  const { privileges, hasOthers } = grantsOn("tide_mark", lines);
  return [[...privileges], hasOthers];
};

it.each<[string, string, readonly unknown[]]>([
  ["on the database", "GRANT SELECT, INSERT, UPDATE, DELETE ON `tide_mark`.* TO `u`@`%`", [ROWS, false]],
  ["on its escaped name", "GRANT SELECT ON `tide\\_mark`.* TO `u`@`%`", [["SELECT"], false]],
  ["on names that are like its own", "GRANT SELECT ON `tide%`.* TO `u`@`%`", [["SELECT"], false]],
  ["on an escaped name that only looks like it", "GRANT SELECT ON `tide\\%`.* TO `u`@`%`", [[], false]],
  ["on another database", "GRANT SELECT ON `tidexmark`.* TO `u`@`%`", [[], false]],
  [
    "on all",
    "GRANT SELECT, CREATE ON *.* TO `u`@`%` IDENTIFIED BY PASSWORD 'x' WITH GRANT OPTION",
    [["SELECT", "CREATE"], false],
  ],
  ["none", "GRANT USAGE ON *.* TO `u`@`%`", [["USAGE"], false]],
  ["on a table", "GRANT SELECT, INSERT ON `tide_mark`.`sale` TO `u`@`%`", [[], true]],
  ["by a role", "GRANT `writer`@`%` TO `u`@`%`", [[], true]],
  ["by a role of MariaDB, which lists what that may", "GRANT `writer` TO `u`@`%`", [[], true]],
])("privileges %s", (_, line, expected) => {
  expect(read(line)).toEqual(expected);
});

it("all privileges have those that Tidemark needs, and grants add up", () => {
  const [all] = read("GRANT ALL PRIVILEGES ON `tide_mark`.* TO `u`@`%`");
  expect(all).toEqual(expect.arrayContaining([...ROWS, "CREATE", "ALTER", "INDEX"]));
  expect(read("GRANT SELECT ON *.* TO `u`@`%`", "GRANT INSERT ON `tide_mark`.* TO `u`@`%`")).toEqual([
    ["SELECT", "INSERT"],
    false,
  ]);
});
