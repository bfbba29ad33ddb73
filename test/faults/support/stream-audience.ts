import type { PublicSaleBody } from "../../../gateway/testing/apply-event.ts";
import type { Random } from "../../../services/demo/random.ts";
import { fork } from "./fault-injector.ts";
import type { RestartableGateway } from "./restartable-gateway.ts";
import type { Task } from "./run-until-done.ts";
import { StreamFollower } from "./stream-follower.ts";

interface Seat {
  readonly saleUuid: string;
  /** For people. */
  readonly name: string;
  readonly follower: StreamFollower;
}

/** Who follows the streams of sales: of each sale one at every gateway, and one who connects to another one each time. */
export class StreamAudience {
  readonly #seats: readonly Seat[];

  constructor(
    gateways: readonly [RestartableGateway, ...RestartableGateway[]],
    sales: readonly { readonly saleUuid: string }[],
    random: Random,
  ) {
    this.#seats = sales.flatMap(({ saleUuid }) => {
      const choice = fork(random);
      const settled = gateways.map((gateway, index) => ({
        saleUuid,
        name: `${saleUuid} at gateway ${index + 1}`,
        follower: new StreamFollower(() => gateway.streamUrl(saleUuid)),
      }));
      const roaming = new StreamFollower(() => choice.pick(gateways).streamUrl(saleUuid));
      return [...settled, { saleUuid, name: `${saleUuid} at any gateway`, follower: roaming }];
    });
  }

  /** What they do until all is over. */
  get followers(): readonly Task[] {
    return this.#seats.map(
      ({ follower }) =>
        (over) =>
          follower.follow(over),
    );
  }

  /** Who isn't at the last revision of their sale. */
  behind(lastRevisions: ReadonlyMap<string, bigint>): readonly string[] {
    const late = this.#seats.filter(({ saleUuid, follower }) => follower.revision !== lastRevisions.get(saleUuid));
    return late.map(
      ({ saleUuid, name, follower }) => `${name}: ${follower.revision} of ${lastRevisions.get(saleUuid)}`,
    );
  }

  /** What those of a sale have come to. */
  bodies(saleUuid: string): readonly (PublicSaleBody | undefined)[] {
    return this.#seats.filter((seat) => seat.saleUuid === saleUuid).map(({ follower }) => follower.body);
  }

  /** What they have seen, for people. */
  get summary(): string {
    const sum = (count: (follower: StreamFollower) => number) =>
      this.#seats.reduce((total, { follower }) => total + count(follower), 0);
    return `${this.#seats.length} readers: ${sum(({ events }) => events)} events, ${sum(({ ended }) => ended)} streams ended, ${sum(({ refused }) => refused)} refused`;
  }
}
