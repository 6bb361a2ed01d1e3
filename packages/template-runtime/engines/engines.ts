import type { RestGateway } from '../gateway/types.ts';
import type { AlarmEngine } from './alarms/types.ts';
import type { ChainEngine } from './chain/types.ts';
import type { DynamoDbEngine } from './dynamodb/types.ts';
import type { EventSources } from './event-sources/types.ts';
import type { Firewalls } from './firewall/types.ts';
import type { Identities } from './iam/types.ts';
import type { KeyEngine } from './kms.ts';
import type { LambdaEngine } from './lambda/types.ts';
import type { Logs } from './logs/types.ts';
import type { Messaging } from './messaging/types.ts';
import type { Metrics } from './metrics/types.ts';
import type { Scheduler } from './schedule/types.ts';
import type { SecretEngine } from './secrets.ts';
import type { StateMachines } from './state-machines/types.ts';

export interface Engines {
  readonly alarms: AlarmEngine;
  readonly chain: ChainEngine;
  readonly dynamodb: DynamoDbEngine;
  readonly eventSources: EventSources;
  readonly firewalls: Firewalls;
  readonly gateway: RestGateway;
  readonly identities: Identities;
  readonly keys: KeyEngine;
  readonly lambda: LambdaEngine;
  readonly logs: Logs;
  readonly messaging: Messaging;
  readonly metrics: Metrics;
  readonly schedule: Scheduler;
  readonly secrets: SecretEngine;
  readonly stateMachines: StateMachines;
}
