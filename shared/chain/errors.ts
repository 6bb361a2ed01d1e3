import { ServiceError } from '../platform/errors.ts';

/**
 * The service cannot use the chain for now: no RPC endpoint answers, the fees are over the ceiling, the signer lacks
 * funds, or the signer is not available. The caller can retry.
 */
export class ChainUnavailableError extends ServiceError {
  readonly code = 'CHAIN_UNAVAILABLE';

  constructor(what: { readonly message: string; readonly cause?: unknown }) {
    super({ ...what, headers: { 'retry-after': '10' } });
  }
}
