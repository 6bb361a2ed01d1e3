import type * as z from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { ErrorStyle } from './errors.ts';
import type { RequestSchemas } from './request.ts';

/** How a caller authenticates. */
export type Security = 'none' | 'api-key' | 'access-token' | 'optional-access-token';

/**
 * One call of the service: its input, answers and errors. The function validates with it, the API mounts it, and the
 * OpenAPI document is generated from it, so none of them can differ.
 */
export interface Operation<Path = unknown, Query = unknown, Body = unknown>
  extends RequestSchemas<Path, Query, Body> {
  readonly operationId: string;
  readonly api: 'base' | 'b2b' | 'profile';
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As the API declares it, without a trailing slash. */
  readonly route: string;
  /** The form that the documentation shows, where it has a trailing slash. @default `route` */
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
    /** @default the answer has no body */
    readonly body?: z.ZodType;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Its errors besides 500. */
  readonly errors: readonly ErrorCode[];
  /** @default 'detailed' */
  readonly errorStyle?: ErrorStyle;
  /** Whether a browser of any origin may call it. @default false */
  readonly cors?: boolean;
  /** Headers of every answer, including errors. @default `cache-control: no-store` */
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

/** Keeps the schemas' types. */
export const operation = <Path = undefined, Query = undefined, Body = undefined>(
  definition: Operation<Path, Query, Body>,
): Operation<Path, Query, Body> => definition;
