import * as z from 'zod';
import { httpsBaseUrl } from './configured-url.ts';

/** The most signers for which the stage's quotas, budgets and dashboard are checked. */
const signersAtMost = 12;

const weiOfGwei = 1_000_000_000n;

const wei = z
  .string()
  .regex(/^\d+ gwei$/, 'must be a whole number of gwei, such as "25 gwei"')
  .transform((text) => BigInt(text.split(' ')[0] ?? '') * weiOfGwei);

const coins = z
  .number()
  .positive()
  .transform((amount) => BigInt(Math.round(amount * 1e9)) * weiOfGwei);

/** How a stage signs and sends NFT transactions. */
export const nftConfig = z.strictObject({
  /** The chain that requests refer to as `MATIC`: Polygon, its test chain Amoy, or a local node. */
  chainId: z.union([z.literal(137), z.literal(80_002), z.literal(31_337)]),
  /** The chain's block explorer. `find` and `transactions show` link to `<explorer>/tx/<hash>` (EIP-3091). */
  explorer: httpsBaseUrl.optional(),
  /**
   * The number of signers. Each signer's address needs funds. The number can be raised at any time. Do not lower it:
   * the collections of a removed signer could no longer be minted into.
   */
  signers: z.int().min(1).max(signersAtMost).default(1),
  /**
   * The ARNs of KMS keys that exist already, in the order of the signers: those of a stage that was lost or removed, or
   * their replicas in this stage's Region. The first signers use them, and the deployment makes keys only for the others.
   * A collection belongs to its key for ever, so only the old key can mint into it. @default all keys are made
   */
  signerKeys: z
    .array(
      z.string().regex(/^arn:aws[\w-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/, 'must be the ARN of a KMS key'),
    )
    .refine((keys) => new Set(keys).size === keys.length, 'must not name the same key twice')
    .default([]),
  /** The chain's block time in seconds. The waiter checks the chain once per block time. */
  blockSeconds: z.number().min(0.1).max(60).default(2),
  /**
   * When a block counts as final: when the chain's tag `finalized` has reached it, or when it has `blocks` further
   * blocks above it. `blocks` is at most 120 because the service reads the state at final blocks, and a node that is
   * not an archive node keeps the state of only 128 blocks.
   */
  finality: z
    .union([
      z.strictObject({ kind: z.literal('tag') }),
      z.strictObject({ kind: z.literal('confirmations'), blocks: z.int().min(1).max(120) }),
    ])
    .default({ kind: 'tag' }),
  /**
   * How many of a signer's transactions may be sent but not yet mined at the same time. Nodes refuse more than a few
   * hundred such transactions from one sender.
   */
  inFlightCap: z.int().min(1).max(1_000).default(256),
  /** The highest price per unit of gas that the stage offers. */
  feeCeiling: wei,
  /**
   * The highest fee, in the chain's coin, that the nodes of the RPC endpoints accept for one transaction. It is the
   * node's setting `rpc.txfeecap`, by default 5 on Bor. A transaction whose gas limit times gas price is above this fee
   * is never signed. @default no limit
   */
  endpointFeeCap: coins.optional(),
  /** The minimum tip that gets a transaction into a block: 25 gwei on Polygon (PIP-35). */
  minimumTip: wei,
  /** An alarm goes off when a signer's balance is below this amount, in the chain's coin. */
  lowBalance: z.number().positive().default(10),
  /**
   * How long a wallet must be linked before its user can claim reserved tokens to it. Within this time, a user whose
   * account was taken over can notice it.
   */
  claimAfterSeconds: z.int().min(0).max(2_592_000).default(86_400),
  /**
   * How many reserved tokens the users of one application can claim in a day (UTC). Each claim costs the stage a mint.
   * 0: only the application itself has reserved tokens minted.
   */
  claimsPerDay: z.int().min(0).max(1_000_000).default(10_000),
  /** How many seconds the first of a signer's waiting transactions may wait before its fees are raised. */
  replaceAfterSeconds: z.int().min(1).max(3_600).default(60),
});
