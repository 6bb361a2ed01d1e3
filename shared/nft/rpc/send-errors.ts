/**
 * The messages with which each Ethereum client (the node's software) refuses a transaction. The client behind a URL is
 * unknown and providers mix clients, so all tables are searched. No message has different meanings in two clients. The
 * outcome of a message that is in no table is `unknown`.
 */
import type { BroadcastOutcome } from '../ports/chain.ts';

type Refusal = Exclude<BroadcastOutcome, 'accepted' | 'unknown'>;
type ErrorTable = readonly (readonly [text: RegExp, outcome: Refusal])[];

/** `crates/anvil/src/eth/error.rs` and revm's InvalidTransaction. */
const anvil: ErrorTable = [
  [/transaction already imported/i, 'already-known'],
  [/^nonce too low/i, 'nonce-too-low'],
  [/replacement transaction underpriced/i, 'underpriced'],
  [/max fee per gas less than block base fee/i, 'fee-below-base'],
  [/insufficient funds for gas \* price \+ value/i, 'insufficient-funds'],
  [/insufficient funds for transfer/i, 'insufficient-funds'],
  [/invalid chain id for signer/i, 'rejected'],
  [/intrinsic gas too low|intrinsic gas too high/i, 'rejected'],
  [/max priority fee per gas higher than max fee per gas/i, 'rejected'],
  [/nonce has max value|max initcode size exceeded|sender not an eoa/i, 'rejected'],
];

/** Bor uses the messages of go-ethereum: `core/txpool/errors.go`, `core/error.go`, `internal/ethapi/api.go`. */
const bor: ErrorTable = [
  [/already known/i, 'already-known'],
  [/nonce too low/i, 'nonce-too-low'],
  [/replacement transaction underpriced/i, 'underpriced'],
  [/transaction underpriced|transaction gas price below minimum|gas tip cap .*below/i, 'underpriced'],
  [/future transaction tries to replace pending/i, 'underpriced'],
  [/max fee per gas less than block base fee/i, 'fee-below-base'],
  [/insufficient funds for (gas \* price \+ value|transfer)/i, 'insufficient-funds'],
  [/txpool is full|account limit exceeded|in-flight transaction limit reached/i, 'pool-full'],
  [/exceeds block gas limit|exceeds the configured cap|transaction gas limit too high/i, 'rejected'],
  [/invalid sender|oversized data|negative value|intrinsic gas too low/i, 'rejected'],
  [/transaction type not supported|only replay-protected|invalid chain id/i, 'rejected'],
  [/max priority fee per gas higher than max fee per gas/i, 'rejected'],
  [/rlp: |typed transaction too short/i, 'rejected'],
];

/**
 * Erigon uses the messages in its `txnprovider/txpool/txpoolcfg/txpoolcfg.go`. It sends some of them with the prefix
 * `INTERNAL_ERROR: ` or `ALREADY_EXISTS: `.
 */
const erigon: ErrorTable = [
  [/existing (tx|txn) with same hash/i, 'already-known'],
  [/already known/i, 'already-known'],
  [/nonce too low/i, 'nonce-too-low'],
  [/could not replace existing tx/i, 'underpriced'],
  [/(^|: )underpriced$|(^|: )fee too low$/i, 'underpriced'],
  [/fee cap less than block base fee/i, 'fee-below-base'],
  [/insufficient funds$/i, 'insufficient-funds'],
  [/sub-pool is full/i, 'pool-full'],
  [/gas limit is too high|GasUintOverflow|IntrinsicGas|RLPTooLong/i, 'rejected'],
];

export const sendErrorTables = { anvil, bor, erigon } as const satisfies Record<string, ErrorTable>;

const allClients: ErrorTable = Object.values(sendErrorTables).flat();

export function sendErrorOutcome(message: string): BroadcastOutcome {
  return allClients.find(([text]) => text.test(message))?.[1] ?? 'unknown';
}
