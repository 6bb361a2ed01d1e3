import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod';
import {
  BadRequestError,
  type FieldIssue,
  inexactInteger,
  inexactNumber,
  missingField,
  repeatedParameter,
  required,
  ServiceError,
} from '../errors.ts';
import { mistakesOf, parseIncoming } from '../parsing/incoming.ts';
import { InexactNumberError, parseExactJson } from '../parsing/json.ts';
import type { AsSent, Mistake, Path } from '../parsing/texts.ts';
import { type Addresses, addressesOf } from './addresses.ts';

const defaultBodyBytesAtMost = 32 * 1024;

export class PayloadTooLargeError extends ServiceError {
  readonly code = 'PAYLOAD_TOO_LARGE';
}

export class UnsupportedMediaTypeError extends ServiceError {
  readonly code = 'UNSUPPORTED_MEDIA_TYPE';
}

export interface HttpRequest<Path, Query, Body> {
  readonly path: Path;
  readonly query: Query;
  /** Parsed at the first access. @throws BadRequestError that names each wrong field, PayloadTooLargeError. */
  readonly body: Body;
  readonly method: string;
  /** The route, such as `/api/v1/nft/contracts/{contract_address}`. */
  readonly resource: string;
  /** API Gateway's id of the caller's key. Absent if the route needs no key. */
  readonly apiKeyId: string | undefined;
  /** The peer address that API Gateway saw. A caller cannot forge it. */
  readonly sourceIp: string;
  readonly requestId: string;
  /** The public addresses of the stage's APIs. Read at each access, because few requests need them. */
  readonly addresses: Addresses;
  /** The value of a header. The name may be in any case. */
  header(name: string): string | undefined;
  /** Whether a header was sent more than once. `header` returns the last value. */
  isRepeated(name: string): boolean;
}

export interface RequestSchemas<Path, Query, Body> {
  readonly path?: z.ZodType<Path>;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /**
   * The fields at the top of the body that are kept, or looked up, as they were sent: data of users, and identifiers.
   * Their texts may have any characters, and their decimals are rounded to doubles. `all` if the call also ignores
   * unknown fields. @default none
   */
  readonly asSent?: AsSent | undefined;
  /** A larger body is refused with status 413. @default 32 KB */
  readonly bodyBytesAtMost?: number;
}

type BodyLimits = Pick<RequestSchemas<unknown, unknown, unknown>, 'bodyBytesAtMost' | 'asSent'>;

/** A body of 256 KB can have 25,000 wrong fields. The answer and the log name the first of them. */
const issuesAtMost = 100;

const pathOf = (path: Path): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');

const issuesOf = (mistakes: readonly Mistake[], whole: string): FieldIssue[] => {
  const issues = mistakes.map(({ path, message }) => ({
    path: path.length === 0 ? whole : pathOf(path),
    message,
  }));
  // Only the first problem of each field is reported.
  const firsts = new Map(issues.toReversed().map((issue) => [issue.path, issue]));
  return issues.filter((issue) => firsts.get(issue.path) === issue).slice(0, issuesAtMost);
};

const check = <Value>(schema: z.ZodType<Value> | undefined, input: unknown, whole: string): Value => {
  if (schema === undefined) return undefined as Value;
  const parsed = schema.safeParse(input, { error: missingField });
  if (parsed.success) return parsed.data;
  throw new BadRequestError({ issues: issuesOf(mistakesOf(parsed.error), whole), cause: parsed.error });
};

const checkBody = <Body>(schema: z.ZodType<Body>, input: unknown, asSent: AsSent | undefined): Body => {
  const parsed = parseIncoming(schema, input, { asSent });
  if (parsed.success) return parsed.data;
  throw new BadRequestError({ issues: issuesOf(parsed.mistakes, 'body'), cause: parsed.cause });
};

const parseJson = (text: string, asSent: AsSent = []): unknown => {
  try {
    return parseExactJson(text, { rounded: asSent });
  } catch (error) {
    if (error instanceof InexactNumberError) {
      const message = error.isInteger ? inexactInteger : inexactNumber;
      throw new BadRequestError({ issues: [{ path: pathOf(error.path) || 'body', message }] });
    }
    // The parse error is not passed on as the cause: its message quotes the body and would be logged.
    throw new BadRequestError({ issues: [{ path: 'body', message: 'Not valid JSON' }] });
  }
};

/**
 * The content type must be JSON or absent: API Gateway treats a body without a type as JSON. A compressed body is
 * refused. Such a body can arrive if it is short, because API Gateway decompresses only bodies of a kilobyte or more.
 */
