import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';

const userSchema = z.object({
  application_user_sub: z.string(),
  user_data: z.record(z.string(), z.unknown()),
  user_agreements: z.array(z.unknown()),
});
export type User = z.infer<typeof userSchema>;

export interface ChangedUsersOptions {
  readonly apiUrl: string;
  readonly apiKey: string;
  /** Called with what is true now; `undefined` when there is no such user any more. */
  readonly onUser: (applicationUserSub: string, user: User | undefined) => Promise<void> | void;
  readonly onError: (applicationUserSub: string, error: unknown) => void;
}

const tries = 5;

/**
 * Reads users again after they have changed, one call at a time for each user: notifications arrive in any order and
 * more than once, so that what counts is not what a message says but what a read after it answers. A message that
 * comes while its user is being read leads to one more read, however many come.
 *
 * It keeps what is to be read in memory. A real receiver writes the identifier into its own database or queue before
 * it answers the POST, so that a crash forgets nothing.
 */
export class ChangedUsers {
  readonly #options: ChangedUsersOptions;
  readonly #reading = new Map<string, { isStale: boolean; done: Promise<void> }>();

  constructor(options: ChangedUsersOptions) {
    this.#options = options;
  }

  changed(applicationUserSub: string): void {
    const current = this.#reading.get(applicationUserSub);
    if (current !== undefined) {
      current.isStale = true;
      return;
    }
    const reading = { isStale: false, done: Promise.resolve() };
    this.#reading.set(applicationUserSub, reading);
    reading.done = this.#readUntilFresh(applicationUserSub, reading);
  }

  /** Resolves when nothing is left to be read. */
  async idle(): Promise<void> {
    while (this.#reading.size > 0) await Promise.all([...this.#reading.values()].map(({ done }) => done));
  }

  async #readUntilFresh(applicationUserSub: string, reading: { isStale: boolean }): Promise<void> {
    do {
      reading.isStale = false;
      try {
        await this.#options.onUser(applicationUserSub, await this.#read(applicationUserSub));
      } catch (error) {
        this.#options.onError(applicationUserSub, error);
      }
    } while (reading.isStale);
    this.#reading.delete(applicationUserSub);
  }

  async #read(applicationUserSub: string): Promise<User | undefined> {
    const { apiUrl, apiKey } = this.#options;
    for (let tried = 1; ; tried++) {
      const response = await fetch(`${apiUrl}/user-data/read`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: JSON.stringify({ application_user_sub: applicationUserSub }),
        signal: AbortSignal.timeout(10_000),
      });
      if (response.ok) return userSchema.parse(await response.json());
      await response.body?.cancel();
      if (response.status === 404) return undefined;
      const isPassing = response.status === 429 || response.status >= 500;
      if (!isPassing || tried === tries) throw new Error(`the read was answered ${response.status}`);
      await setTimeout(250 * 2 ** tried);
    }
  }
}
