import { create } from "@bufbuild/protobuf";
import { Code, createClient } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { routerTransport } from "../../../common/platform/rpc/testing/router-transport.ts";
import { EvmSourceSchema, SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { ALLOWED_CALLERS } from "../allowed-callers.ts";
import { ensureSaleEntity } from "../entities/sale-entities-store.ts";
import { entitiesRoutes } from "../routes.ts";
import { writeRules } from "../rules/rules-store.ts";
import { codeOf, peopleFixture, required } from "../testing/people-fixture.ts";
import { storeEntity } from "../testing/sample-entity.ts";
import { sampleRules } from "../testing/sample-rules.ts";

const WALLET = `0x${"5a".repeat(20)}`;

it("answers that it isn't known, and no defect, while only the contract's bids can't be asked for", async () => {
  const fixture = await peopleFixture();
  const { dependencies, faults } = fixture;
  const { database } = dependencies;
  const person = fixture.person("bidder");
  const saleUuid = fixture.sale();
  const sale = required(fixture.sales.get(saleUuid));
  sale.stage = SaleStage.COMMITMENT;
  const value = create(EvmSourceSchema, { chain: "ethereum", contract: WALLET });
  required(sale.definition).source = { case: "evm", value };
  const stored = await storeEntity(database, { accountUuid: person.accountUuid, setupState: "complete" });
  const { publicUuid: entityUuid } = await ensureSaleEntity(dependencies, saleUuid, stored, person.email);
  await database.write((transaction) =>
    writeRules(transaction, saleUuid, { rules: sampleRules(), expectedVersion: 0n }, 0n),
  );
  const options = { routes: entitiesRoutes(dependencies), allowed: ALLOWED_CALLERS, caller: "gateway" };
  const client = createClient(EligibilityService, routerTransport(options));
  const access = fixture.access({ person, saleUuid, scopes: ["sale_eligibility_check"] });
  const check = () => client.checkEligibility({ access, saleUuid, entityUuid, wallet: WALLET });
  expect(await check()).toMatchObject({ ready: true });
  // A commitments service of an earlier version doesn't let the entities service ask. It finds no bids of a sale that is withdrawn meanwhile.
  for (const code of [Code.PermissionDenied, Code.Unavailable, Code.DeadlineExceeded, Code.NotFound]) {
    faults.set("getPosition", code);
    expect(await codeOf(check())).toBe("unavailable");
  }
});
