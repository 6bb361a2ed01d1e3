import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../../tools/openapi/document.ts';
import { withParts } from '../../../../tools/openapi/interface-page.ts';
import { operations } from '../../../../tools/openapi/operations.ts';
import type { Json } from '../../../../tools/openapi/schemas.ts';

const page = readFileSync(new URL('../../../../docs/interface.md', import.meta.url), 'utf8');

interface Body {
  readonly properties: Record<string, Json>;
}

/** The OpenAPI document with this change. */
const changed = (
  change: (schema: (name: string) => Body, paths: Record<string, Json>) => void = () => undefined,
): Json => {
  const document = JSON.parse(JSON.stringify(openApiDocument(operations)));
  change((name) => document.components.schemas[name], document.paths);
  return document;
};

describe('docs/interface.md', () => {
  it('lists exactly the parts of every call and body', () => {
    expect(page, 'run `npm run openapi` and commit docs/interface.md').toBe(withParts(page, changed()));
  });

  it('marks each part as fixed or as Marquee’s own addition', () => {
    expect(page.match(/^- undecided: .*$/gm) ?? []).toEqual([]);
  });

  it('requires none of Marquee’s own additions in a request that the contract fixes', () => {
    const sections = new Map(
      page.split(/^#{2,3} /m).map((section) => [section.slice(0, section.indexOf('\n')), section]),
    );
    const partsOf = (name: string, promise: string) =>
      new RegExp(`^- ${promise}: (.*)$`, 'm').exec(sections.get(name) ?? '')?.[1]?.split('; ') ?? [];
    const linkIn = (part: string) => /\[(\w+)\]\(#/.exec(part)?.[1];
    const withInner = (name: string): string[] => [
      name,
      ...partsOf(name, 'fixed')
        .flatMap((part) => withInner(linkIn(part) ?? ''))
        .filter(Boolean),
    ];

    const bodies = operations
      .map(({ operationId }) => partsOf(operationId, 'fixed').find((part) => part.startsWith('request body')))
      .flatMap((part) => withInner(linkIn(part ?? '') ?? ''))
      .filter(Boolean);
    const own = bodies.flatMap((name) => partsOf(name, "Marquee's own"));

    expect(bodies).toEqual(
      expect.arrayContaining(['ContractRequest', 'AttributeRequest', 'ApplicationUserSub']),
    );
    // A further type of a field is no demand.
    expect(own.filter((part) => !/ = |, optional$| as \w+$/.test(part))).toEqual([]);
  });

  it.each([
    ['field', (schema) => delete schema('Nft').properties.destinationn, 'Nft no longer has `destinationn`'],
    [
      'value',
      (schema) => Object.assign(schema('Event').properties.status ?? {}, { enum: ['VOD'] }),
      'Event no longer has `status` = `LIVE`',
    ],
    [
      'form',
      (schema) => Object.assign(schema('Nft').properties.id ?? {}, { type: 'integer' }),
      'Nft no longer has `id`: string',
    ],
    [
      'status',
      (_, paths) => delete (paths['/user-data/read'] as { post: { responses: Json } }).post.responses['404'],
      'readUserData no longer has response `404`: [UserNotFound]',
    ],
  ] satisfies [string, Parameters<typeof changed>[0], string][])(
    'cannot be generated from a document that lacks a fixed %s',
    (_, change, refusal) => {
      expect(() => withParts(page, changed(change))).toThrow(refusal);
    },
  );

  it('lists a new field as undecided, and no longer lists a removed field that was Marquee’s own addition', () => {
    const document = changed((schema) => {
      schema('Nft').properties.seat = { type: 'string' };
      delete schema('Nft').properties.created_at;
    });

    const before = page.split('\n');
    const lines = withParts(page, document)
      .split('\n')
      .filter((line) => !before.includes(line));

    expect(lines).toEqual([
      expect.not.stringContaining('created_at'),
      '- undecided: `seat`: string, optional',
    ]);
  });

  it('cannot be generated with a call without a heading or a heading without a call', () => {
    const withoutHeading = page.replace('### getReplay', '### getReply');
    const withoutCall = changed((_, paths) => delete paths['/notifications/endpoints']);

    expect(() => withParts(page.replace(/### getReplay\n[^#]*/, ''), changed())).toThrow(
      'docs/interface.md needs the headings getReplay',
    );
    expect(() => withParts(withoutHeading, changed())).toThrow('docs/interface.md has getReply');
    expect(() => withParts(page, withoutCall)).toThrow('docs/interface.md has listNotificationEndpoints');
  });
});
