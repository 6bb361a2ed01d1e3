import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Outputs } from '../../local/outputs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Of a first start, which also synthesizes, on a busy machine. */
const readyTimeoutMilliseconds = 90_000;

const portNames = ['aws', 'api', 'chain', 'oidc', 'entitlement', 'geolocation'] as const;

/** What `npm start` runs, as a process of its own that can be killed and started again with its state. */
export interface System {
  readonly outputs: Outputs;
  readonly stateDirectory: string;
  /** What it printed since it was started last. */
  printed(): string;
  /** Ends it and all its children at once, as a power cut does. */
  kill(): Promise<void>;
  /** Starts it again on the same state and ports. */
  start(): Promise<void>;
  /** Ends it in order and answers its exit code. */
  stop(): Promise<number | null>;
  /** Ends whatever runs and removes the state. */
  dispose(): Promise<void>;
}

export interface SystemOptions {
  /** More arguments of `npm start`. */
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** @default one with a space in it, as a user's folder may have */
  readonly stateDirectoryPrefix?: string;
}

const freePorts = async (): Promise<number[]> => {
  const servers = await Promise.all(
    portNames.map(async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
};

/** The process and everything that it started, by the parents that the kernel knows. */
export const processTree = (pid: number): number[] => {
  const children = new Map<number, number[]>();
  const listing = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  for (const line of listing.trim().split('\n')) {
    const [child = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const tree = [pid];
  for (const member of tree) tree.push(...(children.get(member) ?? []));
  return tree;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const killAll = (pids: readonly number[]): void => {
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
};

export const startSystem = async (options: SystemOptions = {}): Promise<System> => {
  const stateDirectory = mkdtempSync(join(tmpdir(), options.stateDirectoryPrefix ?? 'marquee system '));
  const ports = await freePorts();
  const portArguments = portNames.flatMap((name, index) => [`--port-${name}`, String(ports[index])]);
  let child: ChildProcess | undefined;
  let printed = '';

  const start = async (): Promise<void> => {
    printed = '';
    const started = spawn(
      process.execPath,
      ['local/main.ts', '--state-dir', stateDirectory, ...portArguments, ...(options.arguments ?? [])],
      { cwd: root, env: { ...process.env, ...options.environment }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    child = started;
    const ready = Promise.withResolvers<void>();
    const timer = setTimeout(
      () => ready.reject(new Error(`not ready in time:\n${printed}`)),
      readyTimeoutMilliseconds,
    );
    const collect = (chunk: Buffer) => {
      printed += chunk.toString('utf8');
      if (/^Ready after/m.test(printed)) ready.resolve();
    };
    started.stdout.on('data', collect);
    started.stderr.on('data', collect);
    started.once('exit', (code) => ready.reject(new Error(`ended with ${code}:\n${printed}`)));
    try {
      await ready.promise;
    } finally {
      clearTimeout(timer);
    }
  };

  const running = (): ChildProcess & { readonly pid: number } => {
    if (child?.pid === undefined) throw new Error('the system does not run');
    return child as ChildProcess & { readonly pid: number };
  };

  const ended = async (process: ChildProcess): Promise<number | null> => {
    if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
    return process.exitCode;
  };

  await start();
  const outputs: Outputs = JSON.parse(readFileSync(join(stateDirectory, 'outputs.json'), 'utf8'));
  return {
    outputs,
    stateDirectory,
    printed: () => printed,
    start,
    kill: async () => {
      const process = running();
      killAll(processTree(process.pid));
      await ended(process);
    },
    stop: async () => {
      const process = running();
      process.kill('SIGTERM');
      return ended(process);
    },
    dispose: async () => {
      if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await ended(child);
      }
      rmSync(stateDirectory, { recursive: true, force: true });
    },
  };
};
