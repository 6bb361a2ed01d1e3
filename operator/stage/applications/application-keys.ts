import { type Application, hasEnded } from '../../../shared/platform/applications/application.ts';
import { ApplicationConflictError } from '../../../shared/platform/applications/errors.ts';
import type { ApplicationRegistry } from '../../../shared/platform/applications/ports/applications.ts';
import { getApplication } from '../../platform/target/stores.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import type { CustomerKey, CustomerKeys } from './customer-keys.ts';

export interface KeyKeeping {
  readonly stage: string;
  readonly applications: ApplicationRegistry;
  readonly keys: CustomerKeys;
}

export interface HandedOver {
  readonly application: Application;
  readonly keyId: string;
  readonly keyValue: string;
}

const keyName = (stage: string, id: string): string => `marquee-${stage}-${id}`;

/** Turns a conflict with a concurrent change of the application into an OperatorError. */
const asOperator = async <Result>(id: string, work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof ApplicationConflictError)) throw cause;
    throw new OperatorError({
      message: `${id} was changed by another command, or one of its clients belongs to another application; try again.`,
      cause,
    });
  }
};

export const saveApplication = (
  { applications }: Pick<KeyKeeping, 'applications'>,
  application: Application,
): Promise<Application> => asOperator(application.id, applications.save(application));

/**
 * Finds a key with this name that belongs to no application, because the command that created the key was interrupted.
 * Removed keys are never found: they are deleted first from the gateway, and then from their application.
 */
const leftOver = async (
  { applications, keys }: KeyKeeping,
  name: string,
): Promise<CustomerKey | undefined> => {
  for (const key of await keys.named(name)) {
    if ((await applications.findByApiKeyId(key.id)) === undefined) return key;
  }
  return undefined;
};

/**
 * Creates a key, or reuses one that an interrupted command created. API calls with the key are refused as long as the
 * key belongs to no application.
 *
 * @throws OperatorError before it creates a key if the stage has no such tier.
 */
const newKey = async (
  keeping: KeyKeeping,
  { id, tier }: Pick<Application, 'id' | 'tier'>,
): Promise<{ readonly id: string; readonly isNew: boolean }> => {
  const { stage, keys } = keeping;
  keys.requireTier(tier);
  const name = keyName(stage, id);
  const earlier = await leftOver(keeping, name);
  const key = earlier ?? (await keys.create({ name, description: `Application ${id}` }));
  await keys.putInTier({ id: key.id, tier });
  return { id: key.id, isNew: earlier === undefined };
};

/**
 * Creates an application with its API key.
 *
 * ```
 * key          is created in the gateway, named after the application; calls with the key are still refused
 * tier         the key is added to the tier's usage plan
 * application  is stored with the key's id, in one write; from now on calls with the key are accepted
 * ```
 *
 * If the command is interrupted before the last step, running it again finds the key and continues with it. The id of a
 * removed application is refused without `again`.
 */
export const createApplication = async (
  keeping: KeyKeeping,
  fields: Omit<Application, 'version' | 'apiKeyIds'>,
  { again = false }: { readonly again?: boolean | undefined } = {},
): Promise<HandedOver> => {
  const { applications, keys } = keeping;
  const { id } = fields;
  if ((await applications.find(id)) !== undefined) {
    throw new OperatorError({
      message: `Application ${id} already exists. If its key was never handed over, create a new one with applications rotate-key ${id}.`,
    });
  }
  if (!again && (await applications.wasRemoved(id))) {
    throw new OperatorError({
      message: `Application ${id} was removed, and what it had stored would belong to the new one: its contracts and tokens, identifiers of users and notifications. Choose another id, or add --again if the same customer comes back.`,
    });
  }
  for (const clientId of fields.clientIds) {
    const owner = await applications.findByClientId(clientId);
    if (owner !== undefined) {
      throw new OperatorError({ message: `Client ${clientId} belongs to application ${owner.id}.` });
    }
  }
  const key = await newKey(keeping, fields);
  const keyValue = await keys.value(key.id);
  try {
    const application = await asOperator(
      id,
      applications.create({ ...fields, apiKeyIds: [key.id] }, { again }),
    );
    return { application, keyId: key.id, keyValue };
  } catch (error) {
    const isOurs = (await applications.findByApiKeyId(key.id)) === undefined;
    if (error instanceof OperatorError && key.isNew && isOurs) await keys.remove(key.id);
    throw error;
  }
};

