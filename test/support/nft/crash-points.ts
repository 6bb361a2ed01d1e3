import type { Fault } from './faults.ts';

/** The points at which a handler that mints may crash or lose a response. */
export const handlerPoints: readonly Fault[] = [
  { at: 'claims.claim', when: 'before', mode: 'crash' },
  { at: 'claims.claim', when: 'after', mode: 'crash' },
  { at: 'nfts.reserveTokenIds', when: 'after', mode: 'crash' },
  { at: 'signers.reserveNonce', when: 'before', mode: 'crash' },
  { at: 'signers.reserveNonce', when: 'after', mode: 'crash' },
  { at: 'signer.sign', when: 'after', mode: 'crash' },
  { at: 'transactionLog.record', when: 'before', mode: 'crash' },
  { at: 'transactionLog.record', when: 'after', mode: 'crash' },
  { at: 'chain.broadcast', when: 'before', mode: 'crash' },
  { at: 'chain.broadcast', when: 'after', mode: 'crash' },
  { at: 'counts.count', when: 'after', mode: 'lost' },
  { at: 'claims.claim', when: 'after', mode: 'lost' },
  { at: 'nfts.reserveTokenIds', when: 'after', mode: 'lost' },
  { at: 'signers.reserveNonce', when: 'after', mode: 'lost' },
  { at: 'signer.sign', when: 'before', mode: 'lost' },
  { at: 'transactionLog.record', when: 'before', mode: 'lost' },
  { at: 'transactionLog.record', when: 'after', mode: 'lost' },
];
