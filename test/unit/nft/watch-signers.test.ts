import { describe, expect, it } from 'vitest';
import { watchSignersHandler } from '../../../functions/nft/watch-signers/handler.ts';
import type { SignerState } from '../../../shared/nft/ports/signers.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const stateOf = (id: string, finalizedCount = 1): SignerState =>
  aSignerState({ id, nextNonce: 2, minedCount: 1, finalizedCount });

/** Step Functions that take no execution for some signers. */
const start = ({ states, broken }: { readonly states: SignerState[]; readonly broken: string[] }) => {
  const started: string[] = [];
  const handler = watchSignersHandler({
    signers: {
      find: async (id) => states.find((state) => state.id === id),
      list: async () => states,
      swapGeneration: async () => true,
    },
    executions: {
      start: async ({ signer }) => {
        if (broken.includes(signer)) throw new Error(`No execution for ${signer}`);
        started.push(signer);
        return 'running';
      },
    },
    randomId: () => 'new',
    logger,
  });
  return { handler, started };
};

describe('the schedule', () => {
  it('has every signer with unfinished work watched', async () => {
    const { handler, started } = start({
      states: [stateOf('1#a'), stateOf('1#b', 2), stateOf('1#c')],
      broken: [],
    });

    await handler({});

    expect(started).toEqual(['1#a', '1#c']);
  });

  it('keeps no signer from being watched by another that cannot be, and fails all the same', async () => {
    const { handler, started } = start({
      states: [stateOf('1#a'), stateOf('1#b'), stateOf('1#c')],
      broken: ['1#a'],
    });

    await expect(handler({})).rejects.toThrow(/1#a/);

    expect(started).toEqual(['1#b', '1#c']);
  });
});

describe('the stream', () => {
  it('has the others watched when one cannot be, and comes again from that one', async () => {
    const { handler, started } = start({
      states: [stateOf('1#a'), stateOf('1#b'), stateOf('1#c')],
      broken: ['1#a'],
    });
    const Records = ['1#b', '1#a', '1#c', '1#a'].map((signer, index) => ({
      dynamodb: { SequenceNumber: String(index), Keys: { pk: { S: signer } } },
    }));

    const answer = await handler({ Records });

    expect(started).toEqual(['1#b', '1#c']);
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
  });
});
