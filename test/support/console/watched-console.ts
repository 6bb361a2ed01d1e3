import { request } from 'node:http';
import type { Shown } from '../../../operator/console/feed.ts';
import { type Console, startConsole } from '../../../operator/console/server.ts';
import type { Target } from '../../../operator/target.ts';
import { type DatabaseProxyCall, startDatabaseFaultProxy } from '../dynamodb-fault-proxy.ts';

/** A GET request with any `Host` and `Origin` header. `fetch` sets these two itself. */
export const get = (url: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; body: string; cookie: string }>((resolve, reject) => {
    const asked = request(url, { headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body,
          cookie: response.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
        }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });

/** What a page that shows *Now* receives, until `stop`. */
export interface Followed {
  readonly shown: readonly Shown[];
  /** Resolves to the panel's next content that was read after this call. */
  next(panel: string): Promise<Shown>;
  stop(): void;
}

export interface WatchedConsole extends Console {
  /** The console's calls to AWS for tables, metrics, alarms, keys and secrets. */
  readonly asked: readonly DatabaseProxyCall[];
  /** Moves the console's clock forward. */
  skip(milliseconds: number): void;
  follow(cookie: string): Followed;
}

const eventsIn = async function* (url: URL, cookie: string, signal: AbortSignal): AsyncGenerator<Shown> {
  const { body } = await fetch(url, { headers: { cookie }, signal });
  if (body === null) throw new Error('The console sends nothing');
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const blocks = `${rest}${text}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) if (block.startsWith('data: ')) yield JSON.parse(block.slice(6));
  }
};

/** A console whose AWS calls are recorded and whose clock the test controls. */
export const startWatchedConsole = async (
  target: Target,
  { isClockStopped = false }: { readonly isClockStopped?: boolean } = {},
): Promise<WatchedConsole> => {
  const proxy = await startDatabaseFaultProxy({ target: String(target.aws.endpoint) });
  let ahead = 0;
  const startedAt = Date.now();
  const clock = () => (isClockStopped ? startedAt : Date.now()) + ahead;
  const served = await startConsole(
    { ...target, aws: { ...target.aws, endpoint: proxy.url } },
    { port: 0, remark: () => {}, clock },
  );
  return {
    url: served.url,
    asked: proxy.calls,
    skip: (milliseconds) => {
      ahead += milliseconds;
    },
    follow: (cookie) => {
      const ending = new AbortController();
      const shown: Shown[] = [];
      const waiting = new Set<{ readonly isWanted: (each: Shown) => boolean; tell(each: Shown): void }>();
      const listen = async () => {
        for await (const each of eventsIn(new URL('/console/api/now', served.url), cookie, ending.signal)) {
          shown.push(each);
          for (const one of waiting) if (one.isWanted(each)) one.tell(each);
        }
      };
      listen().catch((error: unknown) => {
        if (!ending.signal.aborted) throw error;
      });
      return {
        shown,
        next: (panel) => {
          const from = clock();
          const { promise, resolve } = Promise.withResolvers<Shown>();
          const one = {
            isWanted: (each: Shown) => each.panel === panel && each.at >= from,
            tell: (each: Shown) => {
              waiting.delete(one);
              resolve(each);
            },
          };
          waiting.add(one);
          return promise;
        },
        stop: () => ending.abort(),
      };
    },
    stop: async () => {
      await served.stop();
      await proxy.stop();
    },
  };
};
