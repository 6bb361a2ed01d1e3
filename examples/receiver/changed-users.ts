import { type ApplicationUser, createClient, type MarqueeClient, NotFoundError } from '@marquee/client';

export interface ChangedUsersOptions {
  readonly apiUrl: string;
  readonly apiKey: string;
  /** Called with the current data; `undefined` when the user no longer exists. */
  readonly onUser: (applicationUserSub: string, user: ApplicationUser | undefined) => Promise<void> | void;
  readonly onError: (applicationUserSub: string, error: unknown) => void;
}

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
  readonly #marquee: MarqueeClient;
  readonly #reading = new Map<string, { isStale: boolean; done: Promise<void> }>();

  constructor(options: ChangedUsersOptions) {
    this.#options = options;
    this.#marquee = createClient({ apiUrlB2b: options.apiUrl, apiKey: options.apiKey });
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

  async #read(applicationUserSub: string): Promise<ApplicationUser | undefined> {
    try {
      return await this.#marquee.readUserData(applicationUserSub);
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }
}
