import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { ALLOWED_CALLERS } from "../../../services/entities/allowed-callers.ts";
import { ENTITIES_SERVICES } from "../../../services/entities/routes.ts";
import { describeEntities, type EntitiesCallerName } from "../../support/processes/entities-fixture.ts";

const CALLERS: readonly EntitiesCallerName[] = ["gateway", "commitments", "auth", "operator", "stranger"];

describeEntities("the callers of the entities service", (service) => {
  const methods = ENTITIES_SERVICES.flatMap(({ typeName, methods }) =>
    methods.map(({ name, localName }) => ({ typeName, name, localName })),
  );

  async function codeOf(caller: EntitiesCallerName, localName: string): Promise<Code | undefined> {
    const clients = Object.values(service().as(caller)) as Record<string, (request: object) => unknown>[];
    const call = clients.find((client) => localName in client)?.[localName];
    try {
      const answer = call?.({});
      if (answer instanceof Promise) await answer;
      else for await (const _ of answer as AsyncIterable<unknown>) break;
      return undefined;
    } catch (error) {
      return ConnectError.from(error).code;
    }
  }

  it.each(CALLERS)("lets %s call only what the table says", async (caller) => {
    for (const { typeName, name, localName } of methods) {
      const isAllowed = ALLOWED_CALLERS[typeName]?.[name]?.includes(caller) === true;
      const code = await codeOf(caller, localName);
      const refusals = [Code.PermissionDenied, Code.Unauthenticated];
      if (!isAllowed) expect([name, code]).toEqual([name, Code.PermissionDenied]);
      else if (caller !== "gateway") expect([name, refusals.includes(code ?? Code.Internal)]).toEqual([name, false]);
    }
  });
});
