import type * as z from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { Api } from './addresses.ts';
import type { ErrorStyle } from './errors.ts';
import type { RequestSchemas } from './request.ts';

/** The headers of responses that pages of other origins can read, whether a function or API Gateway itself answers. */
export const exposedHeaders = 'etag, link, location, retry-after, x-amzn-requestid';

/** `api-key`: the key of a customer's application. `editor-key`: the key of an editor. */
export type Security = 'none' | 'api-key' | 'editor-key' | 'access-token' | 'optional-access-token';

/** Whether API Gateway itself asks for a key. */
export const needsKey = (security: Security): boolean => security === 'api-key' || security === 'editor-key';

/**
 * One operation of the API: its input, responses and errors. The Lambda function validates requests with this object,
 * and API Gateway's routes and the OpenAPI document are generated from it. So all three agree.
 */
export interface Operation<Path = unknown, Query = unknown, Body = unknown>
  extends RequestSchemas<Path, Query, Body> {
  readonly operationId: string;
  readonly api: Api;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Without a trailing slash. */
  readonly route: string;
  /** The route in the documentation, if it has a trailing slash there. @default `route` */
  readonly documentedRoute?: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly security: Security;
  readonly requestHeaders?: Readonly<
    Record<string, { readonly schema: z.ZodType; readonly description: string }>
  >;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly description: string;
    /** What a response with the status 201 means. It has the same body and headers. @default there is none */
    readonly created?: string;
    /** @default no body */
    readonly body?: z.ZodType;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** The codes of all error responses except the 500. */
  readonly errors: readonly ErrorCode[];
  /** @default 'detailed' */
  readonly errorStyle?: ErrorStyle;
  /** Whether pages of any origin may read the responses. @default false */
  readonly cors?: boolean;
  /** Headers of every response, including errors. @default `cache-control: no-store` */
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

export const operation = <Path = undefined, Query = undefined, Body = undefined>(
  definition: Operation<Path, Query, Body>,
): Operation<Path, Query, Body> => definition;
