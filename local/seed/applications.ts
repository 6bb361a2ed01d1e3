import type { RestGateway } from 'template-runtime/gateway/types.ts';
import type { ApplicationRegistry } from '../../shared/platform/applications/ports/applications.ts';
import { demonstrationApplications } from './demonstration.ts';

export interface DemonstrationApplication {
  readonly id: string;
  readonly api_key: string;
  readonly client_id: string;
}

export interface ApplicationSeedOptions {
  readonly registry: ApplicationRegistry;
  readonly keys: RestGateway['keys'];
  readonly usagePlanIdsByTier: Readonly<Record<string, string>>;
  /**
   * Ids of applications that an earlier start added. They are not added again, because an operator may have removed
   * them.
   */
  readonly except: readonly string[];
}

const tier = 'standard';

/** Adds customers as an operator does: first a key in the tier's usage plan, then the application that owns it. */
export const addApplications = async (options: ApplicationSeedOptions): Promise<void> => {
  const { registry, keys, usagePlanIdsByTier, except } = options;
  const usagePlanId = usagePlanIdsByTier[tier];
  if (usagePlanId === undefined) throw new Error(`stage local has no tier ${tier}`);
  for (const application of demonstrationApplications) {
    if (except.includes(application.id) || (await registry.find(application.id))) continue;
    // An earlier start may have been killed after it created the key and before it created the application.
    const earlier = keys.getApiKeys().find(({ name }) => name === application.id);
    const key = earlier ?? keys.createApiKey({ name: application.id, enabled: true });
    const isLinked = keys.listUsagePlanKeys(usagePlanId).some(({ id }) => id === key.id);
    if (!isLinked) keys.createUsagePlanKey({ usagePlanId, keyId: key.id });
    await registry.create({ ...application, tier, apiKeyIds: [key.id] });
  }
};

/**
 * Allows users to link wallets on the pages of these origins, and no longer on those of an earlier start. Origins that an
 * operator has configured stay.
 */
export const moveOrigins = async ({
  registry,
  from = [],
  to,
}: Pick<ApplicationSeedOptions, 'registry'> & {
  readonly from: readonly string[] | undefined;
  readonly to: readonly string[];
}): Promise<void> => {
  const added = to.filter((origin) => !from.includes(origin));
  const removed = from.filter((origin) => !to.includes(origin));
  if (added.length + removed.length === 0) return;
  for (const { id } of demonstrationApplications) {
    const application = await registry.find(id);
    if (application === undefined) continue;
    const kept = application.wallets?.origins.filter((origin) => !removed.includes(origin)) ?? [];
    await registry.save({ ...application, wallets: { origins: [...new Set([...kept, ...added])] } });
  }
};

export const listApplications = async ({
  registry,
  keys,
}: Pick<ApplicationSeedOptions, 'registry' | 'keys'>): Promise<readonly DemonstrationApplication[]> => {
  const found = await Promise.all(demonstrationApplications.map(({ id }) => registry.find(id)));
  return found.flatMap((application) => {
    const [keyId] = application?.apiKeyIds ?? [];
    const [clientId] = application?.clientIds ?? [];
    const key = keyId === undefined ? undefined : keys.getApiKey(keyId);
    if (!application || !key || clientId === undefined) return [];
    return [{ id: application.id, api_key: key.value, client_id: clientId }];
  });
};
