import * as z from 'zod';
import { canarySecretSchema } from '../../../shared/platform/aws/own-secrets.ts';
import { secretReader } from '../../../shared/platform/aws/secret-reader.ts';
import { secretsClient } from '../../../shared/platform/aws/secrets-client.ts';
import {
  forwardingStates,
  keyStates,
  mappingStates,
  ruleStates,
  stageFindings,
} from '../../../shared/platform/aws/stage-states.ts';
import type { CheckStageDependencies } from '../../../shared/platform/check-stage.ts';
import { logger } from '../../../shared/platform/logger.ts';
import { unsetField } from '../../../shared/platform/stage-secrets.ts';
import { patient } from '../../../shared/platform/time/patience.ts';
import { type Parsed, resourceName } from '../dependencies.ts';

const names = z.string().transform((text) => text.split(','));

export const checkStageEnvironment = {
  PUBLIC_BASE_URL: z.url(),
  API_URL_B2B: z.url(),
  API_URL_PROFILE: z.url(),
  MAPPING_IDS: names,
  RULE_NAMES: names,
  FORWARDED_LOG_GROUPS: names,
  KEY_ARNS: names,
  CANARY_SECRET_ARN: resourceName,
  POWERTOOLS_METRICS_NAMESPACE: resourceName,
};

/** Until an operator gives the canary a key, the secret has no field `api_key`. */
const keyOrNone = z.union([
  canarySecretSchema.transform(({ api_key: key }) => ({ key })),
  z.looseObject({ [unsetField]: z.string() }).transform(() => ({ key: undefined })),
]);

/** The longest timeout of a function behind API Gateway, plus one second for the network. */
const answerMilliseconds = patient(11_000);

const apiKeyOf = (secretId: string): CheckStageDependencies['apiKey'] => {
  const secret = secretReader({ client: secretsClient(), secretId, schema: keyOrNone });
  return async (isAgain) => (await (isAgain ? secret.refresh() : secret.read())).key;
};

export const checkStageDependencies = (
  environment: Parsed<typeof checkStageEnvironment>,
): CheckStageDependencies => ({
  apiKey: apiKeyOf(environment.CANARY_SECRET_ARN),
  addresses: {
    base: environment.PUBLIC_BASE_URL,
    b2b: environment.API_URL_B2B,
    profile: environment.API_URL_PROFILE,
  },
  get: async (url, headers = {}) => {
    const response = await fetch(url, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMilliseconds),
    });
    return { status: response.status, text: await response.text() };
  },
  mappings: mappingStates({ mappingIds: environment.MAPPING_IDS }),
  schedules: ruleStates({ ruleNames: environment.RULE_NAMES }),
  forwardedLogs: forwardingStates({ logGroups: environment.FORWARDED_LOG_GROUPS }),
  keys: keyStates({ keyArns: environment.KEY_ARNS }),
  findings: stageFindings(environment.POWERTOOLS_METRICS_NAMESPACE),
  logger,
});
