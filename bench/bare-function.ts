import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { httpCall } from './http-call.ts';
import type { Measurement } from './measurement.ts';

/** A function that does nothing behind the same gateway, in a process of its own: what calls are compared with. */
export const startBareFunction = async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('bare-gateway.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    call: async () => void (await httpCall(url, { method: 'POST', json: {} })),
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
};

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
