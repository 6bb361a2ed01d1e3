import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { claimFreePort } from 'template-runtime/processes/free-port.ts';
import { describeStarvation, measureStarvation } from 'template-runtime/testing/starvation.ts';
import { trustAuthority } from 'template-runtime/testing/trust-authority.ts';
import * as z from 'zod';
import type { Outputs } from '../../../local/outputs.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Longer than a first start, which also synthesizes, takes on a busy machine: it only ends a start that hangs. */
const readyTimeoutMilliseconds = 300_000;

const packageFile = z.object({ scripts: z.object({ start: z.string() }) });
const tokenAnswer = z.object({ access_token: z.string() });

/** A `PATH` on which `node` is the Node.js of this process. */
const path = [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter);

const startScript = (project: string): string =>
  packageFile.parse(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))).scripts.start;

/**
 * Ports that only this Vitest worker uses, and that no running system chooses by itself. So nobody takes a chosen port
 * before the system that is started listens on it.
 */
const lowestOfWorker = 10_000 + 500 * (Number(process.env.VITEST_POOL_ID ?? 0) % 10);
const portsOfWorker = { lowest: lowestOfWorker, highest: lowestOfWorker + 499 };

export const portNames = [
  'aws',
  'api',
  'chain',
  'oidc',
  'entitlement',
  'geolocation',
  'distribution',
] as const;

/** The program of `npm start`, in a process of its own that can be killed and started again with its state. */
export interface System {
  readonly outputs: Outputs;
  readonly stateDirectory: string;
  /** The configuration of AWS SDK clients. */
  readonly aws: {
    readonly region: string;
    readonly endpoint: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  /** An output of the stack. */
  stackOutput(name: string): Promise<string>;
  /** An access token of the issuer. */
  token(claims: { readonly sub: string; readonly client_id: string }): Promise<string>;
  /** The current process. Engines that are separate programs are its child processes. */
  pid(): number;
  /** What the system printed since its last start. */
  printed(): string;
  /** Kills the process and all its descendants at once, as a power cut does. */
  kill(): Promise<void>;
  /** Starts the system again with the same state and ports, from the project in this folder. @default this project */
  start(project?: string): Promise<void>;
  /** Shuts the system down regularly and returns its exit code. */
  stop(): Promise<number | null>;
  /** Stops the system if it is running, and removes its state. */
  dispose(): Promise<void>;
}

export interface SystemOptions {
  /** Additional arguments of `npm start`. */
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The folder of the project that is started. @default this project */
  readonly project?: string;
  /** @default one with a space in it, as a user's folder may have */
  readonly stateDirectoryPrefix?: string;
}

const freePorts = async (): Promise<number[]> => {
  const claims = await Promise.all(portNames.map(() => claimFreePort(portsOfWorker)));
  await Promise.all(claims.map((claim) => claim.release()));
  return claims.map(({ port }) => port);
};

/** The ids of the process and all its descendants. */
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

/** Ignores processes that have already ended. */
const killAll = (pids: readonly number[]): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
};

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

const ended = async (child: ChildProcess): Promise<number | null> => {
  if (isRunning(child)) await once(child, 'exit');
  // Otherwise a process that the child left behind would keep these streams open, and thereby the test process running.
  child.stdout?.destroy();
  child.stderr?.destroy();
  return child.exitCode;
};

/** Starts a system of its own, and trusts its certificate authority in this process. */
export const startSystem = async (options: SystemOptions = {}): Promise<System> => {
  const stateDirectory = mkdtempSync(join(tmpdir(), options.stateDirectoryPrefix ?? 'marquee system '));
  const ports = await freePorts();
  const portArguments = portNames.flatMap((name, index) => [`--port-${name}`, String(ports[index])]);
  let child: ChildProcess | undefined;
  let printed = '';

  const start = async (project = root): Promise<void> => {
    printed = '';
    const started = spawn(
      '/bin/sh',
      [
        '-c',
        `exec ${startScript(project)} "$@"`,
        'npm start',
        ...['--state-dir', stateDirectory, ...portArguments, ...(options.arguments ?? [])],
      ],
      {
        cwd: project,
        env: { ...process.env, PATH: path, ...options.environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    child = started;
    const ready = Promise.withResolvers<void>();
    const starvation = measureStarvation();
    const timer = setTimeout(
      () => ready.reject(new Error(`not ready: ${describeStarvation(starvation())}\n${printed}`)),
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
    } catch (error) {
      if (isRunning(started)) killAll(processTree(started.pid ?? 0));
      await ended(started);
      throw error;
    } finally {
      clearTimeout(timer);
      starvation();
    }
  };

  const running = (): ChildProcess & { readonly pid: number } => {
    if (child?.pid === undefined) throw new Error('the system does not run');
    return child as ChildProcess & { readonly pid: number };
  };

  const removeState = () => rmSync(stateDirectory, { recursive: true, force: true });

  try {
    await start(options.project);
  } catch (error) {
    removeState();
    throw error;
  }
  const outputs: Outputs = JSON.parse(readFileSync(join(stateDirectory, 'outputs.json'), 'utf8'));
  trustAuthority(outputs.ca_file);
  const aws = {
    region: 'us-east-1',
    endpoint: outputs.aws_endpoint_url,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
  return {
    outputs,
    stateDirectory,
    aws,
    stackOutput: async (name) => {
      const client = new CloudFormationClient(aws);
      const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: 'Marquee-local' }));
      const value = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
      if (value === undefined) throw new Error(`The stack has no output ${name}`);
      return value;
    },
    token: async (claims) => {
      const response = await fetch(`${outputs.oidc_issuer}/token`, {
        method: 'POST',
        body: new URLSearchParams(claims),
      });
      return tokenAnswer.parse(await response.json()).access_token;
    },
    pid: () => running().pid,
    printed: () => printed,
    start,
    kill: async () => {
      const process = running();
      if (isRunning(process)) killAll(processTree(process.pid));
      await ended(process);
    },
    stop: async () => {
      const process = running();
      process.kill('SIGTERM');
      return ended(process);
    },
    dispose: async () => {
      if (child !== undefined) {
        if (isRunning(child)) child.kill('SIGTERM');
        await ended(child);
      }
      removeState();
    },
  };
};
