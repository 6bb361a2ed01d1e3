import type { Application } from '../../shared/applications/application.ts';
import type { CustomerKey, CustomerKeys } from './customer-keys.ts';

/** The note for changes that functions see only after their cache. */
export const seenSoon = 'Functions go by it within 30 seconds.';

/** An application as `list` shows it. */
export const applicationRow = ({ id, name, tier, audience, limits, apiKeyIds, clientIds }: Application) => ({
  id,
  name,
  tier,
  audience,
  contracts_per_day: limits.contractsPerDay,
  mints_per_day: limits.mintsPerDay,
  keys: apiKeyIds.length,
  clients: clientIds,
});

const keyText = (id: string, key: CustomerKey | undefined) =>
  key === undefined
    ? { id, state: 'gone' }
    : { id, state: key.isEnabled ? 'enabled' : 'disabled', created_at: key.createdAt };

/** An application with its keys' ids, but never the keys. */
export const applicationRecord = async (application: Application, keys: Pick<CustomerKeys, 'find'>) => ({
  id: application.id,
  name: application.name,
  tier: application.tier,
  audience: application.audience,
  contracts_per_day: application.limits.contractsPerDay,
  mints_per_day: application.limits.mintsPerDay,
  clients: application.clientIds,
  keys: await Promise.all(application.apiKeyIds.map(async (id) => keyText(id, await keys.find(id)))),
  signer: application.signer,
  ott: application.ott,
  wallets: application.wallets,
});
