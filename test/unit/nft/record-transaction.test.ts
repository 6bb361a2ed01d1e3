import { describe, expect, it } from 'vitest';
import { transferGasLimit } from '../../../shared/nft/collection/collection.ts';
import { addressOfSigner, signerIdOf } from '../../../shared/nft/entry.ts';
import { RecordingUnknownError } from '../../../shared/nft/errors.ts';
import { recordPatiently, writeBudget } from '../../../shared/nft/submit/record-transaction.ts';
import { signEntry } from '../../../shared/nft/transactions/sign.ts';
import { localSigner } from '../../support/local-signer.ts';

const clock = () => 1_800_000_000_000;
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const silent = async (): Promise<never> => {
  throw new Error('The table does not answer');
};

describe('a recording that nobody answers', () => {
  it('is unknown, and never taken for a failure, while it cannot be read back either', async () => {
    const signer = localSigner();
    const id = signerIdOf({ chainId: signer.chainId, address: await signer.address() });
    const entry = await signEntry(
      { signer, clock },
      {
        signer: id,
        nonce: 7,
        draft: { purpose: { kind: 'fill' }, to: addressOfSigner(id), data: '0x', gas: transferGasLimit },
        offer: { maxFeePerGas: 4n, maxPriorityFeePerGas: 2n },
      },
    );
    const claim = {
      scope: { application: 'one', operation: 'mint', key: 'k' },
      bodyHash: 'b',
      owner: 'this request',
    };
    let writes = 0;
    const record = () => {
      writes += 1;
      return silent();
    };

    const recorded = recordPatiently(
      {
        transactionLog: { record, find: silent },
        claims: { find: silent },
        clock,
        logger,
        pause: async () => {},
      },
      { recording: { entry, claim }, budget: writeBudget(), deadline: clock() + 1 },
    );

    await expect(recorded).rejects.toBeInstanceOf(RecordingUnknownError);
    expect(writes).toBe(writeBudget().left);
  });
});
