import { describe, expect, it } from 'vitest';
import { waitForKey } from '../../../../operator/platform/target/wait-for.ts';
import { waitForFilter } from '../../../../tools/release/readiness.ts';

const stage = { baseUrl: 'https://api.test', b2bUrl: 'https://b2b.test', apiKey: 'key' };

/** Time passes only in pauses, two seconds in each. */
const start = (fetch: (url: string, pauses: number) => Response) => {
  const said: string[] = [];
  let pauses = 0;
  return {
    said,
    pauses: () => pauses,
    dependencies: {
      say: (remark: string) => said.push(remark),
      fetch: async (url: string | URL | Request) => fetch(String(url), pauses),
      clock: () => pauses * 2_000,
      pause: async () => {
        pauses += 1;
      },
    },
  };
};
const json = (body: unknown) => new Response(JSON.stringify(body));

describe('the wait for a new API key', () => {
  it('ends when some calls in a row are accepted, because servers learn of a key one by one', async () => {
    const refused = new Set([0, 1, 2, 4]);
    const { dependencies, pauses, said } = start((_, look) =>
      refused.has(look) ? new Response('', { status: 403 }) : json([]),
    );

    await waitForKey(dependencies, stage);

    expect(pauses()).toBe(7);
    expect(said).toEqual(['Waits until API Gateway knows the new key, for 2 minutes at most.']);
  });

  it('ends after two minutes with the last answer', async () => {
    const { dependencies, pauses } = start(() => new Response('', { status: 403 }));

    await expect(waitForKey(dependencies, stage)).rejects.toThrow(/^Not within 2 minutes: .* with 403\.$/);
    expect(pauses()).toBe(60);
  });
});

describe('the wait for the filter of a new endpoint', () => {
  /** SNS passes tests that were sent after so many pauses. */
  const passingFrom = (first: number) => (url: string, pauses: number) => {
    if (url.endsWith('/endpoints'))
      return json([{ id: 'e', address: 'https://me.test', state: 'confirmed' }]);
    if (url.endsWith('/test')) {
      return json({ id: `t${pauses}`, published_at: '2026-11-28T12:00:00.000Z', deliveries: [] });
    }
    return json(
      Array.from({ length: pauses + 1 }, (_, sent) => ({
        id: `t${sent}`,
        published_at: '2026-11-28T12:00:00.000Z',
        deliveries: sent >= first ? [{ endpoint_id: 'e', status: 'delivered', status_code: 200 }] : [],
      })),
    );
  };

  it('sends another test notification when one was lost', async () => {
    const { dependencies, pauses, said } = start(passingFrom(100));

    await waitForFilter(dependencies, stage);

    expect(pauses()).toBeGreaterThanOrEqual(100);
    expect(said).toEqual([
      'Waits until SNS passes notifications to the new endpoint, for 15 minutes at most.',
    ]);
  });

  it('ends after fifteen minutes with what became of the last test notification', async () => {
    const { dependencies } = start(passingFrom(Number.POSITIVE_INFINITY));

    await expect(waitForFilter(dependencies, stage)).rejects.toThrow(
      /^Not within 15 minutes: .*no delivery is recorded for https:\/\/me\.test/,
    );
  });
});
