import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ApiKeyStore, createApiKeys, type UsagePlan } from '../../gateway/api-keys.ts';

const planOf = (id: string, ...apiIds: string[]): UsagePlan => ({
  id,
  name: id,
  apiStages: apiIds.map((apiId) => ({ apiId, stage: 'local' })),
});

let path: string;

const open = (): ApiKeyStore => {
  const keys = createApiKeys(path);
  keys.putUsagePlan(planOf('standard', 'base', 'b2b'));
  keys.putUsagePlan(planOf('large', 'base'));
  keys.putUsagePlan(planOf('elsewhere', 'other'));
  return keys;
};

beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'test-keys-')), 'api-keys.json');
});

describe('API keys', () => {
  it('survive a restart, with their usage plans', () => {
    const before = open();
    const key = before.createApiKey({ name: 'customer', enabled: true });
    before.createUsagePlanKey({ usagePlanId: 'standard', keyId: key.id });

    const after = open();

    expect(after.findByValue(key.value)).toEqual(key);
    expect(after.planFor({ keyId: key.id, apiId: 'b2b', stage: 'local' })?.id).toBe('standard');
    expect(after.planFor({ keyId: key.id, apiId: 'other', stage: 'local' })).toBeUndefined();
    expect(after.listUsagePlanKeys('standard')).toEqual([key]);
  });

  it('are deleted together with their links to usage plans', () => {
    const keys = open();
    const key = keys.createApiKey({ enabled: true });
    keys.createUsagePlanKey({ usagePlanId: 'standard', keyId: key.id });

    expect(keys.deleteApiKey(key.id)).toBe(true);

    expect(keys.deleteApiKey(key.id)).toBe(false);
    expect(open().findByValue(key.value)).toBeUndefined();
    expect(open().listUsagePlanKeys('standard')).toEqual([]);
  });

  it('are disabled until they are enabled, and can be disabled again', () => {
    const keys = open();
    const key = keys.createApiKey({});

    expect(key.enabled).toBe(false);
    expect(keys.updateApiKey(key.id, { enabled: true })?.enabled).toBe(true);
    expect(keys.updateApiKey('nobody', { enabled: true })).toBeUndefined();
  });

  it('have unique values of 20 to 128 characters', () => {
    const keys = open();
    keys.createApiKey({ value: 'x'.repeat(20) });

    expect(() => keys.createApiKey({ value: 'x'.repeat(20) })).toThrow('already exists');
    expect(() => keys.createApiKey({ value: 'x'.repeat(19) })).toThrow('at least 20 characters');
  });

  it('belong to at most one usage plan of a stage', () => {
    const keys = open();
    const { id: keyId } = keys.createApiKey({ enabled: true });
    keys.createUsagePlanKey({ usagePlanId: 'standard', keyId });

    expect(() => keys.createUsagePlanKey({ usagePlanId: 'large', keyId })).toThrow('already exists');
    expect(() => keys.createUsagePlanKey({ usagePlanId: 'elsewhere', keyId })).not.toThrow();

    keys.deleteUsagePlanKey({ usagePlanId: 'standard', keyId });
    expect(() => keys.createUsagePlanKey({ usagePlanId: 'large', keyId })).not.toThrow();
  });
});
