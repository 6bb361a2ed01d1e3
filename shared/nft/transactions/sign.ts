import type { Clock } from '../../clock.ts';
import { type Attempt, type Entry, type Purpose, type SignerId, signerIdOf } from '../entry.ts';
import { type Address, type Hex, lowerCase } from '../hex.ts';
import type { Signer } from '../ports/chain.ts';
import type { Offer } from './fees.ts';

export interface SignDependencies {
  readonly signer: Signer;
  readonly clock: Clock;
}

/** A transaction but for its nonce and fees. */
export interface Draft {
  readonly purpose: Purpose;
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  readonly cancels?: true | undefined;
}

/**
 * Signs with this stage's key, for none but its own signer: under a nonce that belongs to another key or chain it
 * would use up one of its own.
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
    offer,
  }: Omit<Draft, 'purpose'> & {
    readonly from: SignerId;
    readonly nonce: number;
    readonly offer: Offer;
  },
): Promise<Attempt> => {
  const own = signerIdOf({ chainId: signer.chainId, address: await signer.address() });
  if (from !== own) throw new Error(`The key of ${own} does not sign for ${from}`);
  const signed = await signer.sign({ nonce, to, data, gas, ...offer });
  const attempt = { hash: lowerCase(signed.hash), raw: lowerCase(signed.raw), ...offer, signedAt: clock() };
  return cancels === undefined ? attempt : { ...attempt, cancels };
};

/** An entry of the log, signed and not yet recorded. */
export const signEntry = async (
  dependencies: SignDependencies,
  {
    signer,
    nonce,
    draft,
    offer,
  }: { readonly signer: SignerId; readonly nonce: number; readonly draft: Draft; readonly offer: Offer },
): Promise<Entry> => ({
  signer,
  nonce,
  purpose: draft.purpose,
  gas: draft.gas,
  attempts: [await signAttempt(dependencies, { ...draft, from: signer, nonce, offer })],
  status: 'pending',
  missingLooks: 0,
});
