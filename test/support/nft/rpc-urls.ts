import type { RpcUrls } from '../../../shared/chain/rpc/rpc-endpoints.ts';

/** A list of endpoints that never changes. */
export function fixedUrls(...urls: readonly string[]): RpcUrls {
  const value = { urls };
  return { read: async () => value, refresh: async () => value };
}
