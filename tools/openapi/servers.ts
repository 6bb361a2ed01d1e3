import { documentedAddresses } from '../../shared/platform/documentation/stage-document.ts';
import type { Operation } from '../../shared/platform/http/operation.ts';
import type { Json } from './schemas.ts';

/** The three APIs have different addresses, so each path in the document states the address of its API. */
const servers: Readonly<Record<Operation['api'], Json>> = {
  base: { url: documentedAddresses.base, description: 'The base API: NFTs and OTT events' },
  b2b: { url: documentedAddresses.b2b, description: 'The business-to-business API' },
  profile: { url: documentedAddresses.profile, description: 'The profile API' },
};

export const serversOf = (api: Operation['api']): readonly Json[] => [servers[api]];
