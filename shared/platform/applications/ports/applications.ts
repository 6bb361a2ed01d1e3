import type { Application } from '../application.ts';

export interface Applications {
  /** `apiKeyId` is API Gateway's id of the key (`requestContext.identity.apiKeyId`). */
  findByApiKeyId(apiKeyId: string): Promise<Application | undefined>;
  findByClientId(clientId: string): Promise<Application | undefined>;
  find(id: string): Promise<Application | undefined>;
  list(): Promise<Application[]>;
}

export interface ApplicationChanges {
  /** A number that rises with every change of any application. Reading it costs as little as `find`. */
  changes(): Promise<number>;
}

export interface ApplicationSigners {
  /**
   * Changes the signer of the application's new collections from `from` to `to`. Does nothing if the stored signer is
   * not `from`. Returns the signer that is stored afterwards.
   * @throws ApplicationConflictError when the application does not exist.
   */
  assignSigner(assignment: {
    readonly applicationId: string;
    readonly from: string | undefined;
    readonly to: string;
  }): Promise<string | undefined>;
}

export interface ApplicationRegistry extends Applications {
  /** Whether an application with this id was removed, and no application has it since. */
  wasRemoved(id: string): Promise<boolean>;
  /**
   * `again` gives an application the id of a removed one, with everything that is still stored under the id.
   * @throws ApplicationConflictError when the id, a key or a client is already in use, or, without `again`, when an
   * application with the id was removed.
   */
  create(
    application: Omit<Application, 'version'>,
    options?: { readonly again?: boolean | undefined },
  ): Promise<Application>;
  /**
   * @throws ApplicationConflictError when the stored version is no longer `version`, or a new key or client is already
   * in use.
   */
  save(application: Application): Promise<Application>;
  /** Removes the application and its look-up items, and uses up its id. Does nothing for an unknown id. */
  remove(id: string): Promise<void>;
}
