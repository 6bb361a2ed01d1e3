import { assertOnlyContext, type ContextVariables, renderTemplate } from './context-template.ts';
import type { GatewayResponseTemplate } from './types.ts';

/**
 * The responses that API Gateway itself generates. Each type has a default status, a message, and an error name for
 * SDKs.
 */
const builtIn = {
  API_CONFIGURATION_ERROR: [500, 'Internal server error', 'InternalServerErrorException'],
  DEFAULT_5XX: [502, 'Internal server error', 'InternalServerErrorException'],
  // Also used when Lambda throttles the call.
  INTEGRATION_FAILURE: [500, 'Internal server error', 'InternalServerErrorException'],
  INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out', 'InternalServerErrorException'],
  INVALID_API_KEY: [403, 'Forbidden', 'ForbiddenException'],
  INVALID_SIGNATURE: [
    403,
    'Authorization header requires a valid AWS signature',
    'IncompleteSignatureException',
  ],
  MISSING_AUTHENTICATION_TOKEN: [403, 'Missing Authentication Token', 'MissingAuthenticationTokenException'],
  QUOTA_EXCEEDED: [429, 'Limit Exceeded', 'LimitExceededException'],
  REQUEST_TOO_LARGE: [413, 'Request Too Long', 'RequestTooLargeException'],
  THROTTLED: [429, 'Too Many Requests', 'TooManyRequestsException'],
  WAF_FILTERED: [403, 'Forbidden', 'ForbiddenException'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Unsupported Media Type', 'BadRequestException'],
} as const satisfies Record<string, readonly [status: number, message: string, errorType: string]>;

export type GatewayResponseType = keyof typeof builtIn;

/** Types of gateway responses that a template may define but that this runtime never sends. */
const neverAnswered = [
  'ACCESS_DENIED',
  'AUTHORIZER_CONFIGURATION_ERROR',
  'AUTHORIZER_FAILURE',
  'BAD_REQUEST_BODY',
  'BAD_REQUEST_PARAMETERS',
  'DEFAULT_4XX',
  'EXPIRED_TOKEN',
  'RESOURCE_NOT_FOUND',
  'UNAUTHORIZED',
];

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: string;
}

export class GatewayResponses {
  readonly #responses = new Map<string, GatewayResponseTemplate>();

  add(response: GatewayResponseTemplate): void {
    if (!Object.hasOwn(builtIn, response.responseType) && !neverAnswered.includes(response.responseType)) {
      throw new Error(`${response.responseType} is not a type of gateway response`);
    }
    for (const template of Object.values(response.templates)) assertOnlyContext(template);
    for (const [name, value] of Object.entries(response.parameters)) literalHeader(name, value);
    this.#responses.set(response.responseType, response);
  }

  get all(): Iterable<GatewayResponseTemplate> {
    return this.#responses.values();
  }

  render(type: GatewayResponseType, variables: ContextVariables): Answer {
    const [ownStatus, message, errorType] = builtIn[type];
    const fallback = this.#responses.get(ownStatus < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
    const response = this.#responses.get(type) ?? fallback;
    const [contentType, template] = Object.entries(response?.templates ?? {})[0] ?? defaultTemplate;
    const errorVariables: ContextVariables = (name) => {
      if (name === 'error.message') return message;
      if (name === 'error.messageString') return JSON.stringify(message);
      return name === 'error.responseType' ? type : variables(name);
    };
    return {
      status: response?.statusCode ?? ownStatus,
      headers: [
        ['Content-Type', contentType],
        ['x-amzn-ErrorType', errorType],
        ...Object.entries(response?.parameters ?? {}).map(([name, value]) => literalHeader(name, value)),
      ],
      body: renderTemplate(template, { variables: errorVariables, missing: '' }),
    };
  }
}

const defaultTemplate = ['application/json', '{"message":$context.error.messageString}'] as const;

/**
 * Reads a mapping of a quoted value to `gatewayresponse.header.X` or `method.response.header.X`. Throws on any other
 * mapping.
 */
export const literalHeader = (name: string, value: string): readonly [string, string] => {
  const [, header] = /^(?:gatewayresponse|method\.response)\.header\.(.+)$/.exec(name) ?? [];
  const [, text] = /^'(.*)'$/s.exec(value) ?? [];
  if (header === undefined || text === undefined) {
    throw new Error(`the local runtime does not support the mapping of ${value} to ${name}`);
  }
  return [header, text];
};
