import type { Stream } from '../event.ts';

export interface SignedPlayback {
  readonly url: string;
  /** When the signature ends, ISO 8601; `null` when nothing is signed. */
  readonly expiresAt: string | null;
  /** `Set-Cookie` values. */
  readonly cookies: readonly string[];
}

export interface PlaybackSigner {
  sign(stream: Stream): Promise<SignedPlayback>;
}
