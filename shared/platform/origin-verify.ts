/** How a stage knows the calls that came through its CloudFront distribution. */

/** The header in which the distribution sends a value of the secret `origin-verify`. */
export const originVerifyHeader = 'x-origin-verify';

/**
 * The fields of the secret. Each call must have one of the two values. They are equal, except while `next` replaces
 * `current`.
 */
export const originVerifyFields = ['current', 'next'] as const;

/** In characters. */
export const shortestOriginValue = 32;

/** The rule of the web ACL that compares the header with the secret. */
export const originVerifyRule = 'origin-verify';
