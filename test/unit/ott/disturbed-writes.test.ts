import { describe, expect, it } from 'vitest';
import { EventChangedError, PathsChangedError } from '../../../shared/ott/catalogue/errors.ts';
import { despiteOthers } from '../../../shared/ott/catalogue/put-one.ts';

const disturbedBy = (error: Error, times: number) => {
  let tried = 0;
  const work = async () => {
    tried += 1;
    if (tried <= times) throw error;
    return tried;
  };
  return { run: () => despiteOthers({ pause: async () => {} }, work), tried: () => tried };
};

describe('a write that others disturb', () => {
  it.each([
    ['change the same event', new EventChangedError({ id: 'final' }), 8, 'CONFLICT'],
    ['move paths of the same host', new PathsChangedError({ id: 'final' }), 24, 'SERVICE_UNAVAILABLE'],
  ] as const)('is tried again if they %s, and refused in the end', async (_, error, attempts, code) => {
    expect(await disturbedBy(error, attempts - 1).run()).toBe(attempts);

    const always = disturbedBy(error, attempts);
    await expect(always.run()).rejects.toMatchObject({ code });
    expect(always.tried()).toBe(attempts);
  });

  it('is not tried again after any other failure', async () => {
    const failing = disturbedBy(new Error('no answer'), 1);

    await expect(failing.run()).rejects.toThrow('no answer');
    expect(failing.tried()).toBe(1);
  });
});
