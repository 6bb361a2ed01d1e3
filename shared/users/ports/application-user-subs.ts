import type { ApplicationUserSub, Registration } from '../application-user-sub.ts';

/** Each application's own identifiers for users, as opposed to their `sub`. Reads are strongly consistent. */
export interface ApplicationUserSubs {
  find(key: {
    readonly registrationId: string;
    readonly applicationId: string;
  }): Promise<ApplicationUserSub | undefined>;
  /** One application's identifiers for at most 100 registrations, by registration. */
  findMany(key: {
    readonly registrationIds: readonly string[];
    readonly applicationId: string;
  }): Promise<ReadonlyMap<string, ApplicationUserSub>>;
  ofRegistration(registrationId: string): Promise<ReadonlyMap<string, ApplicationUserSub>>;
  /** Creates the identifier if there is none. Concurrent calls get the same one. `link` also links the user. */
  ensure(
    key: Registration & { readonly applicationId: string; readonly link?: boolean },
  ): Promise<ApplicationUserSub>;
  /** The user behind an identifier. `undefined` if the identifier belongs to another application. */
  registrationOf(key: {
    readonly applicationId: string;
    readonly applicationUserSub: string;
  }): Promise<Registration | undefined>;
  /** `registrationOf` for at most 100 different identifiers, by identifier. */
  registrationsOf(key: {
    readonly applicationId: string;
    readonly applicationUserSubs: readonly string[];
  }): Promise<ReadonlyMap<string, Registration>>;
  applicationOf(applicationUserSub: string): Promise<string | undefined>;
  /** Deletes all identifiers of an ended registration at `endsAt`, milliseconds since the epoch. */
  endAll(ending: { readonly registrationId: string; readonly endsAt: number }): Promise<void>;
}
