import { resourcesOf, type StackTemplate } from './stack.ts';

interface Integration {
  readonly type: 'aws_proxy' | 'mock';
  readonly uri?: unknown;
  readonly credentials?: unknown;
  readonly passthroughBehavior?: string;
  readonly requestTemplates?: Readonly<Record<string, string>>;
  readonly responses?: Readonly<
    Record<
      string,
      {
        readonly statusCode: string;
        readonly responseParameters: Readonly<Record<string, string>>;
        readonly responseTemplates?: Readonly<Record<string, string>>;
      }
    >
  >;
}

interface Operation {
  readonly security?: readonly unknown[];
  readonly 'x-amazon-apigateway-integration': Integration;
}

export interface GatewayResponse {
  readonly type: string;
  readonly statusCode?: number;
  readonly responseParameters: Readonly<Record<string, string>>;
  readonly responseTemplates: Readonly<Record<string, string>>;
}

/** The part of an API's document that tests read. */
export interface ApiBody {
  readonly info: { readonly title: string };
  readonly servers?: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: Readonly<Record<string, unknown>> };
  readonly 'x-amazon-apigateway-gateway-responses': Readonly<Record<string, Omit<GatewayResponse, 'type'>>>;
}

export interface ApiRoute {
  /** `base`, `b2b` or `profile`. */
  readonly api: string;
  readonly path: string;
  /** `ANY` stands for every method that has no entry of its own. */
  readonly method: string;
  readonly needsKey: boolean;
  readonly integration: Integration;
}

const nameOf = ({ info: { title } }: ApiBody): string => title.slice(title.lastIndexOf('-') + 1);

/** The documents from which API Gateway makes the APIs of a template, by the API's logical id. */
export const apiBodiesOf = (template: StackTemplate): ReadonlyMap<string, ApiBody> =>
  new Map(
    resourcesOf(template, 'AWS::ApiGateway::RestApi').map(([id, { Properties }]) => [
      id,
      Properties.Body as ApiBody,
    ]),
  );

/** Every method of every path of a template's APIs. */
export const routesOf = (template: StackTemplate): readonly ApiRoute[] =>
  [...apiBodiesOf(template).values()].flatMap((body) =>
    Object.entries(body.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([field]) => field !== 'parameters')
        .map(([field, operation]) => ({
          api: nameOf(body),
          path,
          method: field === 'x-amazon-apigateway-any-method' ? 'ANY' : field.toUpperCase(),
          needsKey: (operation.security ?? []).length > 0,
          integration: operation['x-amazon-apigateway-integration'],
        })),
    ),
  );

/** What API Gateway itself answers in the API with this name. */
export const gatewayResponsesOf = (template: StackTemplate, api: string): readonly GatewayResponse[] => {
  const body = [...apiBodiesOf(template).values()].find((each) => nameOf(each) === api);
  if (body === undefined) throw new Error(`No API is named ${api}`);
  return Object.entries(body['x-amazon-apigateway-gateway-responses']).map(([type, response]) => ({
    type,
    ...response,
  }));
};
