import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../openapi/document.ts';
import { operations } from '../../../openapi/operations.ts';
import { localTemplate } from '../../support/local-assembly.ts';

interface Reference {
  readonly Ref?: string;
  readonly 'Fn::GetAtt'?: readonly [string, string];
}

/** `POST base /user/data key`, for each method of the template that a function answers. */
const routesOfTheTemplate = (): string[] => {
  const resources = localTemplate().Resources;
  const properties = (logicalId: string) => resources[logicalId]?.Properties ?? {};
  const pathOf = (reference: Reference): string => {
    if (reference.Ref === undefined) return '';
    const { ParentId, PathPart } = properties(reference.Ref);
    return `${pathOf(ParentId as Reference)}/${String(PathPart)}`;
  };
  return Object.values(resources)
    .filter(({ Type, Properties }) => {
      const integration = Properties.Integration as { readonly Type?: string } | undefined;
      return Type === 'AWS::ApiGateway::Method' && integration?.Type === 'AWS_PROXY';
    })
    .map(({ Properties }) => {
      const api = String(properties((Properties.RestApiId as Reference).Ref ?? '').Name)
        .split('-')
        .at(-1);
      const key = Properties.ApiKeyRequired === true ? ' key' : '';
      return `${Properties.HttpMethod} ${api} ${pathOf(Properties.ResourceId as Reference)}${key}`;
    })
    .sort();
};

describe('the OpenAPI document', () => {
  it('has every call that the template routes to a function, and no other', () => {
    const documented = operations.map(
      ({ method, api, route, security }) =>
        `${method} ${api} ${route}${security === 'api-key' ? ' key' : ''}`,
    );

    expect(documented.sort()).toEqual(routesOfTheTemplate());
  });

  it('is the committed one', () => {
    const committed = JSON.parse(
      readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
    );

    expect(committed, 'run `npm run openapi` and commit docs/openapi.json').toEqual(
      JSON.parse(JSON.stringify(openApiDocument(operations))),
    );
  });

  it('names operations once', () => {
    const ids = operations.map(({ operationId }) => operationId);

    expect(new Set(ids).size).toBe(ids.length);
  });

  it('stands at the addresses that it is given', () => {
    const document = openApiDocument(operations.slice(0, 1), {
      origin: 'http://127.0.0.1:3000',
      prefixes: { base: '/x', b2b: '/y', profile: '/z' },
    });

    expect(document).toMatchObject({ servers: [{ url: 'http://127.0.0.1:3000' }] });
    expect(Object.keys(document.paths as object)).toEqual(['/x/api/v1/nft/contracts/']);
  });
});
