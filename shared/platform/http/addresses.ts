import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod';

/**
 * The stage variables that hold the public base address of each API, in the stage of every API. A function that an API
 * invokes has no environment variable with an address: the API's document names the function, so the function cannot
 * name the API.
 */
export const addressVariables = {
  base: 'PUBLIC_BASE_URL',
  b2b: 'API_URL_B2B',
  profile: 'API_URL_PROFILE',
} as const;

export type Api = keyof typeof addressVariables;

/** The public base addresses of the stage's APIs, without a slash at their ends. */
export type Addresses = Readonly<Record<Api, string>>;

const variables = z.object({
  [addressVariables.base]: z.url(),
  [addressVariables.b2b]: z.url(),
  [addressVariables.profile]: z.url(),
});

/**
 * Reads the addresses from the stage variables of an event. They never come from the request itself: its `Host` is what
 * the caller chose.
 */
export const addressesOf = ({ stageVariables }: Pick<APIGatewayProxyEvent, 'stageVariables'>): Addresses => {
  const found = variables.parse(stageVariables);
  return {
    base: found[addressVariables.base],
    b2b: found[addressVariables.b2b],
    profile: found[addressVariables.profile],
  };
};
