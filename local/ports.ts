import { claimFreePort, claimPort, type PortClaim } from 'template-runtime/processes/free-port.ts';
import { type PortName, portNames, portProblems } from './port-choice.mjs';

/** The ports of the local system. 0 means any free port. */
export type Ports = Readonly<Record<PortName, number>>;

/**
 * Checks that all ports are free, and replaces each 0 with a free port. If a port is taken, the error names the options
 * that help.
 */
export const claimPorts = async (ports: Ports): Promise<Ports> => {
  const problems = await portProblems(ports);
  if (problems !== undefined) throw new Error(problems);
  // All ports are held until the last one is chosen, so that no port is chosen twice.
  const claims = new Map<PortName, PortClaim>();
  try {
    for (const name of portNames.toSorted((one, other) => ports[other] - ports[one])) {
      claims.set(name, await (ports[name] === 0 ? claimFreePort() : claimPort(ports[name])));
    }
    return Object.fromEntries([...claims].map(([name, { port }]) => [name, port])) as Ports;
  } finally {
    await Promise.all([...claims.values()].map((each) => each.release()));
  }
};
