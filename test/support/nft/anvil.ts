/** A chain node for tests: the anvil binary on a free port. It is killed when the process that started it exits. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { anvilBinary } from 'template-runtime/engines/chain/engine.ts';
import { describeStarvation, measureStarvation } from 'template-runtime/testing/starvation.ts';

/** It only ends a start that hangs. */
const startTimeoutMilliseconds = 120_000;

export interface AnvilOptions {
  /** Seconds between blocks. By default, anvil mines a block for each transaction. */
  readonly blockTimeSeconds?: number;
  /** Mines only when told to by `anvil_mine`. */
  readonly noMining?: boolean;
  /** With 1, the finalized block is two behind the newest. @default 1 */
  readonly slotsInAnEpoch?: number;
  /** @default 31337 */
  readonly chainId?: number;
  readonly arguments?: readonly string[];
}

export interface Anvil extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Sends one JSON-RPC request. Throws if the node answers with an error. */
  rpc(method: string, ...parameters: readonly unknown[]): Promise<unknown>;
  /** Ends the process and waits until it is gone. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Private key of the first of anvil's well-known funded accounts. */
export const anvilPrivateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const child = spawn(
    anvilBinary(),
    [
      ...['--host', '127.0.0.1', '--port', '0', '--chain-id', String(options.chainId ?? 31_337)],
      ...['--slots-in-an-epoch', String(options.slotsInAnEpoch ?? 1), '--accounts', '3'],
      ...(options.blockTimeSeconds === undefined ? [] : ['--block-time', String(options.blockTimeSeconds)]),
      ...(options.noMining ? ['--no-mining'] : []),
      ...(options.arguments ?? []),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const killWithParent = () => child.kill('SIGKILL');
  process.once('exit', killWithParent);
  const exited = once(child, 'exit');

  const port = await listeningPort(child.stdout, child.stderr);
  const url = `http://127.0.0.1:${port}`;

  async function stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    process.removeListener('exit', killWithParent);
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await exited;
    }
  }

  return {
    url,
    port,
    pid: child.pid ?? Number.NaN,
    rpc: (method, ...parameters) => rpc(url, method, parameters),
    stop,
    [Symbol.asyncDispose]: () => stop(),
  };
}

async function listeningPort(stdout: NodeJS.ReadableStream, stderr: NodeJS.ReadableStream): Promise<number> {
  const complaints: string[] = [];
  stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const starvation = measureStarvation();
  const timer = setTimeout(
    () => reject(new Error(`anvil did not listen: ${describeStarvation(starvation())}`)),
    startTimeoutMilliseconds,
  );

  const lines = createInterface({ input: stdout });
  lines.on('line', (line) => {
    const port = /^Listening on 127\.0\.0\.1:(\d+)$/.exec(line)?.[1];
    if (port !== undefined) resolve(Number(port));
  });
  lines.on('close', () => reject(new Error(`anvil ended before it listened: ${complaints.join('')}`)));

  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    starvation();
  }
}

async function rpc(url: string, method: string, parameters: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: parameters }),
  });
  const answer = (await response.json()) as {
    readonly result?: unknown;
    readonly error?: { readonly message: string };
  };
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}
