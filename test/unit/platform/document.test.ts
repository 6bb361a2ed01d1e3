import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type OpenApiDocument,
  stageDocument,
} from '../../../shared/platform/documentation/stage-document.ts';
import { needsKey, type Operation } from '../../../shared/platform/http/operation.ts';
import { openApiDocument } from '../../../tools/openapi/document.ts';
import { operations } from '../../../tools/openapi/operations.ts';
import { routesOf } from '../../support/platform/api-routes.ts';
import { localTemplate } from '../../support/platform/local-assembly.ts';

/** A line such as `POST base /user/data key` for each method of the template that a function answers, except HEAD. */
const routesOfTheTemplate = (): string[] =>
  routesOf(localTemplate())
    .filter(({ integration, method }) => integration.type === 'aws_proxy' && method !== 'HEAD')
    .map(({ method, api, path, needsKey: isKeyed }) => `${method} ${api} ${path}${isKeyed ? ' key' : ''}`)
    .sort();

type Json = Record<string, unknown>;

interface DescribedOperation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: unknown } } };
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly 'application/json': { readonly example: unknown } } }>
  >;
}

const document = JSON.parse(JSON.stringify(openApiDocument(operations))) as Json;
const schemas = (document.components as Json).schemas as Json;

describe('the OpenAPI document', () => {
  it('contains exactly the calls that the template routes to functions', () => {
    const documented = operations.map(
      ({ method, api, route, security }) => `${method} ${api} ${route}${needsKey(security) ? ' key' : ''}`,
    );

    expect(documented.sort()).toEqual(routesOfTheTemplate());
  });

  it('equals the committed document', () => {
    const committed = JSON.parse(
      readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
    );

    expect(committed, 'run `npm run openapi` and commit docs/openapi.json').toEqual(document);
  });

  it('uses each operation id once', () => {
    const ids = operations.map(({ operationId }) => operationId);

    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is served with the addresses of the stage', () => {
    const addresses = {
      base: 'https://base.example.com/prod',
      b2b: 'https://b2b.example.com',
      profile: 'https://profile.example.com',
    };

    const served: OpenApiDocument = JSON.parse(JSON.stringify(document));

    const { paths } = stageDocument(served, addresses);

    const urlOf = (path: string) => paths[path]?.servers.map(({ url }) => url);
    expect(urlOf('/api/v1/nft/contracts/')).toEqual([addresses.base]);
    expect(urlOf('/user-data/read')).toEqual([addresses.b2b]);
    expect(urlOf('/user/data')).toEqual([addresses.profile]);
  });

  it('is not generated with two schemas of one name or a response without an example', () => {
    const [first] = operations;
    if (first === undefined) throw new Error('There is no operation');
    const named = (id: string, schema: z.ZodType, examples?: unknown[]) =>
      ({
        ...first,
        success: { ...first.success, body: schema.meta({ id, ...(examples && { examples }) }) },
      }) as Operation;

    expect(() =>
      openApiDocument([named('Event', z.object({ a: z.string() }), [{ a: '' }]), ...operations]),
    ).toThrow('Two schemas are called Event');
    expect(() => openApiDocument([named('Other', z.object({}))])).toThrow('Other has no examples');
  });
});

