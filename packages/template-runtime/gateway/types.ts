import type { ApiKeys } from './api-keys.ts';

export interface GatewayResponseTemplate {
  readonly responseType: string;
  readonly statusCode?: number;
  /** For example, `gatewayresponse.header.Access-Control-Allow-Origin` has the value `'*'`, including the quotes. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly templates: Readonly<Record<string, string>>;
}

export interface MockResponse {
  readonly statusCode: number;
  /** A regular expression for the status that the request template sets. The default response has none. */
  readonly selectionPattern?: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly templates: Readonly<Record<string, string>>;
}

export type Integration =
  | {
      readonly type: 'AWS_PROXY';
      readonly functionArn: string;
      /** The role under which the function is invoked. @default no role: the function's own policy decides */
      readonly roleArn?: string;
      readonly timeoutMilliseconds: number;
    }
  | {
      readonly type: 'MOCK';
      readonly requestTemplates: Readonly<Record<string, string>>;
      readonly passthroughBehavior: 'WHEN_NO_MATCH' | 'WHEN_NO_TEMPLATES' | 'NEVER';
      readonly responses: readonly MockResponse[];
    };

export interface Method {
  readonly logicalId: string;
  readonly apiId: string;
  readonly resourceId: string;
  readonly httpMethod: string;
  readonly apiKeyRequired: boolean;
  readonly integration: Integration;
}

export interface Throttle {
  readonly rateLimit?: number;
  readonly burstLimit?: number;
}

export interface MethodSettings {
  /** Whether API Gateway records metrics of the method, beside those of the API. */
  readonly hasMetrics: boolean;
  /** Requests of different methods are counted separately. */
  readonly throttle: Throttle;
}

export interface Stage {
  readonly apiId: string;
  readonly name: string;
  /** The deployment that the stage serves. */
  readonly deploymentId: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Template of an access log line, with `$context.…` variables. */
  readonly accessLogFormat?: string;
  /**
   * Keyed by a resource's path and a method, such as `/things/{id} GET`, or `* *` for every method. The settings of one
   * method replace those of every method, even what they leave out.
   */
  readonly methodSettings: ReadonlyMap<string, MethodSettings>;
}

export interface Page {
  readonly contentType: string;
  readonly body: Buffer;
  /** @default none besides those that every page has */
  readonly headers?: Readonly<Record<string, string>>;
  /** If set, the page redirects to this address with 302. */
  readonly location?: string;
}

/**
 * The pages of a folder, keyed by the rest of their path. For the folder `docs`, the key '' is the page `/docs`, and
 * the key '/' is the page `/docs/`. For the root folder, the key '' is the page `/`.
 */
export type Pages = ReadonlyMap<string, () => Page | Promise<Page>>;

export interface ApiName {
  readonly id: string;
  readonly name: string;
}

export interface NewApi {
  readonly id: string;
  /** An API called `shop-local-base` or `base` is served under `/base`. */
  readonly name: string;
  /** Compresses response bodies of at least this size if the client accepts compression. @default no compression */
  readonly minimumCompressionBytes?: number | undefined;
}

/** The base path of a mapping that serves an API without one, under all paths that no other mapping has. */
export const emptyBasePath = '(none)';

/** Imitates API Gateway's REST APIs. All APIs share one port. The last part of an API's name is the API's path. */
export interface RestGateway {
  readonly keys: ApiKeys;
  addApi(api: NewApi): void;
  /**
   * Serves an API under a path, as a base path mapping of a custom domain name does. Does not survive a restart.
   *
   * @throws ServiceFault `ConflictException`
   */
  addMapping(mapping: { readonly basePath: string; readonly apiId: string }): void;
  /** @throws ServiceFault `NotFoundException` */
  removeMapping(basePath: string): void;
  rootResourceId(apiId: string): string;
  addResource(resource: {
    readonly id: string;
    readonly apiId: string;
    readonly parentId: string;
    readonly pathPart: string;
  }): void;
  addMethod(method: Method): void;
  /**
   * Replaces the whole definition of the API by that of an OpenAPI document with API Gateway's extensions. Throws on
   * what API Gateway refuses or warns of, and on what this runtime does not support.
   */
  putDocument(apiId: string, document: unknown): void;
  /** Makes an API of a document, or replaces one that an import made. It has no stage, so nobody can call it. */
  importApi(document: unknown, replaced?: string): ApiName;
  /** Deletes an API that `importApi` made. Returns `false` if there is none with this id. */
  deleteImportedApi(id: string): boolean;
  listApis(): readonly ApiName[];
  /** Keeps the API as it is now, for stages. Later changes of the API do not change the deployment. */
  addDeployment(deployment: { readonly apiId: string; readonly id: string }): void;
  /** Adds the stage of an API, or changes it. */
  addStage(stage: Stage): void;
  addGatewayResponse(apiId: string, response: GatewayResponseTemplate): void;
  /** Serves pages on the port of the APIs. `folder` is the first part of their path; no API may use it. */
  servePages(folder: string, pages: Pages): void;
  /** Returns the port. Throws, naming the logical id, when a method's function does not exist. */
  listen(address: { readonly host: string; readonly port: number }): Promise<number>;
  stop(): Promise<void>;
}
