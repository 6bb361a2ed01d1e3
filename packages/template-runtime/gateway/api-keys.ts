import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { writeFileDurably } from '../durable-file.ts';

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly description?: string;
  readonly enabled: boolean;
  /** Seconds since the Unix epoch. */
  readonly createdDate: number;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface UsagePlan {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly apiStages: readonly { readonly apiId: string; readonly stage: string }[];
  readonly throttle?: { readonly rateLimit?: number; readonly burstLimit?: number };
  readonly quota?: {
    readonly limit: number;
    readonly offset?: number;
    readonly period: 'DAY' | 'WEEK' | 'MONTH';
  };
}

export interface NewApiKey {
  /** Set by the template. @default generated */
  readonly id?: string;
  readonly name?: string;
  readonly value?: string;
  readonly description?: string;
  readonly enabled?: boolean;
  readonly tags?: Readonly<Record<string, string>>;
}

/**
 * API Gateway's control plane for keys and usage plans. Getters return `undefined` where API Gateway throws
 * `NotFoundException`. A duplicate throws `ApiKeyConflict`, which stands for `ConflictException`.
 */
export interface ApiKeys {
  createApiKey(key: NewApiKey): ApiKey;
  getApiKey(id: string): ApiKey | undefined;
  getApiKeys(): readonly ApiKey[];
  updateApiKey(
    id: string,
    changes: { readonly name?: string; readonly description?: string; readonly enabled?: boolean },
  ): ApiKey | undefined;
  /** `false` when the key did not exist. */
  deleteApiKey(id: string): boolean;
  putUsagePlan(plan: UsagePlan): void;
  getUsagePlan(id: string): UsagePlan | undefined;
  listUsagePlans(): readonly UsagePlan[];
  createUsagePlanKey(link: { readonly usagePlanId: string; readonly keyId: string }): void;
  listUsagePlanKeys(usagePlanId: string): readonly ApiKey[];
  deleteUsagePlanKey(link: { readonly usagePlanId: string; readonly keyId: string }): boolean;
}

export class ApiKeyConflict extends Error {
  constructor({ what }: { readonly what: string }) {
    super(`${what} already exists`);
    this.name = 'ApiKeyConflict';
  }
}

const storedSchema = z.strictObject({
  keys: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      value: z.string(),
      description: z.string().optional(),
      enabled: z.boolean(),
      createdDate: z.number(),
      tags: z.record(z.string(), z.string()).optional(),
    }),
  ),
  links: z.array(z.strictObject({ usagePlanId: z.string(), keyId: z.string() })),
});

export interface ApiKeyStore extends ApiKeys {
  findByValue(value: string): ApiKey | undefined;
  /** The usage plan that lets a key call a stage. A key belongs to at most one plan for each stage. */
  planFor(call: {
    readonly keyId: string;
    readonly apiId: string;
    readonly stage: string;
  }): UsagePlan | undefined;
}

/**
 * Stores keys and their links to usage plans in the file. The plans themselves come from the template at each start.
 */
export const createApiKeys = (path: string): ApiKeyStore => {
  const keys = new Map<string, ApiKey>();
  const idsByValue = new Map<string, string>();
  const plans = new Map<string, UsagePlan>();
  const plansOfKey = new Map<string, Set<string>>();

  const add = (key: ApiKey): void => {
    keys.set(key.id, key);
    idsByValue.set(key.value, key.id);
  };
  const link = ({ usagePlanId, keyId }: { usagePlanId: string; keyId: string }): void => {
    plansOfKey.set(keyId, (plansOfKey.get(keyId) ?? new Set()).add(usagePlanId));
  };
  if (existsSync(path)) {
    const stored = storedSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    stored.keys.forEach(add);
    stored.links.forEach(link);
  }

  const save = (): void => {
    const links = [...plansOfKey].flatMap(([keyId, planIds]) =>
      [...planIds].map((usagePlanId) => ({ usagePlanId, keyId })),
    );
    writeFileDurably(path, JSON.stringify({ keys: [...keys.values()], links }, null, 2));
  };

  return {
    createApiKey: ({ id = identifier(10), name, value = identifier(40), enabled = false, ...rest }) => {
      if (value.length < 20 || value.length > 128) {
        throw new InvalidApiKey({ reason: 'API Key value should be at least 20 characters and at most 128' });
      }
      const existing = idsByValue.get(value);
      if (existing !== undefined && existing !== id) throw new ApiKeyConflict({ what: 'API Key' });
      const replaced = keys.get(id);
      if (replaced !== undefined) idsByValue.delete(replaced.value);
      const key = {
        id,
        name: name ?? id,
        value,
        enabled,
        createdDate: replaced?.createdDate ?? Math.floor(Date.now() / 1000),
        ...rest,
      };
      add(key);
      save();
      return key;
    },
    getApiKey: (id) => keys.get(id),
    getApiKeys: () => [...keys.values()],
    updateApiKey: (id, changes) => {
      const key = keys.get(id);
      if (key === undefined) return undefined;
      const changed = { ...key, ...changes };
      keys.set(id, changed);
      save();
      return changed;
    },
    deleteApiKey: (id) => {
      const key = keys.get(id);
      if (key === undefined) return false;
      keys.delete(id);
      idsByValue.delete(key.value);
      plansOfKey.delete(id);
      save();
      return true;
    },
    putUsagePlan: (plan) => {
      plans.set(plan.id, plan);
    },
    getUsagePlan: (id) => plans.get(id),
    listUsagePlans: () => [...plans.values()],
    createUsagePlanKey: ({ usagePlanId, keyId }) => {
      const stages = plans.get(usagePlanId)?.apiStages ?? [];
      const conflicts = [...(plansOfKey.get(keyId) ?? [])].some(
        (other) =>
          other !== usagePlanId &&
          plans
            .get(other)
            ?.apiStages.some((one) =>
              stages.some(({ apiId, stage }) => apiId === one.apiId && stage === one.stage),
            ),
      );
      if (conflicts) throw new ApiKeyConflict({ what: 'A usage plan of the key for one of the stages' });
      link({ usagePlanId, keyId });
      save();
    },
    listUsagePlanKeys: (usagePlanId) =>
      [...plansOfKey].flatMap(([keyId, planIds]) => {
        const key = planIds.has(usagePlanId) ? keys.get(keyId) : undefined;
        return key === undefined ? [] : [key];
      }),
    deleteUsagePlanKey: ({ usagePlanId, keyId }) => {
      const removed = plansOfKey.get(keyId)?.delete(usagePlanId) ?? false;
      if (removed) save();
      return removed;
    },
    findByValue: (value) => {
      const id = idsByValue.get(value);
      return id === undefined ? undefined : keys.get(id);
    },
    planFor: ({ keyId, apiId, stage }) => {
      for (const planId of plansOfKey.get(keyId) ?? []) {
        const plan = plans.get(planId);
        if (plan?.apiStages.some((one) => one.apiId === apiId && one.stage === stage)) return plan;
      }
      return undefined;
    },
  };
};

export class InvalidApiKey extends Error {
  constructor({ reason }: { readonly reason: string }) {
    super(reason);
    this.name = 'InvalidApiKey';
  }
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

const identifier = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
