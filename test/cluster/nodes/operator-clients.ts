import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import {
  AUTH_AUDIENCE,
  COMMITMENTS_AUDIENCE,
  ENTITIES_AUDIENCE,
} from "../../../common/platform/rpc/identity/audiences.ts";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { type AuthClients, authClients } from "../../support/processes/auth-clients.ts";
import { type EntitiesClients, entitiesClients } from "../../support/processes/entities-clients.ts";
import { type ClientsOf, clientsOf } from "../../support/processes/service-process.ts";
import type { DistributedRelease } from "./distributed-release.ts";

const CALL_TIMEOUT_MS = 60_000;
const COMMITMENTS = { sales: SaleService, commitments: CommitmentService };

/** RPC clients of a release's pods, with tokens of the operator's service account. */
export type OperatorClients = ClientsOf<typeof COMMITMENTS> & Pick<AuthClients, "clients"> & EntitiesClients;

/** Clients of the pods that are ready now. */
export async function operatorClients(release: DistributedRelease): Promise<OperatorClients> {
  const folder = await mkdtemp(join(release.namespace.folder.path, "tokens-"));
  const transport = async (component: "commitments" | "auth" | "entities", audience: string) => {
    const tokenFile = join(folder, audience);
    await writeFile(
      tokenFile,
      await release.namespace.run(`kubectl create token tidemark-operator --audience=${audience}`),
    );
    const [address] = await release.addressesOf(component);
    return createRpcTransport({
      baseUrl: `http://${address}`,
      caller: { tokenFile },
      defaultTimeoutMs: CALL_TIMEOUT_MS,
    });
  };
  return {
    ...clientsOf(COMMITMENTS, await transport("commitments", COMMITMENTS_AUDIENCE)),
    clients: authClients(await transport("auth", AUTH_AUDIENCE)).clients,
    ...entitiesClients(await transport("entities", ENTITIES_AUDIENCE)),
  };
}