const requireJson = (event: APIGatewayProxyEvent): void => {
  const type = headerOf(event, 'content-type') ?? 'application/json';
  const [mediaType = ''] = type.split(';');
  const encoding = headerOf(event, 'content-encoding') ?? 'identity';
  if (mediaType.trim().toLowerCase() === 'application/json' && encoding.trim().toLowerCase() === 'identity') {
    return;
  }
  throw new UnsupportedMediaTypeError({ message: 'The body must be application/json, uncompressed' });
};

const readBody = (
  event: APIGatewayProxyEvent,
  { bodyBytesAtMost: bytesAtMost = defaultBodyBytesAtMost, asSent }: BodyLimits,
): unknown => {
  requireJson(event);
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.byteLength > bytesAtMost) {
    throw new PayloadTooLargeError({
      message: `The body is ${bytes.byteLength} bytes long; at most ${bytesAtMost} are allowed`,
    });
  }
  // Some programs begin each text that they save with a byte order mark.
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text === '') throw new BadRequestError({ issues: [{ path: 'body', message: required }] });
  return parseJson(text, asSent);
};

/**
 * Refuses repeated query parameters: API Gateway passes on only the last value, maybe not the one that the caller
 * meant.
 */
const requireSingle = ({ multiValueQueryStringParameters }: APIGatewayProxyEvent): void => {
  const repeated = Object.entries(multiValueQueryStringParameters ?? {}).filter(
    ([, values]) => values !== undefined && values.length > 1,
  );
  if (repeated.length === 0) return;
  throw new BadRequestError({
    issues: repeated.map(([path]) => ({ path, message: repeatedParameter })),
  });
};

const headersOf = ({ headers }: Pick<APIGatewayProxyEvent, 'headers'>) =>
  new Map(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));

/** A time whose zone has lost its `+`: in a query, a `+` that is not encoded is a space. */
const lostPlus = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?) (\d\d:\d\d)$/;

/** The query of a request. A time is understood whether or not the `+` of its zone is encoded. */
const queryOf = ({ queryStringParameters }: APIGatewayProxyEvent) =>
  Object.fromEntries(
    Object.entries(queryStringParameters ?? {}).map(([name, value]) => [
      name,
      value?.replace(lostPlus, '$1+$2'),
    ]),
  );

/** API Gateway does not decode path parameters. */
const decodedPath = ({ pathParameters }: Pick<APIGatewayProxyEvent, 'pathParameters'>) =>
  Object.fromEntries(
    Object.entries(pathParameters ?? {}).map(([name, sent]) => [
      name,
      sent === undefined ? undefined : decoded(name, sent),
    ]),
  );

const decoded = (path: string, sent: string): string => {
  try {
    return decodeURIComponent(sent);
  } catch (cause) {
    throw new BadRequestError({ issues: [{ path, message: 'Not valid percent-encoding' }], cause });
  }
};

/** `name` must be in lower case. */
export const headerOf = (event: Pick<APIGatewayProxyEvent, 'headers'>, name: string): string | undefined =>
  headersOf(event).get(name);

/** @throws BadRequestError that names the problem in the path or query. */
export const readRequest = <Path, Query, Body>(
  event: APIGatewayProxyEvent,
  schemas: RequestSchemas<Path, Query, Body>,
): HttpRequest<Path, Query, Body> => {
  const headers = headersOf(event);
  requireSingle(event);
  const readChecked = (): Body =>
    schemas.body === undefined
      ? (undefined as Body)
      : checkBody(schemas.body, readBody(event, schemas), schemas.asSent);
  let body: { readonly value: Body } | undefined;
  return {
    path: schemas.path === undefined ? (undefined as Path) : check(schemas.path, decodedPath(event), 'path'),
    query: check(schemas.query, queryOf(event), 'query'),
    get body(): Body {
      body ??= { value: readChecked() };
      return body.value;
    },
    method: event.httpMethod,
    resource: event.resource,
    apiKeyId: event.requestContext.identity.apiKeyId ?? undefined,
    sourceIp: event.requestContext.identity.sourceIp,
    requestId: event.requestContext.requestId,
    get addresses(): Addresses {
      return addressesOf(event);
    },
    header: (name) => headers.get(name.toLowerCase()),
    isRepeated: (name) =>
      Object.entries(event.multiValueHeaders ?? {})
        .filter(([own]) => own.toLowerCase() === name.toLowerCase())
        .flatMap(([, values]) => values ?? []).length > 1,
  };
};
