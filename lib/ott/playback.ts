import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import type { EnvironmentOf } from '../constructs/environments.ts';
import { configured } from '../constructs/parameters.ts';
import { ServiceSecret } from '../constructs/service-secret.ts';

/** What the stream call's schema asks for besides, in each way of signing. */
type PlaybackEnvironment =
  EnvironmentOf<'ott/get-stream'> extends infer Each
    ? Each extends unknown
      ? Pick<Each, Extract<keyof Each, `PLAYBACK_${string}`>>
      : never
    : never;

/** How a stage signs what players fetch: the stream call's environment, and the key where there is one. */
export class Playback extends Construct {
  readonly environment: PlaybackEnvironment;
  /** `{"key_pair_id": "…", "private_key": "<PEM>"}`, put by an operator. */
  readonly secret: ISecret | undefined;
  /** With signed cookies: the origins whose pages may receive them. */
  readonly origins: readonly string[] | undefined;

  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id);
    const { playback } = stage.ott;
    this.origins =
      playback.signing === 'cookies' ? playback.origins.map((origin) => configured(this, origin)) : undefined;
    if (playback.signing === 'none') {
      this.environment = { PLAYBACK_SIGNING: 'none' };
      this.secret = undefined;
      return;
    }
    this.secret = new ServiceSecret(this, 'SigningKey', {
      stage,
      description: 'Signs CloudFront URLs or cookies of streams: key_pair_id and private_key',
      content: 'json',
    });
    const PLAYBACK_SECRET_ARN = this.secret.secretArn;
    const signed = { PLAYBACK_SECRET_ARN, PLAYBACK_SECONDS: String(playback.lifetimeSeconds) };
    this.environment =
      playback.signing === 'url'
        ? { ...signed, PLAYBACK_SIGNING: 'url' }
        : {
            ...signed,
            PLAYBACK_SIGNING: 'cookies',
            PLAYBACK_COOKIE_DOMAIN: playback.domain,
            PLAYBACK_ORIGINS: this.origins?.join(' ') ?? '',
          };
  }
}
