import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { httpCall } from './http-call.ts';
import type { Measurement } from './measurement.ts';

export interface MeasuredFunction {
  readonly call: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A program of this folder that says its address. */
const startProgram = async (name: string, ...programArguments: readonly string[]) => {
  const program = fileURLToPath(new URL(name, import.meta.url));
  const child = spawn(process.execPath, [program, ...programArguments], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url,
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
};

const startFunction = async (source: string, ...asked: readonly string[]): Promise<MeasuredFunction> => {
  const { url, stop } = await startProgram('bare-gateway.ts', source, ...asked);
  return { call: async () => void (await httpCall(url, { method: 'POST', json: {} })), stop };
};

/** A function that does nothing behind the same gateway, in a process of its own: what calls are compared with. */
export const startBareFunction = (): Promise<MeasuredFunction> =>
  startFunction('export const handler = async () => ({ statusCode: 200, body: "{}" });');

/**
 * A function that does nothing but ask once, without a signature, and is answered at once: over the gateway's process, as
 * over the endpoint of AWS, by another one, as the database is. What asks the database takes no less.
 */
export const startAskingFunction = async (): Promise<MeasuredFunction> => {
  const server = await startProgram('relay.ts');
  const { call, stop } = await startFunction(asking, server.url);
  return { call, stop: async () => void (await Promise.all([stop(), server.stop()])) };
};

const asking = `
  import { Agent, request } from 'node:http';
  const agent = new Agent({ keepAlive: true });
  const body = 'x'.repeat(200);
  const headers = { 'content-length': body.length };
  const ask = () => new Promise((resolve, reject) => {
    const asked = request(process.env.RELAY_URL, { method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => { text += part; });
      answer.on('end', () => resolve(text)).on('error', reject);
    });
    asked.on('error', reject).end(body);
  });
  export const handler = async () => ({ statusCode: 200, body: await ask() });
`;

/** What a call takes as a multiple of what the bare function takes. */
export const againstBare = ({
  name,
  milliseconds,
  bare,
  most,
}: {
  readonly name: string;
  readonly milliseconds: number;
  readonly bare: number;
  /** What it may be. @default nothing is promised */
  readonly most?: number;
}): Measurement => ({
  name: `${name}, against the bare function${most === undefined ? '' : ` (at most ${most})`}`,
  value: milliseconds / bare,
  unit: '×',
  ...(most === undefined ? {} : { holds: milliseconds / bare <= most }),
});