describe('the OpenAPI document for generated clients', () => {
  /** Visits every object within a value, with its JSON pointer. */
  const visit = (value: unknown, look: (value: Json, at: string) => void, at = '#'): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) look(value as Json, at);
    for (const [key, inner] of Object.entries(value)) {
      // Examples are data, whose property names mean nothing in a schema.
      if (!['example', 'examples'].includes(key)) visit(inner, look, `${at}/${key}`);
    }
  };
  const places = (isWrong: (value: Json) => boolean, within: unknown = document): string[] => {
    const found: string[] = [];
    visit(within, (value, at) => {
      if (isWrong(value)) found.push(at);
    });
    return found;
  };

  it('names the schema of every body', () => {
    expect(
      places(({ schema, examples, example }) => {
        const isBody = schema !== undefined && (examples !== undefined || example !== undefined);
        if (!isBody) return false;
        const { $ref, items, type, anyOf } = schema as Json;
        const isSimple = ['string', 'integer'].includes(String(type));
        const isNamed = (one: unknown) => (one as Json | undefined)?.$ref !== undefined;
        return (
          !isSimple && $ref === undefined && !isNamed(items) && !(anyOf as Json[] | undefined)?.every(isNamed)
        );
      }),
    ).toEqual([]);
  });

  // openapi-generator writes a constructor `NewEvent` for the schema `Event`.
  it('names each object within a body, after which generated clients name their models', () => {
    const nameless: string[] = [];
    const look = (schema: Json, place: string): void => {
      const {
        properties,
        items,
        anyOf = [],
      } = schema as {
        properties?: Record<string, Json>;
        items?: Json;
        anyOf?: Json[];
      };
      for (const [field, value] of Object.entries(properties ?? {})) {
        if (value.properties !== undefined) nameless.push(`${place}.${field}`);
        look(value, `${place}.${field}`);
      }
      for (const each of [...anyOf, ...(items === undefined ? [] : [items])]) {
        if (each.properties !== undefined) nameless.push(`${place}[]`);
        look(each, `${place}[]`);
      }
    };
    for (const [name, schema] of Object.entries(schemas)) look(schema as Json, name);

    expect(nameless).toEqual([]);
  });

  it('has no schema whose name is the Go constructor of another', () => {
    expect(Object.keys(schemas).filter((name) => `New${name}` in schemas)).toEqual([]);
  });

  // openapi-python-client leaves out a call with such a parameter.
  it('contains no parameter with a constant value', () => {
    expect(places(({ schema }) => (schema as Json | undefined)?.const !== undefined)).toEqual([]);
  });

  // openapi-generator in Java compares it with a text, which does not compile.
  it('contains no boolean with a constant value', () => {
    expect(places((schema) => schema.type === 'boolean' && schema.const !== undefined)).toEqual([]);
  });

  // openapi-generator in Java calls the variable's name.
  it('contains no variables in server addresses', () => {
    expect(places(({ url, variables }) => variables !== undefined || /[{}]/.test(String(url)))).toEqual([]);
  });

  it('contains no pattern beside a format, and no pattern for a number', () => {
    expect(places(({ pattern, format }) => pattern !== undefined && format !== undefined)).toEqual([]);
    expect(places(({ type, pattern }) => type !== 'string' && typeof pattern === 'string')).toEqual([]);
    const limits: unknown[] = [];
    visit(document, ({ name, schema }) => {
      if (name === 'limit') limits.push(schema);
    });
    expect(limits.length).toBeGreaterThan(2);
    for (const limit of limits) {
      expect(limit).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 50 });
    }
  });

  it('allows new fields in responses, and rejects unknown fields in requests about NFTs', () => {
    const requests = new Set<string>();
    const references = (value: unknown, into: Set<string>) =>
      visit(value, ({ $ref }) => {
        const name = typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
        if (name === undefined || into.has(name)) return;
        into.add(name);
        references(schemas[name], into);
      });
    visit(document.paths, ({ requestBody }) => references(requestBody, requests));
    const closed = Object.keys(schemas).filter(
      (name) =>
        places(({ additionalProperties }) => additionalProperties === false, schemas[name]).length > 0,
    );

    expect(closed).toEqual(expect.arrayContaining(['ContractRequest', 'NftRequest', 'NftMetadataRequest']));
    expect(closed.filter((name) => !requests.has(name))).toEqual([]);
    expect(places(({ additionalProperties }) => additionalProperties === false, document.paths)).toEqual([]);
  });

  it('has the header `Retry-After` in each response with an error code that promises it', () => {
    const isPromised = ({ content, headers }: Json) =>
      content !== undefined && JSON.stringify(content).includes('`Retry-After` say') && headers === undefined;

    expect(places(isPromised, document.paths)).toEqual([]);
  });

  it('contains the exact 403 body of API Gateway for every call', () => {
    const responses = (document.components as Json).responses as Json;
    visit(document.paths, (operation) => {
      if (operation.operationId === undefined) return;
      const response = (operation.responses as Json)['403'] as Json;
      const { content } = (response.$ref === undefined ? response : responses.Forbidden) as {
        content: { 'application/json': { examples: { Forbidden: { value: unknown } } } };
      };
      expect(content['application/json'].examples.Forbidden.value).toEqual({ message: 'Forbidden' });
    });
  });
});

describe('the examples in the OpenAPI document', () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi.json');
  const problems = (pointer: string, example: unknown): string => {
    const validate = ajv.getSchema(`openapi.json#${pointer}`);
    if (validate === undefined) throw new Error(`There is no ${pointer}`);
    return validate(example) ? '' : ajv.errorsText(validate.errors);
  };

  it.each(Object.keys(schemas))('include at least one valid example of %s', (name) => {
    const { examples } = schemas[name] as { examples?: unknown[] };

    expect(examples?.length).toBeGreaterThan(0);
    for (const example of examples ?? []) {
      expect(problems(`/components/schemas/${name}`, example)).toBe('');
    }
  });

  it('match the schema at each place', () => {
    const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
    let seen = 0;
    const look = (value: unknown, pointer: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { schema, example, examples } = value as Json;
      if (schema !== undefined && !Array.isArray(value)) {
        const given = Object.values((examples ?? {}) as Record<string, { value: unknown }>).map(
          (one) => one.value,
        );
        for (const one of [...given, ...(example === undefined ? [] : [example])]) {
          seen += 1;
          expect(problems(`${pointer}/schema`, one), pointer).toBe('');
        }
      }
      for (const [key, inner] of Object.entries(value)) {
        if (!['example', 'examples'].includes(key)) look(inner, `${pointer}/${escaped(key)}`);
      }
    };
    look(document, '');

    expect(seen).toBeGreaterThan(100);
  });

  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    'of %s are accepted by the schemas that the call uses for parsing',
    (_, { path, body, success, route, documentedRoute, method }) => {
      const paths = document.paths as Record<string, Record<string, DescribedOperation>>;
      const described = paths[documentedRoute ?? route]?.[method.toLowerCase()];
      if (described === undefined) throw new Error('It is not described');
      const parameters = described.parameters.filter(({ in: place }) => place === 'path');

      expect(() => {
        path?.parse(Object.fromEntries(parameters.map(({ name, example }) => [name, example])));
        body?.parse(described.requestBody?.content['application/json'].example);
        success.body?.parse(described.responses[success.status]?.content['application/json'].example);
      }).not.toThrow();
    },
  );
});
