import { serializeTransaction } from 'viem';
import { pad } from 'viem/utils';
import { ChainUnavailableError } from '../../shared/chain/errors.ts';
import type { Address } from '../../shared/chain/hex.ts';
import { type KeyRing, keyRing } from '../../shared/nft/transactions/key-ring.ts';
import { hashOf } from './chain.ts';
import type { Faults } from './faults.ts';
import type { Process } from './process.ts';
import { chainId } from './rpc-methods.ts';
import { between, hexOf, type Streams } from './streams.ts';

/**
 * A process's access to the signers' keys. A signature is the signer's address, so that nothing has to be computed. As
 * those of KMS, two signatures of the same transaction differ.
 */
export const simulatedKeys = ({
  addresses,
  process,
  streams,
  faults,
}: {
  readonly addresses: readonly Address[];
  readonly process: Process;
  readonly streams: Streams;
  readonly faults: Faults;
}): KeyRing => {
  const answered = <Answer>(answer: () => Answer): Promise<Answer> => {
    const isSilent = faults.strike('key: does not answer', process.task);
    return process.answer(between(streams.of(`keys @ ${process.task}`), 5, 40), () => {
      if (isSilent) throw new ChainUnavailableError({ message: 'The key of a signer cannot be used' });
      return answer();
    });
  };
  return keyRing(
    addresses.map((address, index) => ({
      number: index + 1,
      chainId,
      address: () => Promise.resolve(address),
      sign: (transaction) =>
        answered(() => {
          const r = pad(address, { size: 32 });
          const s = hexOf(streams.of(`signatures @ ${process.task}`), 31);
          const raw = serializeTransaction(
            { ...transaction, type: 'eip1559', chainId },
            { r, s, yParity: 0 },
          );
          return { raw, hash: hashOf(raw) };
        }),
    })),
  );
};
