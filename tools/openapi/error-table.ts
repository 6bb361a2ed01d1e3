import type { ErrorCode } from '../../shared/platform/errors.ts';
import { statusByCode } from '../../shared/platform/http/errors.ts';
import { meaningOf } from './errors.ts';

const heading = '| code | status | meaning |\n|---|---|---|\n';

/** The headings of the guide that say what to do about a code. A code that its meaning explains has none. */
const sectionOf: Partial<Record<ErrorCode, string>> = {
  SESSION_REQUIRED: 'how-many-screens',
  ENTITLEMENT_DENIED: 'streams',
  FIELD_NOT_WRITABLE: 'identifiers',
  LOGIN_REQUIRED: 'streams',
  PURCHASE_REQUIRED: 'tickets',
  SESSION_ENDED: 'how-many-screens',
  SIGNATURE_INVALID: 'tickets',
  TOO_MANY_SESSION_CHANGES: 'release-a-place',
  TOO_MANY_STREAMS: 'how-many-screens',
  WALLET_TOO_NEW: 'tickets',
  EVENT_NOT_FOUND: 'whose-rules-count',
  STREAM_NOT_AVAILABLE: 'streams',
  USER_NOT_FOUND: 'reading',
  CLAIM_IN_PROGRESS: 'tickets',
  CONTRACT_FAILED: 'confirmation',
  ENDPOINT_ENDED: 'being-notified',
  NFT_ALREADY_CLAIMED: 'tickets',
  NFT_NOT_RESERVED: 'a-token-for-a-fan-without-a-wallet',
  NOT_REVOCABLE: 'a-collection',
  NOT_TRANSFERABLE: 'a-token-for-a-fan-without-a-wallet',
  PATH_OVERLAPS: 'the-catalogue-of-events',
  SUPPLY_EXHAUSTED: 'a-collection',
  WALLET_LIMIT_REACHED: 'tickets',
  PRECONDITION_FAILED: 'the-catalogue-of-events',
  IDEMPOTENCY_KEY_IN_USE: 'idempotency',
  IDEMPOTENCY_KEY_REUSED: 'idempotency',
  LIMIT_TOO_SMALL: 'limits',
  PRECONDITION_REQUIRED: 'the-catalogue-of-events',
  DAILY_LIMIT_REACHED: 'limits',
  TOO_MANY_REPLAYS: 'what-was-sent-and-what-became-of-it',
  TOO_MANY_TESTS: 'what-was-sent-and-what-became-of-it',
  INTERNAL_ERROR: 'errors',
  CHAIN_UNAVAILABLE: 'errors',
  ENTITLEMENT_UNAVAILABLE: 'streams',
  SERVICE_UNAVAILABLE: 'errors',
};

const cellOf = (code: ErrorCode): string => {
  const section = sectionOf[code];
  return section === undefined ? `\`${code}\`` : `[\`${code}\`](#${section})`;
};

const table = (): string =>
  (Object.keys(statusByCode) as ErrorCode[])
    .sort((one, other) => statusByCode[one] - statusByCode[other] || (one < other ? -1 : 1))
    .map((code) => `| ${cellOf(code)} | ${statusByCode[code]} | ${meaningOf[code]} |\n`)
    .join('');

/** The customer guide with the table of all error codes as they are now. @throws when the guide has no such table. */
export const withErrorTable = (guide: string): string => {
  const [before, after] = guide.split(heading);
  if (before === undefined || after === undefined) throw new Error('The guide has no table of error codes');
  return before + heading + table() + after.replace(/^(\|.*\n)*/, '');
};
