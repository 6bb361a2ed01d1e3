import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkForgedCountry } from '../../../operator/stage/smoke/forged-country.ts';
import { startTinyServer, type TinyServer } from '../../support/ott/tiny-server.ts';

describe('the smoke test of forged countries', () => {
  let server: TinyServer;
  beforeAll(async () => {
    server = await startTinyServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** The faults for a stage whose distribution or API believes the caller, or does not. */
  const faultsOf = async ({ believes, admits }: { readonly believes: boolean; readonly admits: boolean }) => {
    server.behave(({ path, headers }, response) => {
      const isPast = path.startsWith('/own');
      const isForeign = headers['cloudfront-viewer-country'] !== undefined && believes;
      response.writeHead(isPast && !admits ? 403 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isForeign ? [] : [{ event_id: 'final' }]));
    });
    const results = await checkForgedCountry({
      baseUrl: `${server.url}/public`,
      ownUrl: `${server.url}/own`,
    });
    return results.map(({ faults }) => faults);
  };

  it('passes if the distribution replaces the header, and the API refuses who comes past it', async () => {
    expect(await faultsOf({ believes: false, admits: false })).toEqual([[], []]);
  });

  it('reports a distribution that passes on what a caller claims', async () => {
    const [through] = await faultsOf({ believes: true, admits: false });

    expect(through).toEqual([expect.stringContaining('the answer differs')]);
  });

  it('reports an API that answers who comes past the distribution', async () => {
    const [, past] = await faultsOf({ believes: false, admits: true });

    expect(past).toEqual(['status: 200, expected 403']);
  });
});
