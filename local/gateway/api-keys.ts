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
  /** Given by the template; made up otherwise. */
  readonly id?: string;
  readonly name?: string;
  readonly value?: string;
  readonly description?: string;
  readonly enabled?: boolean;
  readonly tags?: Readonly<Record<string, string>>;
}

/**
 * API Gateway's control plane for keys and plans, kept in the state directory. Getters answer `undefined`
 * for what does not exist (API Gateway: NotFoundException); a duplicate throws `ApiKeyConflict`
 * (ConflictException).
 */
export interface ApiKeys {
  createApiKey(key: NewApiKey): ApiKey;
  getApiKey(id: string): ApiKey | undefined;
  getApiKeys(): readonly ApiKey[];
  updateApiKey(
    id: string,
    changes: { readonly name?: string; readonly description?: string; readonly enabled?: boolean },
  ): ApiKey | undefined;
  /** `false` when there was none. */
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
