import { keccak256 } from 'viem';
import { ChainUnavailableError } from '../../chain/errors.ts';
import type { KeyService } from '../../platform/aws/kms-client.ts';
import type { Signer } from '../ports/chain.ts';
import { type KeyRing, keyRing } from '../transactions/key-ring.ts';
import { kmsAccount } from './kms-account.ts';
import { kmsKey } from './kms-key.ts';

/** The signer's methods throw ChainUnavailableError if KMS refuses or does not answer, so that the caller may retry. */
export function kmsSigner({
  client,
  keyId,
  chainId,
  number,
}: {
  readonly client: KeyService;
  /** Id, ARN, or alias. */
  readonly keyId: string;
  readonly chainId: number;
  readonly number: number;
}): Signer {
  const key = kmsKey({ client, keyId });

  const orUnavailable = async <Result>(asked: Promise<Result>): Promise<Result> => {
    try {
      return await asked;
    } catch (cause) {
      throw new ChainUnavailableError({
        message: `The key of signer ${number} (${keyId}) cannot be used`,
        cause,
      });
    }
  };

  return {
    number,
    chainId,
    address: () => orUnavailable(key.address()),
    sign: async (transaction) => {
      const account = await orUnavailable(kmsAccount(key));
      const raw = await orUnavailable(account.signTransaction({ ...transaction, type: 'eip1559', chainId }));
      return { raw, hash: keccak256(raw) };
    },
  };
}

export const kmsKeyRing = ({
  client,
  keyIds,
  chainId,
}: {
  readonly client: KeyService;
  readonly keyIds: readonly string[];
  readonly chainId: number;
}): KeyRing =>
  keyRing(keyIds.map((keyId, index) => kmsSigner({ client, keyId, chainId, number: index + 1 })));
