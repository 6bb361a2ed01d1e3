import { type Address, type Hex, lowerCase } from '../../chain/hex.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Signer } from '../ports/chain.ts';
import { type Attempt, type Entry, type SignerId, signerIdOf } from './entry.ts';
import type { FeeQuote } from './fees.ts';
import type { Purpose } from './purpose.ts';

export interface SignDependencies {
  readonly signer: Signer;
  readonly clock: Clock;
}

export interface UnsignedEntry {
  readonly purpose: Purpose;
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  readonly cancels?: true | undefined;
}

/**
 * Signs one attempt. Throws if `from` is not the signer: a signature by another key would use up a nonce of the wrong
 * account.
 */
export const signAttempt = async (
  { signer, clock }: SignDependencies,
  {
    from,
    nonce,
    to,
    data,
    gas,
    cancels,
    feeQuote,
  }: Omit<UnsignedEntry, 'purpose'> & {
    readonly from: SignerId;
    readonly nonce: number;
    readonly feeQuote: FeeQuote;
  },
): Promise<Attempt> => {
  const own = signerIdOf({ chainId: signer.chainId, address: await signer.address() });
  if (from !== own) throw new Error(`The key of signer ${own} cannot sign for signer ${from}`);
  const signed = await signer.sign({ nonce, to, data, gas, ...feeQuote });
  const attempt = {
    hash: lowerCase(signed.hash),
    raw: lowerCase(signed.raw),
    ...feeQuote,
    signedAt: clock(),
  };
  return cancels === undefined ? attempt : { ...attempt, cancels };
};

export const signEntry = async (
  dependencies: SignDependencies,
  {
    signer,
    nonce,
    unsigned,
    feeQuote,
  }: {
    readonly signer: SignerId;
    readonly nonce: number;
    readonly unsigned: UnsignedEntry;
    readonly feeQuote: FeeQuote;
  },
): Promise<Entry> => ({
  signer,
  nonce,
  purpose: unsigned.purpose,
  gas: unsigned.gas,
  attempts: [await signAttempt(dependencies, { ...unsigned, from: signer, nonce, feeQuote })],
  status: 'pending',
  missingLooks: 0,
});
