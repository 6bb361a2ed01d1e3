import * as z from 'zod';
import { httpsBaseUrl } from './configured-url.ts';

/** Each is four resources of a stack that may have 480. */
const signersAtMost = 12;

const weiOfGwei = 1_000_000_000n;

const wei = z
  .string()
  .regex(/^\d+ gwei$/, 'A whole number of gwei, such as "25 gwei"')
  .transform((text) => BigInt(text.split(' ')[0] ?? '') * weiOfGwei);

const coins = z
  .number()
  .positive()
  .transform((amount) => BigInt(Math.round(amount * 1e9)) * weiOfGwei);

/** How a stage makes NFT transactions. */
export const nftConfig = z.strictObject({
  /** The chain that a request's `MATIC` means: Polygon, Amoy, or the node of a laptop. */
  chainId: z.union([z.literal(137), z.literal(80_002), z.literal(31_337)]),
  /** The chain's block explorer, to which `find` and `transactions show` link: `<explorer>/tx/<hash>` (EIP-3091). */
  explorer: httpsBaseUrl.optional(),
  /**
   * How many keys sign; each has an account that must be funded. More can be added at any time without moving anything;
   * fewer would leave collections that nobody can mint into.
   */
  signers: z.int().min(1).max(signersAtMost).default(1),
  /** Seconds between blocks; the waiter makes one round for each block. */
  blockSeconds: z.number().min(0.1).max(60).default(2),
  /**
   * What makes a block final: the chain's own tag, or a number of blocks above it. Final blocks are read at their own
   * state, and a node that is not an archive keeps the state of 128.
   */
  finality: z
    .union([
      z.strictObject({ kind: z.literal('tag') }),
      z.strictObject({ kind: z.literal('confirmations'), blocks: z.int().min(1).max(120) }),
    ])
    .default({ kind: 'tag' }),
  /** Nonces beyond the mined ones that are broadcast at a time; nodes pool a few hundred of one sender. */
  inFlightCap: z.int().min(1).max(1_000).default(256),
  /** The highest fee of any transaction, for each gas. */
  feeCeiling: wei,
  /**
   * The most that the endpoints' nodes accept for one transaction, in the chain's coin: geth's `rpc.txfeecap`, which is
   * 5 on Bor. A transaction whose gas limit times fee exceeds it is never signed. Absent: no cap.
   */
  endpointFeeCap: coins.optional(),
  /** The minimum tip that gets a transaction into a block: 25 gwei on Polygon (PIP-35). */
  minimumTip: wei,
  /** An alarm goes off when the signer has less, in the chain's coin. */
  lowBalance: z.number().positive().default(10),
  /** How long the head of the queue may wait before its fees are raised. */
  replaceAfterSeconds: z.int().min(1).max(3_600).default(60),
});
