import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from 'template-runtime/processes/free-port.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseOptions } from '../../../local/options.ts';
import { standardPorts } from '../../../local/port-choice.mjs';
import { claimPorts } from '../../../local/ports.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

let folder: string;
let other: Server;
let taken: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-ports-'));
  other = createServer();
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  taken = typeof address === 'object' ? (address?.port ?? 0) : 0;
});
afterEach(async () => {
  other.close();
  await rm(folder, { recursive: true, force: true });
});

const portsOf = (...args: readonly string[]) => parseOptions(['--state-dir', folder, ...args]).ports;
const seven = (first: number) => ({
  api: first,
  aws: first + 1,
  chain: first + 2,
  oidc: first + 3,
  entitlement: first + 4,
  geolocation: first + 5,
  distribution: first + 6,
});

describe('the ports of the local system', () => {
  it('come from single options, from --ports, from the last start or from the defaults', () => {
    expect(portsOf()).toEqual(standardPorts);
    writeFileSync(join(folder, 'ports.json'), JSON.stringify({ ...seven(6_100), oidc: 70_000 }));

    expect(portsOf()).toEqual({ ...seven(6_100), oidc: standardPorts.oidc });
    expect(portsOf('--port-aws', '0')).toEqual({ ...seven(6_100), oidc: standardPorts.oidc, aws: 0 });
    expect(portsOf('--ports', '6200', '--port-chain', '8545')).toEqual({ ...seven(6_200), chain: 8_545 });
    writeFileSync(join(folder, 'ports.json'), '{"api":61');
    expect(portsOf()).toEqual(standardPorts);
  });

  it('that are occupied cause an error that names each with its option, and suggests --ports', async () => {
    const free = await freePort();
    const ports = { ...seven(0), ...Object.fromEntries(Object.keys(seven(0)).map((name) => [name, 0])) };

    const refused = claimPorts({ ...ports, api: taken, aws: free, chain: free });

    await expect(refused).rejects.toThrow(`Port ${taken} is taken by another program. --port-api chooses`);
    await expect(refused).rejects.toThrow(`Port ${free} is chosen twice: by --port-aws and --port-chain.`);
    await expect(refused).rejects.toThrow(/npm start -- --ports (\d+) uses the ports \1 to \d+\.$/);
  });
});

describe('the start of the local system', () => {
  const beforeStart = (...args: readonly string[]) =>
    run(
      process.execPath,
      ['tools/scripts/before-start.mjs', '--state-dir', join(folder, '.local'), ...args],
      {
        cwd: folder,
        // A fake npm that prints that it was called, and fails.
        env: { ...process.env, npm_execpath: join(folder, 'npm.js') },
      },
    ).then(
      () => ({ code: 0, printed: '' }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        printed: error.stdout + error.stderr,
      }),
    );

  beforeEach(() => {
    for (const file of [
      'tools/scripts/before-start.mjs',
      'tools/scripts/installed.mjs',
      'local/port-choice.mjs',
      'package-lock.json',
    ]) {
      cpSync(join(root, file), join(folder, file));
    }
    writeFileSync(join(folder, 'npm.js'), "console.log('npm is called'); process.exit(1);");
  });

  it('reports occupied ports before it installs anything', async () => {
    const first = await freePort();

    for (const args of [
      ['--ports', String(first), '--port-api', String(taken)],
      ['--ports', String(first), `--port-distribution=${taken}`],
      ['--fresh', '--ports', String(taken - 6)],
    ]) {
      const { code, printed } = await beforeStart(...args);

      expect([code, printed]).toEqual([1, expect.stringContaining(`Port ${taken} is taken`)]);
      expect(printed).not.toContain('npm is called');
    }
    expect(existsSync(join(folder, 'node_modules'))).toBe(false);
  });

  it('installs if the ports are free or occupied by the running system itself', async () => {
    const free = Object.keys(standardPorts).flatMap((name) => [`--port-${name}`, '0']);

    expect((await beforeStart(...free)).printed).toContain('npm is called');
    mkdirSync(join(folder, '.local', 'run'), { recursive: true });
    writeFileSync(join(folder, '.local', 'run', 'runtime.json'), '{}');
    expect((await beforeStart('--port-api', String(taken))).printed).toContain('npm is called');
  });
});
