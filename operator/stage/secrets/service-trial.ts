import type * as z from 'zod';
import { entitlementSecretSchema } from '../../../shared/ott/outside/http-entitlement-service.ts';
import { geolocationSecretSchema } from '../../../shared/ott/outside/maxmind-geolocation-service.ts';
import { isUnsetSecret } from '../../../shared/platform/stage-secrets.ts';
import type { Target } from '../../platform/target/target.ts';
import type { Asked } from '../status/ask-services.ts';
import { stageSecrets, triedStage } from './stage-secrets.ts';
import { type Trial, tryEntitlement, tryGeolocation } from './trials.ts';

const trialOf = <Value>(schema: z.ZodType<Value>, trial: Trial<Value>) => ({
  run: async (text: string, stage: Parameters<Trial<Value>>[1]): Promise<readonly string[]> =>
    trial(schema.parse(JSON.parse(text)), stage),
});

const trials = {
  entitlement: trialOf(entitlementSecretSchema, tryEntitlement),
  geolocation: trialOf(geolocationSecretSchema, tryGeolocation),
} as const;

/** Calls an outside service with the credentials of its secret, as `secrets list` does. Rejects without the secret. */
export const serviceTrial =
  (target: Target) =>
  async (service: string): Promise<Asked> => {
    if (service !== 'entitlement' && service !== 'geolocation') return 'unknown';
    const text = await stageSecrets(target).read(service);
    if (isUnsetSecret(text)) return 'fails';
    const faults = await trials[service].run(text, triedStage(target));
    return faults.length === 0 ? 'answers' : 'fails';
  };
