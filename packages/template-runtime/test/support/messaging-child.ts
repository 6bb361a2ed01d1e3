import { type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import * as z from 'zod';

const ready = z.object({ url: z.url() });

/** SNS and SQS in a process of their own, which a test can kill. */
export interface MessagingChild {
  readonly url: string;
  /** What clients need to call it. */
  readonly settings: {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  /** Moves its clock forward. */
  readonly advance: (milliseconds: number) => void;
  readonly kill: () => Promise<void>;
}

export const startMessaging = async ({
  stateDirectory,
  port = '0',
  ...options
}: ForkOptions & { readonly stateDirectory: string; readonly port?: string }): Promise<MessagingChild> => {
  const script = new URL('messaging-process.ts', import.meta.url);
  const child = fork(script, [port, stateDirectory], { execArgv: [], ...options });
  const [message] = await once(child, 'message');
  const { url } = ready.parse(message);
  return {
    url,
    settings: {
      endpoint: url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    },
    advance: (milliseconds) => {
      child.send(milliseconds);
    },
    kill: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
};
