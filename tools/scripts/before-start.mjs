// Runs before `npm start`, with its arguments. If the dependencies are not installed yet, checks the ports first, so
// that nobody waits for the installation only to learn that a port is taken.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { choosePorts, portNames, portProblems } from '../../local/port-choice.mjs';
import { ensureInstalled, isInstalled } from './installed.mjs';

const numberOf = (text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : undefined);

const checkPorts = async () => {
  const port = { type: 'string' };
  const { values } = parseArgs({
    args: process.argv.slice(2),
    // The start itself refuses wrong options, and names them.
    strict: false,
    options: {
      ...Object.fromEntries(portNames.map((name) => [`port-${name}`, port])),
      ports: port,
      'state-dir': { type: 'string' },
    },
  });
  if ('help' in values) return;
  const stateDirectory = String(
    values['state-dir'] ?? fileURLToPath(new URL('../../.local', import.meta.url)),
  );
  // A system that runs in this folder holds the ports itself. The start says so.
  if (existsSync(join(stateDirectory, 'run', 'runtime.json'))) return;
  const single = Object.fromEntries(portNames.map((name) => [name, numberOf(values[`port-${name}`])]));
  const problems = await portProblems(choosePorts({ single, first: numberOf(values.ports), stateDirectory }));
  if (problems === undefined) return;
  console.error(problems);
  process.exit(1);
};

if (!isInstalled()) await checkPorts();
ensureInstalled();
