import type { Stream } from '../event.ts';
import type { Signing } from '../signed-path.ts';

export interface SignedPlayback {
  readonly url: string;
  /** When the signature expires, ISO 8601. `null` if nothing is signed. */
  readonly expiresAt: string | null;
  readonly cookies: readonly string[];
}

export interface PlaybackSigner {
  readonly signing: Signing;
  sign(request: {
    readonly stream: Stream;
    /**
     * When the signature must expire at the latest, in epoch milliseconds. @default only the stage's signature lifetime
     */
    readonly endsAt?: number | undefined;
  }): Promise<SignedPlayback>;
}
