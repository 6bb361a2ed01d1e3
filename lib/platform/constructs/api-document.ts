import { Aws, Fn, Lazy } from 'aws-cdk-lib';

/** Response headers with literal values, without the quotes that API Gateway wants around these. */
export type Headers = Readonly<Record<string, string>>;

interface Invoked {
  /** The ARN of the function, which may be a token. */
  readonly functionArn: string;
  /** The ARN of the role that invokes the function. */
  readonly roleArn: string;
}

interface Literal {
  readonly status: number;
  readonly headers: Headers;
  /** The response body in the Velocity language. @default no body */
  readonly template?: string;
  /** Whether a request whose body has no JSON type is refused with `UNSUPPORTED_MEDIA_TYPE`. @default false */
  readonly onlyJson?: boolean;
}

export interface GatewayResponse {
  /** @default the status that API Gateway has for the type */
  readonly status?: number;
  readonly headers: Headers;
  readonly template: string;
}

export interface ApiDocumentProps {
  /** The API's name, by which its metrics are found. */
  readonly title: string;
  /** Bodies of at least this size are compressed if the client accepts it. */
  readonly minimumCompressionBytes: number;
  readonly disableExecuteApiEndpoint: boolean;
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'ANY';
type PathItem = Record<string, unknown>;

const keyScheme = 'api_key';

/**
 * The OpenAPI 3.0 document from which API Gateway makes an API, with API Gateway's extensions. It names routes,
 * integrations, keys and gateway responses, and nothing that callers read: callers have `docs/openapi.json`.
 */
export class ApiDocument {
  private readonly props: ApiDocumentProps;
  private readonly paths: Record<string, PathItem> = {};
  private readonly gatewayResponses: Record<string, unknown> = {};

  constructor(props: ApiDocumentProps) {
    this.props = props;
  }

  /** The document. Until the synthesis, more routes can be added. */
  get body(): Record<string, unknown> {
    const { title, minimumCompressionBytes, disableExecuteApiEndpoint } = this.props;
    return {
      openapi: '3.0.1',
      info: { title, version: '1' },
      ...(disableExecuteApiEndpoint && {
        servers: [
          { url: '/', 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: true } },
        ],
      }),
      paths: Lazy.any({ produce: () => this.paths }),
      components: {
        securitySchemes: { [keyScheme]: { type: 'apiKey', name: 'x-api-key', in: 'header' } },
      },
      'x-amazon-apigateway-api-key-source': 'HEADER',
      'x-amazon-apigateway-minimum-compression-size': minimumCompressionBytes,
      'x-amazon-apigateway-gateway-responses': Lazy.any({ produce: () => this.gatewayResponses }),
    };
  }

  has(route: string, method: Method): boolean {
    return this.paths[route]?.[fieldOf(method)] !== undefined;
  }

  /** Adds a method that invokes a function and returns its response. */
  addFunction(
    route: string,
    method: Method,
    { needsKey, functionArn, roleArn }: Invoked & { readonly needsKey: boolean },
  ): void {
    this.add(route, method, {
      ...(needsKey && { security: [{ [keyScheme]: [] }] }),
      responses: { 200: { description: 'What the function answers' } },
      'x-amazon-apigateway-integration': {
        type: 'aws_proxy',
        httpMethod: 'POST',
        uri: Fn.join('', [
          `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/`,
          functionArn,
          '/invocations',
        ]),
        credentials: roleArn,
        passthroughBehavior: 'when_no_match',
      },
    });
  }

  /** Adds a method that always gives the same response, without a function. */
  addLiteral(route: string, method: Method, { status, headers, template, onlyJson = false }: Literal): void {
    const json = 'application/json';
    this.add(route, method, {
      responses: {
        [status]: {
          description: 'The same for all',
          headers: Object.fromEntries(
            Object.keys(headers).map((name) => [name, { schema: { type: 'string' } }]),
          ),
        },
      },
      'x-amazon-apigateway-integration': {
        type: 'mock',
        passthroughBehavior: onlyJson ? 'never' : 'when_no_match',
        requestTemplates: { [json]: `{"statusCode":${status}}` },
        responses: {
          default: {
            statusCode: String(status),
            responseParameters: quoted('method.response.header', headers),
            ...(template !== undefined && { responseTemplates: { [json]: template } }),
          },
        },
      },
    });
  }

  /** `type` is API Gateway's name of a gateway response, such as `THROTTLED`. */
  addGatewayResponse(type: string, { status, headers, template }: GatewayResponse): void {
    this.gatewayResponses[type] = {
      ...(status !== undefined && { statusCode: status }),
      responseParameters: quoted('gatewayresponse.header', headers),
      responseTemplates: { 'application/json': template },
    };
  }

  private add(route: string, method: Method, operation: Readonly<Record<string, unknown>>): void {
    if (this.has(route, method)) throw new Error(`${method} ${route} is declared twice`);
    this.paths[route] ??= parametersOf(route);
    this.paths[route][fieldOf(method)] = operation;
  }
}

const fieldOf = (method: Method): string =>
  method === 'ANY' ? 'x-amazon-apigateway-any-method' : method.toLowerCase();

/** OpenAPI wants each parameter of a path to be declared. */
const parametersOf = (route: string): PathItem => {
  const names = [...route.matchAll(/\{([^}+]+)\+?\}/g)].map(([, name]) => name);
  if (names.length === 0) return {};
  const parameters = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  return { parameters };
};

/** API Gateway wants literal values of headers in single quotes. */
const quoted = (prefix: string, headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [`${prefix}.${name}`, `'${value}'`]));
