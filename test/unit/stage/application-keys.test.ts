import { beforeEach, describe, expect, it } from 'vitest';
import { OperatorError } from '../../../operator/platform/terminal/operator-error.ts';
import {
  addKey,
  createApplication,
  type KeyKeeping,
  moveToTier,
  removeApplication,
  removeKeys,
} from '../../../operator/stage/applications/application-keys.ts';
import { addClient, changeApplication } from '../../../operator/stage/applications/change-application.ts';
import { configureApplication } from '../../../operator/stage/applications/configure-application.ts';
import type { CustomerKey, CustomerKeys } from '../../../operator/stage/applications/customer-keys.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { callingApplication } from '../../../shared/platform/applications/calling-application.ts';
import { ApplicationConflictError } from '../../../shared/platform/applications/errors.ts';
import type { ApplicationRegistry } from '../../../shared/platform/applications/ports/applications.ts';
import { anApplication } from '../../support/platform/applications.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

/** The gateway's keys in memory. */
class FakeKeys implements CustomerKeys {
  readonly stored = new Map<string, CustomerKey>();
  readonly tiers = new Map<string, string>();
  #made = 0;

  readonly create = async ({ name }: { readonly name: string }) => {
    this.#made += 1;
    const key = { id: `key-${this.#made}`, name, isEnabled: true, createdAt: undefined };
    this.stored.set(key.id, key);
    return key;
  };
  readonly find = async (id: string) => this.stored.get(id);
  readonly value = async (id: string) => `value of ${id}`;
  readonly named = async (name: string) => [...this.stored.values()].filter((key) => key.name === name);
  readonly requireTier = (tier: string) => {
    if (!['standard', 'premium'].includes(tier)) throw new OperatorError({ message: `no tier ${tier}` });
  };
  readonly putInTier = async ({ id, tier }: { readonly id: string; readonly tier: string }) => {
    this.tiers.set(id, tier);
  };
  readonly remove = async (id: string) => {
    this.stored.delete(id);
  };
}

class FakeRegistry implements ApplicationRegistry {
  readonly stored = new Map<string, Application>();
  readonly removed = new Set<string>();

  readonly find = async (id: string) => this.stored.get(id);
  readonly list = async () => [...this.stored.values()];
  readonly findByApiKeyId = async (keyId: string) =>
    [...this.stored.values()].find(({ apiKeyIds }) => apiKeyIds.includes(keyId));
  readonly findByClientId = async (clientId: string) =>
    [...this.stored.values()].find(({ clientIds }) => clientIds.includes(clientId));
  readonly wasRemoved = async (id: string) => this.removed.has(id);
  readonly create: ApplicationRegistry['create'] = async (fields, { again = false } = {}) => {
    if (this.stored.has(fields.id) || (this.removed.has(fields.id) && !again))
      throw new ApplicationConflictError({ id: fields.id });
    return this.put({ ...fields, version: 1 });
  };
  readonly save = async (application: Application) =>
    this.put({ ...application, version: application.version + 1 });
  readonly remove = async (id: string) => {
    this.stored.delete(id);
    this.removed.add(id);
  };
  put(application: Application) {
    this.stored.set(application.id, application);
    return application;
  }
}

/** A port that fails at this step, as if the command were cut off there. */
const cutOffAt = <Port extends object>(port: Port, step: keyof Port): Port =>
  new Proxy(port, {
    get: (target, name) =>
      name === step ? () => Promise.reject(new Error('cut off')) : Reflect.get(target, name),
  });

let keys: FakeKeys;
let applications: FakeRegistry;
let keeping: KeyKeeping;

beforeEach(() => {
  keys = new FakeKeys();
  applications = new FakeRegistry();
  keeping = { stage: 'test', applications, keys };
});

const { apiKeyIds: _, version: __, ...fields } = anApplication({ id: 'club', clientIds: ['club-web'] });

