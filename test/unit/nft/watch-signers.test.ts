import { describe, expect, it } from 'vitest';
import { watchSignersHandler } from '../../../functions/nft/watch-signers/handler.ts';
import { signerInRecord } from '../../../shared/adapters/dynamodb/log-records.ts';
import { ChainUnavailableError } from '../../../shared/nft/errors.ts';
import type { SignerState } from '../../../shared/nft/ports/signers.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const stateOf = (id: string, finalizedCount = 1): SignerState =>
  aSignerState({ id, nextNonce: 2, minedCount: 1, finalizedCount });

/** Sets up the handler. Step Functions start no execution for the signers in `broken`. */
const start = ({
  states,
  broken,
  mined,
}: {
  readonly states: SignerState[];
  readonly broken: string[];
  /**
   * The counts of mined transactions by address. An address that is not listed has all that was final; if `undefined`,
   * no endpoint answers.
   */
  readonly mined: Readonly<Record<string, number>> | undefined;
}) => {
  const started: string[] = [];
  const asked: (readonly string[])[] = [];
  const handler = watchSignersHandler({
    chain: {
      chainId: 1,
      minedCounts: async (addresses) => {
        asked.push(addresses);
        if (mined === undefined) throw new ChainUnavailableError({ message: 'Nobody is there' });
        return new Map(addresses.map((address) => [address, mined[address] ?? 2]));
      },
    },
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
    signerInRecord,
    randomId: () => 'new',
    logger,
  });
  return { handler, started, asked };
};

describe('the schedule', () => {
  it('has every signer with unfinished work watched', async () => {
    const { handler, started } = start({
      states: [stateOf('1#a'), stateOf('1#b', 2), stateOf('1#c')],
      broken: [],
      mined: {},
    });

    await handler({});

    expect(started).toEqual(['1#a', '1#c']);
  });

  it('keeps no signer from being watched by another that cannot be, and fails all the same', async () => {
    const { handler, started } = start({
      states: [stateOf('1#a'), stateOf('1#b'), stateOf('1#c')],
      broken: ['1#a'],
      mined: {},
    });

    await expect(handler({})).rejects.toThrow(/1#a/);

    expect(started).toEqual(['1#b', '1#c']);
  });
});

describe('the schedule, of signers whose work is done', () => {
  const states = [stateOf('1#0xa', 2), stateOf('1#0xb'), stateOf('1#0xc', 2), stateOf('2#0xd', 2)];

  it('has those watched whose final transactions the chain no longer has, with one request', async () => {
    const { handler, started, asked } = start({ states, broken: [], mined: { '0xc': 1 } });

    await handler({});

    expect(started).toEqual(['1#0xb', '1#0xc']);
    expect(asked).toEqual([['0xa', '0xc']]);
  });

  it('asks again in a minute where no endpoint answers, and has the others watched', async () => {
    const { handler, started } = start({ states, broken: [], mined: undefined });

    await handler({});

    expect(started).toEqual(['1#0xb']);
  });
});

describe('the stream', () => {
  it('has the others watched when one cannot be, and comes again from that one', async () => {
    const { handler, started } = start({
      states: [stateOf('1#a'), stateOf('1#b'), stateOf('1#c')],
      broken: ['1#a'],
      mined: {},
    });
    const Records = ['1#b', '1#a', '1#c', '1#a'].map((signer, index) => ({
      dynamodb: { SequenceNumber: String(index), Keys: { pk: { S: signer } } },
    }));

    const answer = await handler({ Records });

    expect(started).toEqual(['1#b', '1#c']);
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
  });
});
