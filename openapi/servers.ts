import type { Operation } from '../shared/http/operation.ts';
import type { Json } from './schemas.ts';

type Api = Operation['api'];

/** Each of the three APIs has its own address. Each path of the document therefore names its address. */
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
 * The address of an API, as a variable. Its default is the address under `npm start`. The operator of a stage gives the
 * stage's address.
 */
export const serversOf = (api: Api): readonly Json[] => {
  const { variable, standard, description } = apis[api];
  return [
    {
      url: `{${variable}}`,
      description,
      variables: { [variable]: { default: standard, description: 'Given by the operator of the stage' } },
    },
  ];
};
