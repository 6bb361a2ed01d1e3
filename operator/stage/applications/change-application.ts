import type { Application } from '../../../shared/platform/applications/application.ts';
import { getApplication, requireCustomer } from '../../platform/target/stores.ts';
import { OperatorError, UsageError } from '../../platform/terminal/operator-error.ts';
import { type KeyKeeping, moveToTier, saveApplication } from './application-keys.ts';

/** What `applications set` can change. */
export interface ApplicationChange {
  readonly name?: string | undefined;
  readonly tier?: string | undefined;
  readonly audience?: 'all' | 'linked' | undefined;
  readonly contractsPerDay?: number | undefined;
  readonly mintsPerDay?: number | undefined;
}

/**
 * @throws UsageError when there is nothing to change, OperatorError if the change would replace an audience that only a
 * later release knows.
 */
export const changeApplication = async (
  keeping: KeyKeeping,
  { id, change }: { readonly id: string; readonly change: ApplicationChange },
): Promise<Application> => {
  if (Object.values(change).every((value) => value === undefined)) {
    throw new UsageError({ message: 'Give at least one option to change; --help lists them.' });
  }
  const before = await getApplication(keeping.applications, id);
  const { name, audience, contractsPerDay, mintsPerDay, tier } = change;
  if ([audience, contractsPerDay, mintsPerDay].some((value) => value !== undefined)) requireCustomer(before);
  if (audience !== undefined && before.audience === 'later') {
    throw new OperatorError({
      message: `The audience of ${id} was stored by a later release of the service. This release does not know it, so it cannot change it.`,
    });
  }
  const application = {
    ...before,
    name: name ?? before.name,
    audience: audience ?? before.audience,
    limits: {
      contractsPerDay: contractsPerDay ?? before.limits.contractsPerDay,
      mintsPerDay: mintsPerDay ?? before.limits.mintsPerDay,
    },
  };
  return tier === undefined
    ? saveApplication(keeping, application)
    : moveToTier(keeping, { application, tier });
};

/**
 * Adds an OIDC client to this application: from then on, the client's access tokens count as the application's. If the
 * application already has the client, nothing changes.
 */
export const addClient = async (
  keeping: KeyKeeping,
  { id, clientId }: { readonly id: string; readonly clientId: string },
): Promise<Application> => {
  const before = requireCustomer(await getApplication(keeping.applications, id));
  if (before.clientIds.includes(clientId)) return before;
  const owner = await keeping.applications.findByClientId(clientId);
  if (owner !== undefined) {
    throw new OperatorError({ message: `Client ${clientId} belongs to application ${owner.id}.` });
  }
  return saveApplication(keeping, { ...before, clientIds: [...before.clientIds, clientId] });
};

export const removeClient = async (
  keeping: KeyKeeping,
  { id, clientId }: { readonly id: string; readonly clientId: string },
): Promise<Application> => {
  const before = await getApplication(keeping.applications, id);
  if (!before.clientIds.includes(clientId)) {
    throw new OperatorError({ message: `${clientId} is not a client of ${id}.` });
  }
  const clientIds = before.clientIds.filter((each) => each !== clientId);
  return saveApplication(keeping, { ...before, clientIds });
};
