import { describe, expect, it } from 'vitest';
import { describeStarvation, measureStarvation } from '../../testing/starvation.ts';
import { waitFor, waitUntil } from '../../testing/wait.ts';

describe('waiting for a condition', () => {
  it('returns the result of the first time at which the condition does not throw', async () => {
    let looks = 0;

    const found = await waitFor(
      () => {
        looks += 1;
        if (looks < 3) throw new Error('not yet');
        return 'here';
      },
      { interval: 1 },
    );

    expect([found, looks]).toEqual(['here', 3]);
  });

  it('fails with the last error of the condition, and says how starved the process was meanwhile', async () => {
    const waiting = waitFor(() => expect([1]).toEqual([2]), { timeout: 30, interval: 1 });

    await expect(waiting).rejects.toMatchObject({
      name: 'AssertionError',
      message: expect.stringMatching(
        /deeply equal.* \(waited \d+\.\d s[;,] .*timers up to \d+ ms late, load \d+\.\d per core\)$/s,
      ),
      actual: expect.anything(),
    });
  });

  it('fails although the condition itself never ends', async () => {
    await expect(waitFor(() => new Promise(() => {}), { timeout: 20 })).rejects.toThrow(
      'the condition was never decided (waited',
    );
  });

  it('names what was false until the end', async () => {
    await expect(waitUntil(() => [].length > 0, { timeout: 20, interval: 1 })).rejects.toThrow(
      /still false: \(\) => \[\]\.length > 0 \(waited/,
    );
  });
});

describe('a wait that failed', () => {
  const calm = { waitedMilliseconds: 120_000, longestDelayMilliseconds: 15, loadPerCore: 0.4 };

  it.each([
    ['timers were late', { longestDelayMilliseconds: 2_300 }, '2300 ms late, load 0.4 per core'],
    ['many processes wanted to run', { loadPerCore: 5.5 }, '15 ms late, load 5.5 per core'],
  ])('may be the fault of a slow machine if %s', (_, starved, figures) => {
    const said = describeStarvation({ ...calm, ...starved });

    expect(said).toBe(`waited 120.0 s; the machine may have been too slow: timers up to ${figures}`);
  });

  it('is not the fault of the machine otherwise', () => {
    expect(describeStarvation(calm)).toBe(
      'waited 120.0 s, and the machine was not too slow: timers up to 15 ms late, load 0.4 per core',
    );
  });

  it('has measured how late the timers of its process were', async () => {
    const starvation = measureStarvation();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const busyUntil = performance.now() + 300;
    while (performance.now() < busyUntil);
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(starvation().longestDelayMilliseconds).toBeGreaterThan(200);
  });
});
