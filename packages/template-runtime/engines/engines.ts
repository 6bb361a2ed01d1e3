import type { RestGateway } from '../gateway/rest-gateway.ts';
import type { ChainEngine } from './chain/engine.ts';
import type { DynamoDbEngine } from './dynamodb/engine.ts';
import type { EventSources } from './event-sources/engine.ts';
import type { Identities } from './iam/engine.ts';
import type { KeyEngine } from './kms.ts';
import type { LambdaEngine } from './lambda/engine.ts';
import type { Messaging } from './messaging/engine.ts';
import type { ParameterEngine } from './parameters.ts';
import type { Scheduler } from './schedule/engine.ts';
import type { SecretEngine } from './secrets.ts';
import type { StateMachines } from './state-machines/engine.ts';

/** Everything that a resource type can deploy to. */
export interface Engines {
  readonly chain: ChainEngine;
  readonly dynamodb: DynamoDbEngine;
  readonly eventSources: EventSources;
  readonly gateway: RestGateway;
  readonly identities: Identities;
  readonly keys: KeyEngine;
  readonly lambda: LambdaEngine;
  readonly messaging: Messaging;
  readonly parameters: ParameterEngine;
  readonly schedule: Scheduler;
  readonly secrets: SecretEngine;
  readonly stateMachines: StateMachines;
}
