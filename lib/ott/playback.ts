import { Construct } from 'constructs';
import { ServiceSecret } from '../constructs/encryption.ts';
import type { EnvironmentOf } from '../constructs/environments.ts';
import { configured, stageOf } from '../constructs/stage.ts';

/** The part of the stream call's environment that depends on the way of signing. */
type PlaybackEnvironment =
  EnvironmentOf<'ott/get-stream'> extends infer Each
    ? Each extends unknown
      ? Pick<Each, Extract<keyof Each, `PLAYBACK_${string}`>>
      : never
    : never;

/** How a stage signs the files that players fetch: the stream call's environment, and the key if there is one. */
export class Playback extends Construct {
  readonly environment: PlaybackEnvironment;
  /** `{"key_pair_id": "…", "private_key": "<PEM>"}`, which an operator stores. */
  readonly secret: ServiceSecret | undefined;
  /** The origins whose pages may receive signed cookies. `undefined` unless the stage signs with cookies. */
  readonly origins: readonly string[] | undefined;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { playback } = stageOf(this).ott;
    if (playback.signing === 'none') {
      this.environment = { PLAYBACK_SIGNING: 'none' };
      return;
    }
    this.secret = new ServiceSecret(this, 'SigningKey', {
      description: 'Signs CloudFront URLs or cookies of streams: key_pair_id and private_key',
    });
    const signed = {
      PLAYBACK_SECRET_ARN: this.secret.secretArn,
      PLAYBACK_SECONDS: String(playback.lifetimeSeconds),
    };
    if (playback.signing === 'url') {
      this.environment = { ...signed, PLAYBACK_SIGNING: 'url' };
      return;
    }
    this.origins = playback.origins.map((origin) => configured(this, origin));
    this.environment = {
      ...signed,
      PLAYBACK_SIGNING: 'cookies',
      PLAYBACK_COOKIE_DOMAIN: playback.domain,
      PLAYBACK_ORIGINS: this.origins.join(' '),
    };
  }
}
