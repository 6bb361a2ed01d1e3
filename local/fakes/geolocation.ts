import { isIP } from 'node:net';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import { addBehaviour, misbehave, mode } from './behaviour.ts';
import { createJsonServer, type FakeService, listen } from './json-server.ts';
import { keepState } from './kept-state.ts';

const country = z.string().regex(/^[A-Z]{2}$/, 'an ISO 3166-1 alpha-2 code');
const state = z.object({ mode, addresses: z.record(z.string(), country) });
const assignment = z.strictObject({ country: country.nullable() });
const address = z.object({ ip: z.string().refine((text) => isIP(text) !== 0, 'an IP address') });

const accepted = 'application/vnd.maxmind.com-country+json; charset=UTF-8; version=2.1';
const failed = 'application/vnd.maxmind.com-error+json; charset=UTF-8; version=2.0';

const fail = (
  reply: FastifyReply,
  { status, code, error }: { status: number; code: string; error: string },
) => reply.code(status).type(failed).send(JSON.stringify({ code, error }));

/** The local fake of MaxMind's GeoIP Country web service (dev.maxmind.com, "GeoIP web services"). */
export const startGeolocation = ({
  port,
  stateDirectory,
  accountId = '1',
  licenseKey = 'local',
}: {
  readonly port: number;
  readonly stateDirectory: string;
  /** @default '1' */
  readonly accountId?: string;
  /** @default 'local' */
  readonly licenseKey?: string;
}): Promise<FakeService> => {
  const kept = keepState({
    path: join(stateDirectory, 'stand-ins', 'geolocation.json'),
    schema: state,
    initial: { mode: 'ok', addresses: {} },
  });
  const authorization = `Basic ${Buffer.from(`${accountId}:${licenseKey}`).toString('base64')}`;
  const server = createJsonServer();

  server.get('/geoip/v2.1/country/:ip', async (request, reply) => {
    if (await misbehave(kept.read().mode, reply)) return reply;
    if (request.headers.authorization !== authorization) {
      return fail(reply, {
        status: 401,
        code: 'AUTHORIZATION_INVALID',
        error: 'Your account ID or license key could not be authenticated.',
      });
    }
    const parsed = address.safeParse(request.params);
    if (!parsed.success) {
      return fail(reply, {
        status: 400,
        code: 'IP_ADDRESS_INVALID',
        error: 'The value provided is not a valid IP address.',
      });
    }
    const { ip } = parsed.data;
    const { addresses } = kept.read();
    const iso = Object.hasOwn(addresses, ip) ? addresses[ip] : undefined;
    if (iso === undefined) {
      return fail(reply, {
        status: 404,
        code: 'IP_ADDRESS_NOT_FOUND',
        error: `The value ${ip} is not in the database.`,
      });
    }
    return reply.type(accepted).send(
      JSON.stringify({
        country: { iso_code: iso, names: { en: iso } },
        registered_country: { iso_code: iso },
        traits: { ip_address: ip },
      }),
    );
  });
  server.get('/addresses/:ip', async (request) => {
    const { ip } = address.parse(request.params);
    const { addresses } = kept.read();
    return { country: Object.hasOwn(addresses, ip) ? addresses[ip] : null };
  });
  server.put('/addresses/:ip', async (request) => {
    const { ip } = address.parse(request.params);
    const wanted = assignment.parse(request.body);
    const { [ip]: _, ...others } = kept.read().addresses;
    const addresses = wanted.country === null ? others : { ...others, [ip]: wanted.country };
    kept.write({ ...kept.read(), addresses });
    return wanted;
  });
  addBehaviour(server, {
    read: () => kept.read().mode,
    write: (wanted) => kept.write({ ...kept.read(), mode: wanted }),
  });
  return listen(server, port);
};
