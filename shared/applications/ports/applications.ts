import type { Application } from '../application.ts';

export interface Applications {
  /** `apiKeyId` is API Gateway's id of the key (`requestContext.identity.apiKeyId`). */
  findByApiKeyId(apiKeyId: string): Promise<Application | undefined>;
  findByClientId(clientId: string): Promise<Application | undefined>;
  find(id: string): Promise<Application | undefined>;
  list(): Promise<Application[]>;
}

export interface ApplicationChanges {
  /** Rises with every change of any application. Costs as little as `find`. */
  changes(): Promise<number>;
}

export interface ApplicationSigners {
  /**
   * Stores the signer of the application's new collections, unless the stored signer is no longer `from`. Returns the
   * signer that is stored afterwards.
   * @throws ApplicationConflictError when the application does not exist.
   */
  assignSigner(assignment: {
    readonly id: string;
    readonly from: string | undefined;
    readonly to: string;
  }): Promise<string | undefined>;
}

export interface ApplicationRegistry extends Applications {
  /** @throws ApplicationConflictError when the id, a key or a client is taken. */
  create(application: Omit<Application, 'version'>): Promise<Application>;
  /** @throws ApplicationConflictError when the `version` is no longer stored, or a new key or client is taken. */
  save(application: Application): Promise<Application>;
  /** Removes the application and its look-up items. Does nothing for an unknown id. */
  remove(id: string): Promise<void>;
}
