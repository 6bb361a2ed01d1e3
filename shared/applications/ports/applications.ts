import type { Application } from '../application.ts';

/** Finds applications by what a request carries. */
export interface Applications {
  /** The application of an API key, by API Gateway's id of it (`requestContext.identity.apiKeyId`). */
  findByApiKeyId(apiKeyId: string): Promise<Application | undefined>;
  /** The application of an OIDC client. */
  findByClientId(clientId: string): Promise<Application | undefined>;
  find(id: string): Promise<Application | undefined>;
  /** All of them, by id. */
  list(): Promise<Application[]>;
}

/** Tells whether a list of all applications is still up to date. */
export interface ApplicationChanges {
  /** Rises with every change of any application; costs as little as `find`. */
  changes(): Promise<number>;
}

/** The signer of an application's new collections. */
export interface ApplicationSigners {
  /**
   * Stores the signer with the application, unless the stored one is no longer `from`; returns the one stored then.
   *
   * @throws ApplicationConflictError when the application does not exist.
   */
  assignSigner(assignment: {
    readonly id: string;
    readonly from: string | undefined;
    readonly to: string;
  }): Promise<string | undefined>;
}

/** What an operator does with applications. */
export interface ApplicationRegistry extends Applications {
  /** @throws ApplicationConflictError when the id, a key or a client is taken. */
  create(application: Omit<Application, 'version'>): Promise<Application>;
  /**
   * Replaces the application whose `version` is given.
   *
   * @throws ApplicationConflictError when it changed in between, or a new key or client is taken.
   */
  save(application: Application): Promise<Application>;
  /** Removes it together with its pointers; does nothing for an unknown id. */
  remove(id: string): Promise<void>;
}
