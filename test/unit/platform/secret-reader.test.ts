import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { secretReader } from '../../../shared/platform/aws/secret-reader.ts';

const minutes = 60_000;

const aService = (answers: (string | Error)[]) => {
  let calls = 0;
  const client = {
    read: async () => {
      const answer = answers[Math.min(calls, answers.length - 1)];
      calls += 1;
      if (answer instanceof Error) throw answer;
      return answer ?? '';
    },
  };
  return { client, calls: () => calls };
};

const aReader = (answers: (string | Error)[]) => {
  const service = aService(answers);
  let now = 0;
  const reader = secretReader({
    client: service.client,
    secretId: 'chain',
    schema: z.object({ urls: z.array(z.string()) }),
    clock: () => now,
  });
  return { reader, calls: service.calls, wait: (milliseconds: number) => (now += milliseconds) };
};

describe('the secret reader', () => {
  it('reads the secret once in five minutes, and again after that', async () => {
    const { reader, calls, wait } = aReader(['{"urls":["a"]}', '{"urls":["b"]}']);

    const first = await Promise.all([reader.read(), reader.read()]);
    wait(5 * minutes - 1);
    await reader.read();
    const callsBefore = calls();
    wait(1);
    const later = await reader.read();

    expect(first).toEqual([{ urls: ['a'] }, { urls: ['a'] }]);
    expect(callsBefore).toBe(1);
    expect(later).toEqual({ urls: ['b'] });
  });

  it('reads the secret again when the value was refused', async () => {
    const { reader } = aReader(['{"urls":["a"]}', '{"urls":["b"]}']);
    await reader.read();

    expect(await reader.refresh()).toEqual({ urls: ['b'] });
    expect(await reader.read()).toEqual({ urls: ['b'] });
  });

  it.each([
    ['the service is down', new Error('down')],
    ['the secret is rotated to a wrong shape', '{"urls":"b"}'],
  ])('uses the last valid value when %s, and reads again after half a minute', async (_, failure) => {
    const { reader, calls, wait } = aReader(['{"urls":["a"]}', failure, failure, '{"urls":["c"]}']);
    await reader.read();
    wait(6 * minutes);
    const outage = [await reader.read(), await reader.read()];
    const callsAtOnce = calls();
    wait(30_000);
    const still = await reader.read();
    wait(30_000);

    expect([...outage, still]).toEqual([{ urls: ['a'] }, { urls: ['a'] }, { urls: ['a'] }]);
    expect(callsAtOnce).toBe(2);
    expect(await reader.read()).toEqual({ urls: ['c'] });
  });

  it('fails when there is no value yet, and reads again at the next call', async () => {
    const { reader } = aReader([new Error('down'), '{"urls":[]}']);

    await expect(reader.read()).rejects.toThrow('down');
    expect(await reader.read()).toEqual({ urls: [] });
  });

  it('does not include an invalid value in the error', async () => {
    const { reader } = aReader(['{"urls":"https://key@rpc"}']);

    await expect(reader.read()).rejects.toThrow(/^Secret chain does not have the expected shape: urls$/);
  });
});
