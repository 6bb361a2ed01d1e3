import * as z from 'zod';
import { forwardingStates } from '../../../shared/platform/aws/forwarding-states.ts';
import { keyStates } from '../../../shared/platform/aws/key-states.ts';
import { mappingStates } from '../../../shared/platform/aws/mapping-states.ts';
import { ruleStates } from '../../../shared/platform/aws/rule-states.ts';
import { stageFindings } from '../../../shared/platform/aws/stage-findings.ts';
import type { CheckStageDependencies } from '../../../shared/platform/check-stage.ts';
import { logger } from '../../../shared/platform/logger.ts';
import { patient } from '../../../shared/platform/patience.ts';
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
  POWERTOOLS_METRICS_NAMESPACE: resourceName,
};

/** The longest timeout of a function behind API Gateway, plus one second for the network. */
const answerMilliseconds = patient(11_000);

export const checkStageDependencies = (
  environment: Parsed<typeof checkStageEnvironment>,
): CheckStageDependencies => ({
  addresses: {
    base: environment.PUBLIC_BASE_URL,
    b2b: environment.API_URL_B2B,
    profile: environment.API_URL_PROFILE,
  },
  get: async (url) => {
    const response = await fetch(url, {
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
