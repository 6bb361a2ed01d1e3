import { describe, expect, it } from 'vitest';
import { RecordingUnknownError } from '../../../shared/nft/errors.ts';
import { writePatiently } from '../../../shared/nft/submit/write-patiently.ts';

const busy = { outcome: 'busy', reason: 'throttled' } as const;
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Each write has the next of these outcomes; `lost` is a write that gets no response. */
const write = async (...outcomes: readonly ('busy' | 'lost' | 'recorded')[]) => {
  const left = [...outcomes];
  return writePatiently<{ readonly outcome: 'recorded' }>(
    { clock: () => 0, logger, pause: async () => {} },
    {
      what: 'nonce 7',
      write: async () => {
        const outcome = left.shift();
        if (outcome === 'lost') throw new Error('No response');
        return outcome === 'recorded' ? { outcome } : busy;
      },
      readBack: async () => undefined,
      writes: outcomes.length,
      deadline: 1,
    },
  );
};

describe('a repeated write', () => {
  it('is reported as busy if the database refused every try', async () => {
    expect(await write('busy', 'busy')).toEqual({ result: busy, writesLeft: 0 });
  });

  it('has an unknown outcome if one try got no response, even if the database refused the last one', async () => {
    await expect(write('lost', 'busy')).rejects.toBeInstanceOf(RecordingUnknownError);
    await expect(write('busy', 'lost')).rejects.toBeInstanceOf(RecordingUnknownError);
  });

  it('ends with the first try that succeeds', async () => {
    expect(await write('busy', 'recorded', 'busy')).toEqual({
      result: { outcome: 'recorded' },
      writesLeft: 1,
    });
  });
});