describe('the creation of an application', () => {
  it('returns a new key and adds it to the tier of the application', async () => {
    const made = await createApplication(keeping, fields);

    expect(made).toMatchObject({ keyId: 'key-1', keyValue: 'value of key-1' });
    expect(applications.stored.get('club')?.apiKeyIds).toEqual(['key-1']);
    expect(keys.tiers.get('key-1')).toBe('standard');
  });

  it.each(['putInTier', 'value'] as const)(
    'reuses the key of an earlier attempt that was interrupted at %s',
    async (step) => {
      const cutOff = createApplication({ ...keeping, keys: cutOffAt(keys, step) }, fields);
      await expect(cutOff).rejects.toThrow('cut off');
      expect(applications.stored.size).toBe(0);

      await createApplication(keeping, fields);

      expect([...keys.stored.keys()]).toEqual(['key-1']);
      expect(applications.stored.get('club')?.apiKeyIds).toEqual(['key-1']);
    },
  );

  it('reuses the key of an earlier attempt that was interrupted before the application was written', async () => {
    const cutOff = createApplication({ ...keeping, applications: cutOffAt(applications, 'create') }, fields);
    await expect(cutOff).rejects.toThrow('cut off');

    const made = await createApplication(keeping, fields);

    expect([...keys.stored.keys()]).toEqual([made.keyId]);
  });

  it('fails for an existing id, without creating another key', async () => {
    await createApplication(keeping, fields);

    await expect(createApplication(keeping, fields)).rejects.toThrow(/rotate-key club/);
    expect(keys.stored.size).toBe(1);
  });

  it('fails for a client of another application, without creating a key', async () => {
    applications.put(anApplication({ id: 'other', clientIds: ['club-web'] }));

    await expect(createApplication(keeping, fields)).rejects.toThrow(
      'Client club-web belongs to application other.',
    );
    expect(keys.stored.size).toBe(0);
  });

  it('fails for a tier that does not exist, without creating a key', async () => {
    await expect(createApplication(keeping, { ...fields, tier: 'gold' })).rejects.toThrow('no tier gold');
    expect(keys.stored.size).toBe(0);
  });

  it('deletes its key when another command created the application first', async () => {
    const racing = new FakeRegistry();
    racing.put(anApplication({ id: 'club', apiKeyIds: ['theirs'] }));
    const blind = { ...applications, create: racing.create, findByApiKeyId: racing.findByApiKeyId };

    await expect(createApplication({ ...keeping, applications: blind }, fields)).rejects.toThrow(/try again/);
    expect(keys.stored.size).toBe(0);
  });
});

describe('another key of an application', () => {
  it('is written together with the end of the old keys, and the ended keys are deleted', async () => {
    await createApplication(keeping, fields);

    const { application } = await addKey(keeping, { id: 'club', now, end: now + 1_000 });

    expect(application).toMatchObject({
      apiKeyIds: ['key-1', 'key-2'],
      keyEnds: { 'key-1': new Date(now + 1_000).toISOString() },
    });
    const callers = (at: number) =>
      Promise.all(
        ['key-1', 'key-2'].map((keyId) =>
          callingApplication(applications, keyId, () => at).then(
            ({ id }) => id,
            (error) => error.name,
          ),
        ),
      );
    expect(await callers(now + 999)).toEqual(['club', 'club']);
    expect(await callers(now + 1_000)).toEqual(['ForbiddenError', 'club']);
    const next = await addKey(keeping, { id: 'club', now: now + 1_000 });
    expect(next.application).toMatchObject({ apiKeyIds: ['key-2', 'key-3'] });
    expect(next.application).not.toHaveProperty('keyEnds');
    expect([...keys.stored.keys()]).toEqual(['key-2', 'key-3']);
  });

  it('is added beside the old key, which remains until it is removed', async () => {
    await createApplication(keeping, fields);

    const rotated = await addKey(keeping, { id: 'club', now });

    expect(rotated.application.apiKeyIds).toEqual(['key-1', 'key-2']);
    await removeKeys(keeping, { id: 'club', keyIds: ['key-1'] });
    expect([...keys.stored.keys()]).toEqual(['key-2']);
    expect(applications.stored.get('club')?.apiKeyIds).toEqual(['key-2']);
  });

  it('is always new, even after an interrupted removal of a key', async () => {
    await createApplication(keeping, fields);
    await addKey(keeping, { id: 'club', now });
    const cutOff = { ...keeping, applications: cutOffAt(applications, 'save') };
    await expect(removeKeys(cutOff, { id: 'club', keyIds: ['key-1'] })).rejects.toThrow('cut off');

    const next = await addKey(keeping, { id: 'club', now });
    await removeKeys(keeping, { id: 'club', keyIds: ['key-1'] });

    expect(next.keyId).toBe('key-3');
    expect(applications.stored.get('club')?.apiKeyIds).toEqual(['key-2', 'key-3']);
  });

  it('is not created while the tier of the application does not exist', async () => {
    applications.put(anApplication({ id: 'club', apiKeyIds: [], tier: 'gold' }));

    await expect(addKey(keeping, { id: 'club', now })).rejects.toThrow('no tier gold');
    expect(keys.stored.size).toBe(0);
  });

  it('cannot be removed from an application that does not have it', async () => {
    await createApplication(keeping, fields);

    await expect(removeKeys(keeping, { id: 'club', keyIds: ['foreign'] })).rejects.toThrow(
      'foreign is not a key of club.',
    );
  });
});

