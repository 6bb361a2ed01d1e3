import { setTimeout } from 'node:timers/promises';
import { type ApplicationUser, createClient, type MarqueeClient } from '@marquee/client';
import { openPendingFile, type PendingFile } from './pending-file.ts';

export interface ChangedUsersOptions {
  readonly apiUrl: string;
  readonly apiKey: string;
  /** Called with the current data; `undefined` when the user no longer exists. */
  readonly onUser: (applicationUserSub: string, user: ApplicationUser | undefined) => Promise<void> | void;
  /** Called when a user could not be read. The user is read again after a pause. */
  readonly onError: (applicationUserSub: string, error: unknown) => void;
  /** The file that keeps the users who are still to be read, in case this process ends. @default no file */
  readonly pendingFile?: string | undefined;
  /** How long to collect changed users before they are read with one call. @default 1_000 */
  readonly gatherMilliseconds?: number;
  /** How many users can wait to be read. @default 100_000 */
  readonly mostPending?: number;
  /** The pause after a failure. @default 5_000 */
  readonly retryMilliseconds?: number;
}

/** The most users that one call can read. */
const usersAtOnce = 100;

/** The most users who wait to be read. Messages about others are refused, and SNS sends them again. */
const mostPending = 100_000;

/**
 * Whether a text can be an identifier. Anyone can send a raw message, and a text that is no identifier would make the
 * service refuse the read of up to 100 users.
 */
const isIdentifier = (text: string): boolean => /^[\w-]{1,128}$/.test(text);

/**
 * Reads users again after they have changed, up to 100 with one call, and one call at a time. Notifications arrive in
 * any order and more than once, so only a read that begins after a message is certain to return the changed data. A
 * user who changes during a read is read once more, however many messages arrive.
 */
export class ChangedUsers {
  readonly #options: ChangedUsersOptions;
  readonly #marquee: MarqueeClient;
  readonly #file: PendingFile | undefined;
  /** The users to read, in the order of their changes, without those who are being read now. */
  readonly #pending: Set<string>;
  #working: Promise<void> | undefined;
  /** Ends the wait for more users to read together. */
  #full = new AbortController();

  constructor(options: ChangedUsersOptions) {
    this.#options = options;
    this.#marquee = createClient({ apiUrlB2b: options.apiUrl, apiKey: options.apiKey });
    this.#file = options.pendingFile === undefined ? undefined : openPendingFile(options.pendingFile);
    this.#pending = new Set(this.#file?.pending);
    this.#work();
  }

  /**
   * @throws when too many users wait, or the user cannot be stored in the file. The message must then be refused, so that
   * SNS sends it again.
   */
  changed(applicationUserSub: string): void {
    if (!isIdentifier(applicationUserSub)) {
      this.#options.onError(applicationUserSub, new Error('This is not an identifier of a user'));
      return;
    }
    const { mostPending: most = mostPending } = this.#options;
    if (this.#pending.size >= most && !this.#pending.has(applicationUserSub)) {
      throw new Error(`${most} users wait to be read`);
    }
    this.#file?.add(applicationUserSub);
    this.#pending.add(applicationUserSub);
    if (this.#pending.size >= usersAtOnce) this.#full.abort();
    this.#work();
  }

  /** Resolves when nothing is left to be read. */
  async idle(): Promise<void> {
    await this.#working;
  }

  #work(): void {
    this.#working ??= this.#readAll().finally(() => {
      this.#working = undefined;
    });
  }

  async #readAll(): Promise<void> {
    const { gatherMilliseconds = 1_000, retryMilliseconds = 5_000 } = this.#options;
    while (this.#pending.size > 0) {
      if (this.#pending.size < usersAtOnce) {
        this.#full = new AbortController();
        await setTimeout(gatherMilliseconds, undefined, this.#full).catch(() => {});
      }
      const batch = [...this.#pending].slice(0, usersAtOnce);
      for (const each of batch) this.#pending.delete(each);
      if (!(await this.#read(batch))) await setTimeout(retryMilliseconds);
    }
  }

  /** Reads these users, and returns whether all reads succeeded. */
  async #read(batch: readonly string[]): Promise<boolean> {
    const { onUser, onError } = this.#options;
    const failed = (each: string, error: unknown): false => {
      this.#pending.add(each);
      onError(each, error);
      return false;
    };
    try {
      let isWell = true;
      const entries = await this.#marquee.readUserDataBatch(batch);
      const unread = entries.filter(
        (entry) => 'error_fields' in entry && entry.error_fields === 'READ_AGAIN',
      );
      for (const { application_user_sub: each } of unread) this.#pending.add(each);
      for (const entry of entries) {
        const { application_user_sub: each } = entry;
        if (unread.includes(entry)) continue;
        try {
          await onUser(each, 'error_fields' in entry ? undefined : entry);
          if (!this.#pending.has(each)) this.#file?.remove(each);
        } catch (error) {
          isWell = failed(each, error);
        }
      }
      return isWell && unread.length < entries.length;
    } catch (error) {
      for (const each of batch) failed(each, error);
      return false;
    }
  }
}
