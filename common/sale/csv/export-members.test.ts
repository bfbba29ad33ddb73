import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ExportMembersResponseSchema } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { beginMemberExport } from "./export-members.ts";

const GROUP = "99999999-9999-4999-8999-999999999999";
const CONTEXT = { groups: [{ uuid: GROUP, name: "Early" }], decimals: 6 };
const member = (email: string) => ({ groupUuid: GROUP, key: { case: "email" as const, value: email } });

async function* parts(...given: readonly MessageInitShape<typeof ExportMembersResponseSchema>[]) {
  for (const one of given) yield create(ExportMembersResponseSchema, one);
}

describe("an export of members", () => {
  it("is one file with all parts", async () => {
    const begun = await beginMemberExport(
      parts({ total: 2n }, { members: [member("ann@example.org")] }, { members: [member("bob@example.org")] }),
      CONTEXT,
    );
    const written: bigint[] = [];
    const texts = await Array.fromAsync(begun.csv((members) => written.push(members)));
    expect([begun.total, written]).toEqual([2n, [1n, 2n]]);
    expect(texts.join("")).toBe(
      "group,email,wallet,entity,min_amount,max_amount\r\nEarly,ann@example.org,,,,\r\nEarly,bob@example.org,,,,\r\n",
    );
  });

  it("fails where it ends too early, so that no file looks complete", async () => {
    const begun = await beginMemberExport(parts({ total: 2n, members: [member("ann@example.org")] }), CONTEXT);
    await expect(Array.fromAsync(begun.csv())).rejects.toThrow("the export ended after 1 of 2 members");
  });
});
