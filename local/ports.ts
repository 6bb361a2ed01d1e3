import { claimFreePort, claimPort, type PortClaim } from 'template-runtime/processes/free-port.ts';

/** The ports of the local system. 0 means any free port. */
export interface Ports {
  readonly aws: number;
  readonly api: number;
  readonly chain: number;
  readonly oidc: number;
  readonly entitlement: number;
  readonly geolocation: number;
  readonly distribution: number;
}

/**
 * Checks that all ports are free, and replaces each 0 with a free port. If a port is taken, the error names the option
 * that changes it.
 */
export const claimPorts = async (ports: Ports): Promise<Ports> => {
  const names = Object.keys(ports) as (keyof Ports)[];
  // All ports are held until the last one is chosen, so that no port is chosen twice.
  const claims = await Promise.allSettled(names.map((name) => claim(name, ports[name])));
  const chosen = claims.map((each) => (each.status === 'fulfilled' ? each.value.port : 0));
  await Promise.all(claims.map((each) => (each.status === 'fulfilled' ? each.value.release() : undefined)));
  const taken = claims.flatMap((each) => (each.status === 'rejected' ? [String(each.reason.message)] : []));
  if (taken.length > 0) throw new Error(taken.join('\n'));
  return Object.fromEntries(names.map((name, index) => [name, chosen[index]])) as unknown as Ports;
};

const claim = async (name: keyof Ports, wanted: number): Promise<PortClaim> => {
  if (wanted === 0) return claimFreePort();
  try {
    return await claimPort(wanted);
  } catch (cause) {
    throw new Error(portProblem(name, wanted, cause), { cause });
  }
};

const portProblem = (name: keyof Ports, wanted: number, cause: unknown): string => {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') {
    return `Port ${wanted} is taken by another program. Choose another port with --port-${name} (0 chooses a free one).`;
  }
  return `Port ${wanted} cannot be used (${String(code ?? cause)}). Choose another port with --port-${name}.`;
};
