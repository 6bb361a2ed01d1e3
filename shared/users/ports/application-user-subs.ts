import type { ApplicationUserSub, Registration } from '../application-user-sub.ts';

/** The identifiers of all users at all applications, found from either side, with consistent reads. */
export interface ApplicationUserSubs {
  find(key: {
    readonly registrationId: string;
    readonly applicationId: string;
  }): Promise<ApplicationUserSub | undefined>;
  /** One application's identifiers for several registrations (100 at most), by registration. */
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
  /** `registrationOf` for up to 100 different identifiers, by identifier. */
  registrationsOf(key: {
    readonly applicationId: string;
    readonly applicationUserSubs: readonly string[];
  }): Promise<ReadonlyMap<string, Registration>>;
  /** Whose identifier it is. */
  applicationOf(applicationUserSub: string): Promise<string | undefined>;
  /** Lets all identifiers of a registration that has ended be forgotten at `endsAt`, milliseconds since the epoch. */
  endAll(ending: { readonly registrationId: string; readonly endsAt: number }): Promise<void>;
}
