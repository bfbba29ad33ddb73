import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { SaleEventKind, SaleEventSchema } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { applicationPaths, salePaths, takingPartPaths } from "../base/dashboard-paths.ts";
import { eventText, pageOfEvent } from "./sale-event-text.ts";

const textOf = (kind: SaleEventKind) => String(eventText(create(SaleEventSchema, { kind })));

describe("the words of the activity log", () => {
  it.each([
    [SaleEventKind.PARTICIPATION_CHANGED, "The rules of taking part were changed"],
    [SaleEventKind.PARTICIPANTS_CHANGED, "Who is listed for the sale was changed"],
    [SaleEventKind.PERMIT_KEY_CHANGED, "A key that signs permits was changed"],
    [SaleEventKind.ENTITY_FREEZE_CHANGED, "Permits of an entity were stopped or allowed again"],
    [SaleEventKind.WEBHOOKS_CHANGED, "A webhook was added, changed or removed"],
    [SaleEventKind.COMMITMENTS_IMPORTED, "Commitments were imported from a file"],
  ])("for %s", (kind, words) => {
    expect(textOf(kind)).toBe(words);
  });

  it("differ for each kind, but for a deleted draft, whose log nobody sees", () => {
    const kinds = Object.values(SaleEventKind).filter(
      (kind) => kind !== SaleEventKind.UNSPECIFIED && kind !== SaleEventKind.SALE_DELETED,
    );
    const texts = kinds.map(textOf);
    expect(new Set(texts).size).toBe(kinds.length);
    expect(texts).not.toContain(textOf(SaleEventKind.UNSPECIFIED));
  });
});

describe("the page of an event", () => {
  const [sale, client] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
  const paths = { ...salePaths(sale), ...takingPartPaths(sale), ...applicationPaths(sale, client) };

  it.each([
    [SaleEventKind.SALE_CHANGED, paths.settings],
    [SaleEventKind.MEMBER_REMOVED, paths.members],
    [SaleEventKind.CLIENT_DISABLED, paths.application],
    [SaleEventKind.PARTICIPATION_CHANGED, paths.rules],
    [SaleEventKind.PARTICIPANTS_CHANGED, paths.groupMembers],
    [SaleEventKind.PERMIT_KEY_CHANGED, paths.signer],
    [SaleEventKind.ENTITY_FREEZE_CHANGED, paths.freezes],
    [SaleEventKind.WEBHOOKS_CHANGED, paths.webhooks],
    [SaleEventKind.SALE_OPENED, undefined],
  ])("%s is one that the dashboard has", (kind, path) => {
    expect(pageOfEvent(create(SaleEventSchema, { kind, clientUuid: client }), sale)).toBe(path);
  });
});
