import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import type { Outputs } from '../../local/outputs.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** `npm start` as a process of its own, on free ports and with a state of its own. */
export interface LocalSystem {
  readonly outputs: Outputs;
  readonly stateDirectory: string;
  /** What the AWS SDK's clients are given. */
  readonly aws: {
    readonly region: string;
    readonly endpoint: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  /** An output of the stack. */
  stackOutput(name: string): Promise<string>;
  /** An access token of the issuer. */
  token(claims: { readonly sub: string; readonly client_id: string }): Promise<string>;
  /** Ends the whole tree of processes with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again with the same ports and state. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface LocalSystemOptions {
  /** Further options of `npm start`. */
  readonly options?: readonly string[];
}

const freePorts = {
  aws: '0',
  api: '0',
  chain: '0',
  oidc: '0',
  entitlement: '0',
  geolocation: '0',
};

const portOf = (url: string): string => new URL(url).port;

const portsOf = (outputs: Outputs): typeof freePorts => ({
  aws: portOf(outputs.aws_endpoint_url),
  api: portOf(outputs.base_url),
  chain: portOf(outputs.chain_rpc_url),
  oidc: portOf(outputs.oidc_issuer),
  entitlement: portOf(outputs.entitlement_url),
  geolocation: portOf(outputs.geolocation_url),
});

/** The process and all below it, from /proc: the deepest first. */
const processTree = (pid: number): number[] => {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return [{ pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }];
      } catch {
        // It has ended since the folder was read.
        return [];
      }
    });
  const below = (parent: number): number[] =>
    parents.filter((one) => one.parent === parent).flatMap((one) => [...below(one.pid), one.pid]);
  return [...below(pid), pid];
};

/** One that has ended meanwhile, with its parent, is just as well. */
const endProcess = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
};

const launch = async (argv: readonly string[]): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ['local/main.ts', ...argv], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (line.startsWith('Ready after')) {
      // Or it would stand still once the pipe is full.
      child.stdout.resume();
      return child;
    }
  }
  throw new Error(`The local system did not start:\n${said.join('\n')}`);
};

export const startLocalSystem = async ({ options = [] }: LocalSystemOptions = {}): Promise<LocalSystem> => {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'marquee-system-'));
  const argvWith = (ports: typeof freePorts): string[] => [
    '--state-dir',
    stateDirectory,
    ...Object.entries(ports).flatMap(([name, port]) => [`--port-${name}`, port]),
    ...options,
  ];
  let child = await launch(argvWith(freePorts));
  const outputs: Outputs = JSON.parse(readFileSync(join(stateDirectory, 'outputs.json'), 'utf8'));
  const aws = {
    region: 'us-east-1',
    endpoint: outputs.aws_endpoint_url,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };

  const ended = async (signal: NodeJS.Signals, pids: readonly number[]) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    for (const pid of pids) endProcess(pid, signal);
    await exit;
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
      const { access_token } = (await response.json()) as { access_token: string };
      return access_token;
    },
    kill: () => ended('SIGKILL', processTree(child.pid ?? 0)),
    restart: async () => {
      child = await launch(argvWith(portsOf(outputs)));
    },
    stop: async () => {
      await ended('SIGTERM', [child.pid ?? 0]);
      rmSync(stateDirectory, { recursive: true, force: true });
    },
  };
};
