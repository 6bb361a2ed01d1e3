import type { ApplicationUserSub, Registration } from '../application-user-sub.ts';

/**
 * The identifiers that each application uses for users, instead of the users' `sub` at the identity provider. Reads are
 * strongly consistent.
 */
export interface ApplicationUserSubs {
  find(key: {
    readonly registrationId: string;
    readonly applicationId: string;
  }): Promise<ApplicationUserSub | undefined>;
  /** The identifiers that one application has for the users of at most 100 registrations, by registration id. */
  findMany(key: {
    readonly registrationIds: readonly string[];
    readonly applicationId: string;
  }): Promise<ReadonlyMap<string, ApplicationUserSub>>;
  ofRegistration(registrationId: string): Promise<ReadonlyMap<string, ApplicationUserSub>>;
  /**
   * Returns the application's identifier for the user, and creates it if there is none. Concurrent calls get the same
   * identifier. `link` also marks the user as linked to the application. `undefined` if there is none, and `endAll` has
   * ended the registration.
   */
  ensure(
    key: Registration & { readonly applicationId: string; readonly link?: boolean },
  ): Promise<ApplicationUserSub | undefined>;
  /**
   * As `ensure` for several applications, by application. Identifiers of one registration that were created at the same
   * time by several calls of `ensure` would conflict.
   */
  ensureMany(
    key: Registration & { readonly applicationIds: readonly string[] },
  ): Promise<ReadonlyMap<string, ApplicationUserSub>>;
  /**
   * The registration that an identifier stands for. `undefined` if the identifier is unknown or belongs to another
   * application.
   */
  registrationOf(key: {
    readonly applicationId: string;
    readonly applicationUserSub: string;
  }): Promise<Registration | undefined>;
  /** `registrationOf` for at most 100 different identifiers. The map's keys are the identifiers. */
  registrationsOf(key: {
    readonly applicationId: string;
    readonly applicationUserSubs: readonly string[];
  }): Promise<ReadonlyMap<string, Registration>>;
  applicationOf(applicationUserSub: string): Promise<string | undefined>;
  /**
   * Schedules the deletion of all identifiers of a registration that has ended, and lets no other be created. They are
   * deleted at `endsAt`, in milliseconds since the epoch.
   */
  endAll(ending: { readonly registrationId: string; readonly endsAt: number }): Promise<void>;
}
