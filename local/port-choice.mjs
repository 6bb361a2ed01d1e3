// @ts-check
// Runs before anything is installed, so it is plain JavaScript and uses only Node.js.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** The ports of the local system, in the order in which `--ports` numbers them. */
export const standardPorts = Object.freeze({
  api: 3000,
  aws: 4566,
  chain: 8545,
  oidc: 4570,
  entitlement: 4571,
  geolocation: 4572,
  distribution: 4573,
});

/** @typedef {keyof typeof standardPorts} PortName */

export const portNames = /** @type {PortName[]} */ (Object.keys(standardPorts));

/** The highest first port of `--ports`. */
export const highestFirstPort = 65_536 - portNames.length;

/**
 * The file in the state directory that has the ports of the last start.
 *
 * @param {string} stateDirectory
 */
export const rememberedFile = (stateDirectory) => join(stateDirectory, 'ports.json');

/**
 * @param {string} stateDirectory
 * @returns {Record<string, unknown>}
 */
const remembered = (stateDirectory) => {
  try {
    return Object(JSON.parse(readFileSync(rememberedFile(stateDirectory), 'utf8')));
  } catch {
    // There was no earlier start, or it was killed while it wrote the file.
    return {};
  }
};

/**
 * An option for one port comes first, then `--ports`, then the port of the last start.
 *
 * @param {{ single: Partial<Record<PortName, number>>, first: number | undefined, stateDirectory: string }} options
 */
export const choosePorts = ({ single, first, stateDirectory }) => {
  const earlier = remembered(stateDirectory);
  const chosen = portNames.map((name, index) => {
    const last = Number.isInteger(earlier[name]) ? Number(earlier[name]) : 0;
    const otherwise = last > 0 && last <= 65_535 ? last : standardPorts[name];
    return [name, single[name] ?? (first === undefined ? otherwise : first + index)];
  });
  return /** @type {Record<PortName, number>} */ (Object.fromEntries(chosen));
};

/**
 * Why nothing can listen on this port, or `undefined`.
 *
 * @param {number} port
 * @returns {Promise<string | undefined>}
 */
const whyNot = async (port) => {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
  server.close();
  await once(server, 'close');
  return undefined;
};

/** @param {number} first */
const isFree = async (first) => {
  const reasons = await Promise.all(portNames.map((_, index) => whyNot(first + index)));
  return reasons.every((reason) => reason === undefined);
};

/**
 * What to print if some of the ports cannot be used: which ones, and an option that helps. `undefined` if all are free.
 *
 * @param {Record<PortName, number>} ports
 * @returns {Promise<string | undefined>}
 */
export const portProblems = async (ports) => {
  /** @type {Map<number, PortName>} */
  const seen = new Map();
  /** @type {string[]} */
  const problems = [];
  for (const name of portNames) {
    const port = ports[name];
    const other = seen.get(port);
    const reason = port === 0 || other !== undefined ? undefined : await whyNot(port);
    if (port !== 0) seen.set(port, name);
    if (other !== undefined)
      problems.push(`Port ${port} is chosen twice: by --port-${other} and --port-${name}.`);
    else if (reason === 'EADDRINUSE') {
      problems.push(
        `Port ${port} is taken by another program. --port-${name} chooses another one (0: any free one).`,
      );
    } else if (reason !== undefined) {
      problems.push(`Port ${port} cannot be used (${reason}). --port-${name} chooses another one.`);
    }
  }
  if (problems.length === 0) return undefined;
  for (let first = 6_100; first < 15_000; first += 100) {
    if (!(await isFree(first))) continue;
    const last = first + portNames.length - 1;
    problems.push(
      `Or choose all ports at once: npm start -- --ports ${first} uses the ports ${first} to ${last}.`,
    );
    break;
  }
  return problems.join('\n');
};
