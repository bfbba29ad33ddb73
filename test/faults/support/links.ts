import type { Random } from "../../../services/demo/bidders/random.ts";
import { TcpProxy } from "../../support/processes/tcp-proxy.ts";
import { wait } from "./component-faults.ts";
import type { Fault } from "./fault-injector.ts";

const SLOW = { leastMs: 5, mostMs: 150 };

/** A TCP proxy between two processes of a deployment. */
export interface Link {
  readonly name: string;
  readonly proxy: TcpProxy;
}

/** All links of a deployment, which end with its stack. */
export class Links {
  readonly all: Link[] = [];
  readonly #stack: AsyncDisposableStack;

  constructor(stack: AsyncDisposableStack) {
    this.#stack = stack;
  }

  /** Opens a link to ports that it uses in rotation. @returns the port on which it listens */
  async openPort(name: string, ...ports: readonly number[]): Promise<number> {
    return (await this.open(name, ...ports)).port;
  }

  /** Opens a link to which targets can be added later. */
  async open(name: string, ...ports: readonly number[]): Promise<TcpProxy> {
    const proxy = this.#stack.use(await TcpProxy.start(ports));
    this.all.push({ name, proxy });
    return proxy;
  }
}

/** Faults of the links whose name matches a pattern, each of one random link. */
export function linkFaults(links: readonly Link[], pattern: RegExp, random: Random): Fault[] {
  const [first, ...others] = links.filter(({ name }) => pattern.test(name));
  if (first === undefined) throw new Error(`there is no link ${pattern}`);
  const fault = (verb: string, breakLink: (proxy: TcpProxy) => void): Fault => ({
    name: `${first.name.replace(/ \d/, "")} ${verb}`,
    inject: async () => {
      const { proxy } = random.pick([first, ...others]);
      breakLink(proxy);
      await wait(random);
      proxy.mend();
    },
  });
  return [
    fault("cut", (proxy) => proxy.cut()),
    fault("held up", (proxy) => proxy.hold()),
    fault("slow", (proxy) => proxy.slow(random.integer(SLOW.leastMs, SLOW.mostMs))),
  ];
}
