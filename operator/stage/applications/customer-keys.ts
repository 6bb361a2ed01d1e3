import {
  APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  DeleteUsagePlanKeyCommand,
  GetApiKeyCommand,
  paginateGetApiKeys,
} from '@aws-sdk/client-api-gateway';
import * as z from 'zod';
import type { Target } from '../../platform/target/target.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';

export interface CustomerKey {
  readonly id: string;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly createdAt: string | undefined;
}

/** API keys in the gateway. Every call except `create` can be repeated safely. */
export interface CustomerKeys {
  create(key: { readonly name: string; readonly description: string }): Promise<CustomerKey>;
  find(id: string): Promise<CustomerKey | undefined>;
  /**
   * The secret value of the key, which the customer sends with each API call. Show it only to an operator who passes it
   * on to the customer.
   */
  value(id: string): Promise<string>;
  named(name: string): Promise<CustomerKey[]>;
  /** @throws OperatorError if the stage has no such tier. */
  requireTier(tier: string): void;
  /**
   * Removes the key from every other usage plan and adds it to this tier's plan. A key works only while it is in a
   * plan, and it can be in only one plan of a stage. Calls with the key are therefore refused for a moment, between the
   * removal and the addition.
   */
  putInTier(membership: { readonly id: string; readonly tier: string }): Promise<void>;
  remove(id: string): Promise<void>;
}

const plansSchema = z.record(z.string(), z.string());

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

/** Awaits the call. Returns `undefined` if the call fails with an error of this name. */
const except = async <Result>(name: string, call: Promise<Result>): Promise<Result | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (isNamed(error, name)) return undefined;
    throw error;
  }
};

interface GatewayKey {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly createdDate?: Date | undefined;
}

const keyOf = ({ id = '', name = '', enabled = false, createdDate }: GatewayKey): CustomerKey => ({
  id,
  name,
  isEnabled: enabled,
  createdAt: createdDate?.toISOString(),
});

const tiersOf = (target: Target): ReadonlyMap<string, string> =>
  new Map(Object.entries(plansSchema.parse(JSON.parse(target.output('UsagePlansByTier')))));

export const apiGatewayKeys = (target: Target): CustomerKeys => {
  const client = new APIGatewayClient(target.aws);
  const tiers = tiersOf(target);
  const planOf = (tier: string): string => {
    const plan = tiers.get(tier);
    if (plan !== undefined) return plan;
    throw new OperatorError({
      message: `Stage ${target.stage} has no tier ${tier}; it has ${[...tiers.keys()].join(', ')}.`,
    });
  };

  return {
    create: async ({ name, description }) =>
      keyOf(await client.send(new CreateApiKeyCommand({ name, description, enabled: true }))),
    find: async (id) => {
      const key = await except('NotFoundException', client.send(new GetApiKeyCommand({ apiKey: id })));
      return key && keyOf(key);
    },
    value: async (id) => {
      const { value } = await client.send(new GetApiKeyCommand({ apiKey: id, includeValue: true }));
      if (value === undefined) throw new OperatorError({ message: `API Gateway does not return key ${id}.` });
      return value;
    },
    named: async (name) => {
      const found: CustomerKey[] = [];
      // `nameQuery` matches prefixes, so it also finds keys whose longer names begin with `name`.
      for await (const { items = [] } of paginateGetApiKeys({ client }, { nameQuery: name })) {
        found.push(...items.map(keyOf).filter((key) => key.name === name));
      }
      return found;
    },
    requireTier: (tier) => {
      planOf(tier);
    },
    putInTier: async ({ id, tier }) => {
      const plan = planOf(tier);
      for (const usagePlanId of tiers.values()) {
        if (usagePlanId === plan) continue;
        const leave = new DeleteUsagePlanKeyCommand({ usagePlanId, keyId: id });
        await except('NotFoundException', client.send(leave));
      }
      const join = new CreateUsagePlanKeyCommand({ usagePlanId: plan, keyId: id, keyType: 'API_KEY' });
      // `ConflictException`: the key is already in the plan.
      await except('ConflictException', client.send(join));
    },
    remove: async (id) => {
      await except('NotFoundException', client.send(new DeleteApiKeyCommand({ apiKey: id })));
    },
  };
};
