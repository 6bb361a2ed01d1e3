import { describe, expect, it } from 'vitest';
import { sendErrorOutcome } from '../../../shared/nft/rpc/send-errors.ts';

describe("an RPC endpoint's error message for a sent transaction", () => {
  it.each([
    ['transaction already imported', 'already-known'],
    ['already known', 'already-known'],
    ['INTERNAL_ERROR: existing tx with same hash', 'already-known'],
    ['ALREADY_EXISTS: already known', 'already-known'],
    ['nonce too low', 'nonce-too-low'],
    ['nonce too low: next nonce 7, tx nonce 3', 'nonce-too-low'],
    ['nonce too low: address 0x71C7656EC7ab88b098defB751B7401B5f6d8976F, tx: 3 state: 7', 'nonce-too-low'],
    ['INTERNAL_ERROR: nonce too low', 'nonce-too-low'],
    ['replacement transaction underpriced', 'underpriced'],
    ['replacement transaction underpriced: new tx gas fee cap 1 <= 2 queued', 'underpriced'],
    ['transaction underpriced: gas tip cap 1, minimum needed 25000000000', 'underpriced'],
    ['INTERNAL_ERROR: could not replace existing tx', 'underpriced'],
    ['INTERNAL_ERROR: underpriced', 'underpriced'],
    ['fee too low', 'underpriced'],
    ['max fee per gas less than block base fee', 'fee-below-base'],
    [
      'max fee per gas less than block base fee: address 0x71C7, maxFeePerGas: 1, baseFee: 2',
      'fee-below-base',
    ],
    ['fee cap less than block base fee', 'fee-below-base'],
    ['Insufficient funds for gas * price + value', 'insufficient-funds'],
    ['insufficient funds for gas * price + value: balance 0, tx cost 2, overshot 2', 'insufficient-funds'],
    ['INTERNAL_ERROR: insufficient funds', 'insufficient-funds'],
    ['txpool is full', 'pool-full'],
    ['pending sub-pool is full', 'pool-full'],
    ['exceeds block gas limit', 'rejected'],
    ['tx fee (12.00 ether) exceeds the configured cap (1.00 ether)', 'rejected'],
    ['intrinsic gas too low', 'rejected'],
    ['invalid sender', 'rejected'],
  ])('"%s" is classified as %s', (message, outcome) => {
    expect(sendErrorOutcome(message)).toBe(outcome);
  });

  it.each([
    'Internal error',
    'request timed out',
    'too many requests',
    'upstream said: the underpriced plan allows 10 requests a second',
    'header not found',
    '',
  ])('"%s" is classified as unknown', (message) => {
    expect(sendErrorOutcome(message)).toBe('unknown');
  });
});
