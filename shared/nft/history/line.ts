import * as z from 'zod';
import { type Address, addressSchema } from '../../chain/hex.ts';

/** What a line can tell: what happens to tokens without a transaction on the chain. */
export const lineKinds = ['given', 'updated', 'revoked', 'voided', 'unvoided'] as const;
export type LineKind = (typeof lineKinds)[number];

/**
 * One line of the history of tokens. It is stored in the same write as what it tells, and never changes, but that a
 * removed user who had claimed the token becomes nobody. Whatever has an entry in the transaction log, and the
 * reservation itself, has no line.
 */
export interface Line {
  readonly contract: Address;
  /** The tokens with ids from `from` to `to`, both included. Almost always one token. */
  readonly tokens: { readonly from: string; readonly to: string };
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly what: LineKind;
  /**
   * Orders the lines of a token that have the same time, and makes each line different from all others: the version that
   * the change gives to the first token or, of a void, how many tokens of the contract had become valid again.
   */
  readonly count: number;
  /** The version that the change gives to each token, in the order of their ids. Absent of a void. */
  readonly versions?: readonly number[] | undefined;
  /** Set if a token was given: the stand-ins of the users who had it and who got it. */
  readonly given?: { readonly from: Address; readonly to: Address } | undefined;
  /** The operation or the operator's command. */
  readonly by?: string | undefined;
}

/** What is stored of a line beside its keys. */
export const storedLineSchema = z.object({
  at: z.int(),
  what: z.enum(lineKinds),
  versions: z.array(z.int()).optional(),
  giver: addressSchema.optional(),
  receiver: addressSchema.optional(),
  by: z.string().optional(),
});
