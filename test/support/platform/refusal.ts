import { expect } from 'vitest';

/**
 * The whole body of an error that a function sends, with the request id that every such body has. The errors of API
 * Gateway itself and of the business-to-business calls about users have none.
 */
export const refusal = <Body extends object>(body: Body) => ({
  ...body,
  request_id: expect.stringMatching(/^[\w-]+$/),
});

/** The text of a response without the request id, which differs in every response. */
export const withoutRequestId = (text: string): string => text.replace(/,"request_id":"[\w-]+"/, '');
