import type { Stream } from '../events/event.ts';
import type { Signing } from '../streams/signed-path.ts';

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
     * The latest time at which the signature may expire, in epoch milliseconds. @default no such time: the signature
     * expires at the end of the stage's signature lifetime
     */
    readonly endsAt?: number | undefined;
  }): Promise<SignedPlayback>;
}
