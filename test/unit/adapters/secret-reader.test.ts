import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { secretReader } from '../../../shared/adapters/secrets/secret-reader.ts';

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

describe('secretReader', () => {
  it('asks once within five minutes and again after', async () => {
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

  it('reads it again when told that the value was refused', async () => {
    const { reader } = aReader(['{"urls":["a"]}', '{"urls":["b"]}']);
    await reader.read();

    expect(await reader.refresh()).toEqual({ urls: ['b'] });
    expect(await reader.read()).toEqual({ urls: ['b'] });
  });

  it('goes on with the value that it has when the service is down', async () => {
    const { reader, wait } = aReader(['{"urls":["a"]}', new Error('down')]);
    await reader.read();
    wait(6 * minutes);

    expect(await reader.read()).toEqual({ urls: ['a'] });
  });

  it('fails when there is no value yet, and asks again next time', async () => {
    const { reader } = aReader([new Error('down'), '{"urls":[]}']);

    await expect(reader.read()).rejects.toThrow('down');
    expect(await reader.read()).toEqual({ urls: [] });
  });

  it('does not quote a value of the wrong shape', async () => {
    const { reader } = aReader(['{"urls":"https://key@rpc"}']);

    await expect(reader.read()).rejects.toThrow(/^Secret chain does not have the expected shape: urls$/);
  });
});
