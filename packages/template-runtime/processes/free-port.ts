import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * No operating system assigns these ports to outgoing connections (Linux assigns ports from 32768, others from 49152).
 * A port outside of this range could be assigned to another program before our server listens on the port, or while
 * our server restarts.
 */
const freePorts: PortRange = { lowest: 15_000, highest: 29_999 };

export interface PortRange {
  readonly lowest: number;
  readonly highest: number;
}

/** Occupies a port until it is released, so that the next choice cannot be the same port. */
export interface PortClaim {
  readonly port: number;
  release(): Promise<void>;
}

/** Throws the error of `listen`, e.g. when the port is taken. */
export const claimPort = async (port: number, host = '127.0.0.1'): Promise<PortClaim> => {
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port,
    release: async () => {
      server.close();
      await once(server, 'close');
    },
  };
};

/** Chooses a random port and claims it. Throws if a hundred ports in a row were taken. */
export const claimFreePort = async ({ lowest, highest } = freePorts): Promise<PortClaim> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await claimPort(randomInt(lowest, highest + 1));
    } catch (cause) {
      if (attempt === 100) throw new Error('no free port was found', { cause });
    }
  }
};

/** A port that was free a moment ago, for servers that cannot report which port they chose. */
export const freePort = async (): Promise<number> => {
  const claim = await claimFreePort();
  await claim.release();
  return claim.port;
};
