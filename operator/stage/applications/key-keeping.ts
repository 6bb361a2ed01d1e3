import { applicationsOf } from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import type { KeyKeeping } from './application-keys.ts';
import { apiGatewayKeys } from './customer-keys.ts';

export const keyKeepingOf = (target: Target): KeyKeeping => ({
  stage: target.stage,
  applications: applicationsOf(target),
  keys: apiGatewayKeys(target),
});
