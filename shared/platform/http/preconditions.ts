import { BadRequestError } from '../errors.ts';
import type { HttpRequest } from './request.ts';

/** An entity tag by RFC 9110, 8.8.3: in quotes, without a quote inside. */
const entityTag = /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

const issue = (path: string, message: string): BadRequestError =>
  new BadRequestError({ issues: [{ path, message }] });

const tagsIn = (value: string): readonly string[] => {
  const tags = value
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  if (tags.length === 0 || !tags.every((tag) => entityTag.test(tag))) {
    throw issue('If-Match', 'Must be entity tags in quotes, separated by commas, or *');
  }
  return tags;
};

/**
 * Returns a check of `If-Match` and `If-None-Match: *` (RFC 9110, 13.1) against the resource's current entity tag. The
 * tag is `undefined` if the resource does not exist.
 * @throws BadRequestError that names the malformed header.
 */
export const preconditionOf = (
  header: HttpRequest<unknown, unknown, unknown>['header'],
): ((etag: string | undefined) => boolean) => {
  const ifMatch = header('if-match')?.trim();
  const ifNoneMatch = header('if-none-match')?.trim();
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*') {
    throw issue('If-None-Match', 'Only * is supported, which means: create, but do not change');
  }
  // A weak tag (W/"…") never matches, because If-Match compares strongly and this service sends only strong tags.
  const wanted = ifMatch === undefined || ifMatch === '*' ? undefined : tagsIn(ifMatch);
  return (etag) => {
    if (ifNoneMatch === '*' && etag !== undefined) return false;
    if (ifMatch === undefined) return true;
    return etag !== undefined && (wanted === undefined || wanted.includes(etag));
  };
};
