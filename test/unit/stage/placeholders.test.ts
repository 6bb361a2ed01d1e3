import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isPlaceholder } from '../../../config/placeholders.ts';
import { stageNamed } from '../../../config/stages.ts';
import { stageFindings } from '../../../operator/stage/preflight/stage-file.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Whatever has the form of an invented value: a part called `example`, or an account of AWS's documentation. */
const invented = /[\w.:/@-]*example[\w.:/@-]*|(?<![\w.])(?:123456789012|0{12}|111122223333)(?!\w)/g;

const withoutRemarks = (source: string) => source.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');

describe('a placeholder', () => {
  it.each(['config/staging.ts', 'config/prod.ts', 'config/nightly.ts'])(
    'of %s is refused by preflight',
    (file) => {
      const found = withoutRemarks(read(file)).match(invented) ?? [];

      expect(found.length).toBeGreaterThan(0);
      expect(found.filter((text) => !isPlaceholder(text))).toEqual([]);
    },
  );

  it("of the page about the stage's file is refused by preflight", () => {
    const section = read('docs/stage-file.md');
    const found = (section.match(invented) ?? []).map((text) => text.replace(/[.:,]+$/, ''));

    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((text) => !isPlaceholder(text))).toEqual([]);
  });

  it.each(['staging', 'prod', 'nightly'])('is named by its field for %s', (stage) => {
    const [finding] = stageFindings(stageNamed(stage), { isDeployed: false });

    expect(finding).toMatchObject({ check: 'placeholders', ok: false });
    expect(finding?.found.split(', ')).toEqual(
      expect.arrayContaining([
        'oidc.issuer',
        'ott.entitlement.url',
        ...(stage === 'nightly' ? ['nft.signerKeys.0'] : ['ott.defaultApplication']),
      ]),
    );
  });
});