/**
 * Adds a key to an application. Keys that have already expired are deleted first. If `end` is given, the other keys
 * expire at that time at the latest. Otherwise, their expiry does not change. One write stores the new key and all
 * expiries, so the other keys expire in time even if the command is interrupted afterwards.
 */
export const addKey = async (
  keeping: KeyKeeping,
  { id, end, now }: { readonly id: string; readonly end?: number | undefined; readonly now: number },
): Promise<HandedOver> => {
  const { applications, keys } = keeping;
  const found = await getApplication(applications, id);
  const ended = found.apiKeyIds.filter((keyId) => hasEnded(found, keyId, now));
  const before = ended.length === 0 ? found : await removeKeys(keeping, { id, keyIds: ended });
  const key = await newKey(keeping, before);
  const keyValue = await keys.value(key.id);
  const apiKeyIds = [...before.apiKeyIds, key.id];
  const keyEnds =
    end === undefined
      ? before.keyEnds
      : {
          ...Object.fromEntries(before.apiKeyIds.map((keyId) => [keyId, new Date(end).toISOString()])),
          // A key that expires before `end` keeps its earlier expiry.
          ...Object.fromEntries(
            Object.entries(before.keyEnds ?? {}).filter(([, earlier]) => Date.parse(earlier) < end),
          ),
        };
  const application = await saveApplication(keeping, { ...before, apiKeyIds, ...(keyEnds && { keyEnds }) });
  return { application, keyId: key.id, keyValue };
};

/** @throws OperatorError when the application does not exist, or any of the keys does not belong to it. */
export const getKeysOwner = async (
  { applications }: Pick<KeyKeeping, 'applications'>,
  { id, keyIds }: { readonly id: string; readonly keyIds: readonly string[] },
): Promise<Application> => {
  const application = await getApplication(applications, id);
  const foreign = keyIds.filter((keyId) => !application.apiKeyIds.includes(keyId));
  if (foreign.length === 0) return application;
  throw new OperatorError({
    message: `${foreign.join(', ')} ${foreign.length === 1 ? 'is not a key' : 'are not keys'} of ${id}.`,
  });
};

/**
 * Deletes keys for good: first from the gateway, then from the application. If the command is interrupted in between,
 * API calls with a deleted key are already refused, and `leftOver` does not find the key.
 */
export const removeKeys = async (
  keeping: KeyKeeping,
  { id, keyIds }: { readonly id: string; readonly keyIds: readonly string[] },
): Promise<Application> => {
  const before = await getKeysOwner(keeping, { id, keyIds });
  for (const keyId of keyIds) await keeping.keys.remove(keyId);
  const apiKeyIds = before.apiKeyIds.filter((keyId) => !keyIds.includes(keyId));
  const { keyEnds, ...rest } = before;
  const ends = Object.entries(keyEnds ?? {}).filter(([keyId]) => !keyIds.includes(keyId));
  return saveApplication(keeping, {
    ...rest,
    apiKeyIds,
    ...(ends.length > 0 && { keyEnds: Object.fromEntries(ends) }),
  });
};

/**
 * Moves an application and those of its keys that the gateway has to another tier. If this is interrupted, repeating it
 * completes the move.
 */
export const moveToTier = async (
  keeping: KeyKeeping,
  { application, tier }: { readonly application: Application; readonly tier: string },
): Promise<Application> => {
  const { keys } = keeping;
  // An application without keys would otherwise get a tier that does not exist.
  keys.requireTier(tier);
  for (const id of application.apiKeyIds) {
    if ((await keys.find(id)) !== undefined) await keys.putInTier({ id, tier });
  }
  return saveApplication(keeping, { ...application, tier });
};

/** Removes an application and its keys, which stop working. Its contracts and tokens stay on the chain. */
export const removeApplication = async (keeping: KeyKeeping, id: string): Promise<void> => {
  const { stage, applications, keys } = keeping;
  const { apiKeyIds } = await getApplication(applications, id);
  for (const keyId of apiKeyIds) await keys.remove(keyId);
  await asOperator(id, applications.remove(id));
  // Another command may have added a key after `apiKeyIds` was read. Such a key is deleted, so that an application
  // that gets the id again does not reuse the key.
  for (const key of await keys.named(keyName(stage, id))) await keys.remove(key.id);
};
