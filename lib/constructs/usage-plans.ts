import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { Period, UsagePlan } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import type { ServiceApi } from './service-api.ts';

export interface UsagePlansProps {
  readonly stage: StageConfig;
  /** The APIs whose routes need a key. */
  readonly apis: readonly ServiceApi[];
}

/** One usage plan for each tier: throttling counts by key, and an account has room for 300 plans but 10,000 keys. */
export class UsagePlans extends Construct {
  readonly idsByTier: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, { stage, apis }: UsagePlansProps) {
    super(scope, id);
    const stages: Array<{ stage: Stage }> = apis.map((api) => ({ stage: api.stage }));
    this.idsByTier = Object.fromEntries(
      Object.entries(stage.tiers).map(([tier, { ratePerSecond, burst, perDay }]) => {
        const plan = new UsagePlan(this, tier, {
          name: `marquee-${stage.name}-${tier}`,
          apiStages: stages,
          throttle: { rateLimit: ratePerSecond, burstLimit: burst },
          quota: perDay === undefined ? undefined : { limit: perDay, period: Period.DAY },
        });
        return [tier, plan.usagePlanId];
      }),
    );
  }
}
