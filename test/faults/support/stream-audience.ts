import type { PublicSaleBody } from "../../../gateway/testing/apply-event.ts";
import type { Random } from "../../../services/demo/bidders/random.ts";
import { fork } from "./fault-injector.ts";
import type { RestartableGateway } from "./restartable-gateway.ts";
import type { Task } from "./run-until-done.ts";
import { StreamFollower } from "./stream-follower.ts";

interface NamedFollower {
  readonly saleUuid: string;
  /** A name for messages. */
  readonly name: string;
  readonly follower: StreamFollower;
}

/** Followers of the streams of sales: for each sale one at every gateway, and one that connects to a random gateway each time. */
export class StreamAudience {
  readonly #followers: readonly NamedFollower[];

  constructor(
    gateways: readonly [RestartableGateway, ...RestartableGateway[]],
    sales: readonly { readonly saleUuid: string }[],
    random: Random,
  ) {
    this.#followers = sales.flatMap(({ saleUuid }) => {
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

  /** The tasks of all followers. */
  get followers(): readonly Task[] {
    return this.#followers.map(
      ({ follower }) =>
        (over) =>
          follower.follow(over),
    );
  }

  /** Returns texts about the followers that haven't reached the last revision of their sale. */
  behind(lastRevisions: ReadonlyMap<string, bigint>): readonly string[] {
    const late = this.#followers.filter(({ saleUuid, follower }) => follower.revision !== lastRevisions.get(saleUuid));
    return late.map(
      ({ saleUuid, name, follower }) => `${name}: ${follower.revision} of ${lastRevisions.get(saleUuid)}`,
    );
  }

  /** Returns the present bodies of the followers of a sale. */
  bodies(saleUuid: string): readonly (PublicSaleBody | undefined)[] {
    return this.#followers.filter((each) => each.saleUuid === saleUuid).map(({ follower }) => follower.body);
  }

  /** A text about the events that the followers have received. */
  get summary(): string {
    const sum = (count: (follower: StreamFollower) => number) =>
      this.#followers.reduce((total, { follower }) => total + count(follower), 0);
    return `${this.#followers.length} readers: ${sum(({ events }) => events)} events, ${sum(({ ended }) => ended)} streams ended, ${sum(({ refused }) => refused)} refused`;
  }
}
