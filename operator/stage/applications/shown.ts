import { type Application, hasEnded } from '../../../shared/platform/applications/application.ts';
import type { CustomerKey, CustomerKeys } from './customer-keys.ts';

/** An application as `list` shows it. */
export const applicationRow = (application: Application) => {
  const { id, name, kind = 'customer', tier, apiKeyIds, audience, limits, clientIds } = application;
  return {
    id,
    name,
    kind,
    tier,
    ...(kind === 'customer' && {
      audience,
      contracts_per_day: limits.contractsPerDay,
      mints_per_day: limits.mintsPerDay,
    }),
    keys: apiKeyIds.length,
    ...(kind === 'customer' && { clients: clientIds }),
  };
};

const keyText = (application: Application, id: string, key: CustomerKey | undefined) => {
  if (key === undefined) return { id, state: 'gone' };
  const endsAt = application.keyEnds?.[id];
  const state = hasEnded(application, id, Date.now()) ? 'ended' : key.isEnabled ? 'enabled' : 'disabled';
  return { id, state, created_at: key.createdAt, ...(endsAt !== undefined && { ends_at: endsAt }) };
};

/** An application with its keys' ids, but never their secret values. */
export const applicationRecord = async (application: Application, keys: Pick<CustomerKeys, 'find'>) => ({
  ...applicationRow(application),
  keys: await Promise.all(
    application.apiKeyIds.map(async (id) => keyText(application, id, await keys.find(id))),
  ),
  ...(application.kind === undefined && {
    signer: application.signer,
    ott: application.ott,
    wallets: application.wallets,
  }),
});
