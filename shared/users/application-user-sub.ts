import { randomBytes } from 'node:crypto';
import type { Application } from '../applications/application.ts';

/**
 * What one application calls one user: pairwise as in OpenID Connect Core 1.0, 8.1, but drawn at random, so
 * that it cannot be computed, guessed, or joined with what another application has.
 */
export interface ApplicationUserSub {
  readonly applicationId: string;
  readonly applicationUserSub: string;
  /** Whether the user has used this application, which an audience of `linked` asks for. */
  readonly isLinked: boolean;
}

/** 128 random bits in hexadecimal. */
export const newApplicationUserSub = (): string => randomBytes(16).toString('hex');

/** Whether it can be one at all; what is not needs no look-up. */
export const isApplicationUserSub = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** Whether an application hears of a user and may read its data. */
export const isInAudience = (
  { audience }: Pick<Application, 'audience'>,
  sub: Pick<ApplicationUserSub, 'isLinked'> | undefined,
): boolean => audience === 'all' || sub?.isLinked === true;

export interface Registration {
  readonly registrationId: string;
  readonly userSub: string;
}

/** The identifiers of all users at all applications, found from either side, with consistent reads. */
export interface ApplicationUserSubs {
  find(key: {
    readonly registrationId: string;
    readonly applicationId: string;
  }): Promise<ApplicationUserSub | undefined>;
  /** What one application calls several registrations (100 at most), by registration. */
  findMany(key: {
    readonly registrationIds: readonly string[];
    readonly applicationId: string;
  }): Promise<ReadonlyMap<string, ApplicationUserSub>>;
  /** What every application that has one calls the user, by application. */
  ofRegistration(registrationId: string): Promise<ReadonlyMap<string, ApplicationUserSub>>;
  /**
   * The identifier, made if there is none yet: one and the same also for calls that race.
   * With `link` the user counts as linked from then on.
   */
  ensure(
    key: Registration & { readonly applicationId: string; readonly link?: boolean },
  ): Promise<ApplicationUserSub>;
  /** Whom an application means; `undefined` for an identifier that is another application's. */
  registrationOf(key: {
    readonly applicationId: string;
    readonly applicationUserSub: string;
  }): Promise<Registration | undefined>;
  /** Whose identifier it is. */
  applicationOf(applicationUserSub: string): Promise<string | undefined>;
  /** Removes what was stored for a registration that has ended. */
  removeAll(registrationId: string): Promise<void>;
}