describe("a change of an application's tier", () => {
  it('moves every key to the new tier before it writes the application', async () => {
    const { application } = await createApplication(keeping, fields);

    await moveToTier(keeping, { application, tier: 'premium' });

    expect(keys.tiers.get('key-1')).toBe('premium');
    expect(applications.stored.get('club')?.tier).toBe('premium');
  });

  it('to one that does not exist fails, also without a key', async () => {
    const application = applications.put(anApplication({ id: 'club', apiKeyIds: [] }));

    await expect(moveToTier(keeping, { application, tier: 'gold' })).rejects.toThrow('no tier gold');
    expect(applications.stored.get('club')).toEqual(application);
  });
});

describe('the removal of an application', () => {
  it('also deletes unused keys with its name', async () => {
    await createApplication(keeping, fields);
    await keys.create({ name: 'marquee-test-club' });

    await removeApplication(keeping, 'club');

    expect(keys.stored.size).toBe(0);
    expect(applications.stored.size).toBe(0);
  });
});

describe('the id of a removed application', () => {
  it('is given to another application only if the operator says that the customer comes back', async () => {
    await createApplication(keeping, fields);
    await removeApplication(keeping, 'club');

    await expect(createApplication(keeping, fields)).rejects.toThrow(
      /^Application club was removed, .*\. Choose another id, or add --again if the same customer comes back\.$/,
    );
    expect(keys.stored.size).toBe(0);
    const { application } = await createApplication(keeping, fields, { again: true });
    expect(application.id).toBe('club');
  });
});

describe('an editor', () => {
  const id = 'desk';
  const refusal = "desk is not a customer's application";
  const newEditor = () => createApplication(keeping, { ...fields, id, kind: 'editor', clientIds: [] });

  it.each([
    ['audience', () => changeApplication(keeping, { id, change: { audience: 'all' } })],
    ['contracts a day', () => changeApplication(keeping, { id, change: { contractsPerDay: 1 } })],
    ['mints a day', () => changeApplication(keeping, { id, change: { mintsPerDay: 1, name: 'Desk' } })],
    ['client', () => addClient(keeping, { id, clientId: 'desk-web' })],
    ['rules', () => configureApplication({ id, configuration: { ott: { rules: [] } }, applications })],
  ])('gets no %s', async (_what, change) => {
    const { application } = await newEditor();

    await expect(change()).rejects.toThrow(refusal);
    expect(applications.stored.get(id)).toEqual(application);
  });

  it('gets another name and tier, with its keys', async () => {
    await newEditor();

    await changeApplication(keeping, { id, change: { name: 'Desk', tier: 'premium' } });

    expect(applications.stored.get(id)).toMatchObject({ kind: 'editor', name: 'Desk', tier: 'premium' });
    expect(keys.tiers.get('key-1')).toBe('premium');
  });
});
