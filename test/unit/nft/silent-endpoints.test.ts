import { describe, expect, it } from 'vitest';
import { EndpointError } from '../../../shared/chain/rpc/json-rpc.ts';
import type { EndpointAnswer } from '../../../shared/chain/rpc/rpc-endpoints.ts';
import { silentEndpoints } from '../../../shared/nft/rpc/silent-endpoints.ts';

const alive: EndpointAnswer = { endpoint: 'one', answers: [{ result: '0x10' }] };
const dead: EndpointAnswer = { endpoint: 'two', failure: new EndpointError({ message: 'no answer' }) };
const garbage: EndpointAnswer = { endpoint: 'three', answers: [{ result: 'sixteen' }] };

describe('the RPC endpoints that do not answer', () => {
  it.each<readonly [string, readonly EndpointAnswer[], readonly number[]]>([
    ['none if all answer', [alive, alive], []],
    ['the second of two', [alive, dead], [2]],
    ['one that answers with garbage', [garbage, alive, alive], [1]],
    ['none if no endpoint answers at all', [dead, dead], []],
  ])('are %s', async (_, answers, places) => {
    expect(await silentEndpoints({ every: async () => answers })()).toEqual(places);
  });
});
