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

/** Tells whether a list of all applications is still what they are. */
export interface ApplicationChanges {
  /** Rises with every change of any of them; as cheap as `find`. */
  changes(): Promise<number>;
}

/** Who makes an application's new collections on the chain. */
export interface ApplicationSigners {
  /**
   * Writes it to the application's record, unless that says another than `from` by now; answers what it says then.
   *
   * @throws ApplicationConflictError when there is no such application.
   */
  assignSigner(assignment: {
    readonly id: string;
    readonly from: string | undefined;
    readonly to: string;
  }): Promise<string | undefined>;
}

/** What an operator does to applications. */
export interface ApplicationRegistry extends Applications {
  /** @throws ApplicationConflictError when the id, a key or a client is taken. */
  create(application: Omit<Application, 'version'>): Promise<Application>;
  /**
   * Replaces the application whose `version` is given.
   *
   * @throws ApplicationConflictError when it changed in between, or a new key or client is taken.
   */
  save(application: Application): Promise<Application>;
  /** Removes it together with what points to it; an unknown id does nothing. */
  remove(id: string): Promise<void>;
}
