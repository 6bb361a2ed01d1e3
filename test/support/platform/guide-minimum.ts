import { readFileSync } from 'node:fs';

const guide = readFileSync(new URL('../../../docs/stage-file.md', import.meta.url), 'utf8');

/** The fields of a stage's file that the operator guide wants to be set at least, such as `oidc`. */
export const guideMinimum = (stage: 'staging' | 'prod'): string[] => {
  const [, list = ''] = /set at least these:\n\n((?:[- ] .*\n)+)/.exec(guide) ?? [];
  const [, item = ''] = new RegExp(`^- ${stage}: ((?:.|\\n {2})*)`, 'm').exec(list) ?? [];
  // Further sentences are about fields that may be set.
  const [needed = ''] = item.split(/\.(?= |\n|$)/);
  const fields = [...needed.matchAll(/`([\w.]+)`/g)].map(([, field = '']) => field);
  if (fields.length === 0) throw new Error(`the guide names no fields of ${stage}`);
  return fields;
};
