import { Fn } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ServiceSecret } from '../platform/constructs/service-secret.ts';
import { configuredOrigins, stageOf } from '../platform/constructs/stage.ts';

/**
 * How a stage signs the files that players fetch. Returns the `environment` of the function that serves streams. If
 * the stage signs, also returns the `secret`: an operator stores `{"key_pair_id": "…", "private_key": "<PEM>"}` in it.
 * If the stage signs cookies, also returns the `origins` whose pages may receive cookies.
 */
export function addPlayback(scope: Construct) {
  const { playback } = stageOf(scope).ott;
  if (playback.signing === 'none') return { environment: { PLAYBACK_SIGNING: playback.signing } };
  const secret = new ServiceSecret(scope, 'SigningKey', {
    name: 'signing-key',
    description: 'Signs CloudFront URLs or cookies of streams: key_pair_id and private_key',
  });
  const signed = {
    PLAYBACK_SECRET_ARN: secret.secretArn,
    PLAYBACK_SECONDS: String(playback.lifetimeSeconds),
  };
  if (playback.signing === 'url') {
    return { secret, environment: { ...signed, PLAYBACK_SIGNING: playback.signing } };
  }
  const origins = configuredOrigins(scope, playback.origins);
  const environment = {
    ...signed,
    PLAYBACK_SIGNING: playback.signing,
    PLAYBACK_COOKIE_DOMAIN: playback.domain,
    PLAYBACK_ORIGINS: Fn.join(' ', [...origins]),
  };
  return { secret, environment, origins };
}
