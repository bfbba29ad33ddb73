import type { ServiceImpl } from "@connectrpc/connect";
import { parseWallet } from "../../../common/chains/wallet.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { chainFamilyOf } from "../../../common/sale/definition/wallet-kind.ts";
import type { WalletService } from "../../../proto/gen/tidemark/entities/v1/wallet_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockOwnEntity } from "../entities/own-entity.ts";
import { beginWalletLink, completeWalletLink } from "./wallet-link.ts";
import { unlinkWallet } from "./wallet-links-store.ts";

type Methods = Omit<ServiceImpl<typeof WalletService>, "listWallets">;

/** The methods of `WalletService`. */
export function walletMethods(dependencies: EntitiesContext): Methods {
  return {
    beginWalletLink: beginWalletLink(dependencies),
    completeWalletLink: completeWalletLink(dependencies),
    unlinkWallet: unlink(dependencies),
  };
}

function unlink({ database, clock }: EntitiesContext): Methods["unlinkWallet"] {
  return async ({ entityUuid, kind, address }, context) => {
    const { accountUuid } = requirePerson(context);
    const wallet = parseWallet(chainFamilyOf(kind), address, "address");
    const nowMs = clock();
    const existed = await database.write(async (transaction) => {
      const { uuid } = await lockOwnEntity(transaction, database.dialect, entityUuid, accountUuid);
      return unlinkWallet(transaction, uuid, wallet, nowMs);
    });
    if (!existed) throw new ServiceError("not_found", "this wallet isn't linked to the entity");
    return {};
  };
}
