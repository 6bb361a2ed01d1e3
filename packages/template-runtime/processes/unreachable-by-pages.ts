import { randomInt } from 'node:crypto';
import { claimPort } from './free-port.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Ports that no browser calls, over HTTP or WebSocket, because other protocols use them. The Fetch standard lists them
 * (section *Port blocking*), and Node's `fetch` refuses them too.
 */
const blockedPorts = [3659, 4045, 6665, 6666, 6667, 6668, 6669];

/** Systems that run at the same time need different addresses. On Linux and Windows, 127.0.0.0/8 is this machine. */
const anyLoopbackHost = (): string => `127.${randomInt(1, 255)}.${randomInt(0, 255)}.${randomInt(1, 255)}`;

/**
 * A free address for a server that answers any web page, such as anvil. No page can call it, whichever ports it tries.
 * Only other servers of this machine should call such a server, after they judged the caller.
 */
export const addressUnreachableByPages = async (): Promise<Address> => {
  const shuffled = blockedPorts.toSorted(() => randomInt(2) - 0.5);
  const taken: unknown[] = [];
  for (const host of [anyLoopbackHost(), '127.0.0.1']) {
    for (const port of shuffled) {
      try {
        await (await claimPort(port, host)).release();
        return { host, port };
      } catch (cause) {
        taken.push(cause);
      }
    }
  }
  throw new AggregateError(taken, `none of the ports ${blockedPorts.join(', ')} is free on 127.0.0.1`);
};
