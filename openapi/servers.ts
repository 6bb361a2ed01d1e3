import type { Operation } from '../shared/http/operation.ts';
import type { Json } from './schemas.ts';

type Api = Operation['api'];

/** The three APIs have different addresses, so each path in the document states the address of its API. */
const apis: Readonly<Record<Api, { variable: string; standard: string; description: string }>> = {
  base: {
    variable: 'base_url',
    standard: 'http://127.0.0.1:3000/base',
    description: 'The base API: NFTs and OTT events',
  },
  b2b: {
    variable: 'api_url_b2b',
    standard: 'http://127.0.0.1:3000/b2b',
    description: 'The business-to-business API',
  },
  profile: {
    variable: 'api_url_profile',
    standard: 'http://127.0.0.1:3000/profile',
    description: 'The profile API',
  },
};

/**
 * The server of an API. Its address is a variable. The variable's default is the address when the service runs with
 * `npm start`. For any other stage, the operator tells callers the address.
 */
export const serversOf = (api: Api): readonly Json[] => {
  const { variable, standard, description } = apis[api];
  return [
    {
      url: `{${variable}}`,
      description,
      variables: {
        [variable]: { default: standard, description: 'The operator of the stage tells you this address' },
      },
    },
  ];
};
