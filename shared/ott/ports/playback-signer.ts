import type { Stream } from '../event.ts';
import type { Signing } from '../signed-path.ts';

export interface SignedPlayback {
  readonly url: string;
  /** When the signature ends, ISO 8601; `null` when nothing is signed. */
  readonly expiresAt: string | null;
  /** `Set-Cookie` values. */
  readonly cookies: readonly string[];
}

export interface PlaybackSigner {
  readonly signing: Signing;
  sign(request: {
    readonly stream: Stream;
    /** Epoch milliseconds by which a signature must end. @default only its own lifetime */
    readonly endsAt?: number | undefined;
  }): Promise<SignedPlayback>;
}
