import { waitFor } from 'template-runtime/testing/wait.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { inParallel } from '../../../shared/platform/in-parallel.ts';
import { dynamoDbApplications } from '../../../shared/platform/store/applications.ts';
import { documentClientOf } from '../../../shared/platform/store/client.ts';
import { type ApiAnswer, callApi } from '../platform/api-client.ts';
import { withoutRequestId } from '../platform/refusal.ts';
import type { System } from '../platform/system.ts';
import { anOttApplication } from './builders.ts';
import { configurationOf, countries, eventOf, streamOutcome } from './decision-cases.ts';
import type { Case } from './oracle.ts';

export interface Outcome {
  readonly listed: boolean;
  readonly event: number;
  readonly stream: string;
}

export interface DecisionsOverHttp {
  /** Makes the three calls for every case. The cases in which the entitlement service is down come first. */
  ask(): Promise<readonly Outcome[]>;
  /** All different 404 EVENT_NOT_FOUND responses, without the headers and the id that differ in every response. */
  readonly notFound: { readonly event: string[]; readonly stream: string[] };
  /** The responses for an event that does not exist. */
  readonly missing: { readonly event: string; readonly stream: string };
}

const requestsAtOnce = 8;
const hour = 3_600_000;
const perRequest = new Set(['date', 'x-amzn-requestid', 'x-amz-apigw-id', 'x-amzn-trace-id']);

const addresses = { blocked: '198.51.100.61', 'not blocked': '198.51.100.62', unknown: '198.51.100.63' };

const userOf = ({ viewer, purchased, entitlement }: Case): string =>
  [viewer, purchased ? 'buyer' : 'no buyer', entitlement === 'denied' ? 'denied' : 'not denied']
    .join('-')
    .replaceAll(' ', '-');

const bytesOf = ({ status, headers, text }: ApiAnswer<unknown>): string =>
  JSON.stringify([status, [...headers].filter(([name]) => !perRequest.has(name)), withoutRequestId(text)]);

/** Adds an event and a client for every case to a running system. The system must trust `X-Forwarded-For`. */
export const decisionsOverHttp = async ({
  system,
  cases,
}: {
  readonly system: System;
  readonly cases: readonly Case[];
}): Promise<DecisionsOverHttp> => {
  const { base_url, entitlement_url, geolocation_url } = system.outputs;
  const put = (url: string, body: unknown) => callApi(url, { method: 'PUT', body });
  const idOf = (index: number) => `case-${index}`;
  const startOf = (index: number) => Date.UTC(2025, 0, 1) + index * hour;

  const clients = new Map<string, string>();
  const clientOf = (given: Case): string => {
    const key = JSON.stringify(configurationOf(given));
    const known = clients.get(key) ?? `table-${clients.size}-web`;
    clients.set(key, known);
    return known;
  };
  const asked = cases.map((given, index) => ({
    given,
    index,
    clientId: clientOf(given),
    user: userOf(given),
  }));

  const documents = documentClientOf(system.aws);
  const applications = dynamoDbApplications({
    client: documents,
    tableName: await system.stackOutput('ApplicationsTable'),
  });
  const catalogue = dynamoDbCatalogue({
    client: documents,
    tableName: await system.stackOutput('EventsTable'),
  });
  // Entries of a schedule are at whole seconds.
  const now = Math.floor(Date.now() / 1000) * 1000;
  const written = await catalogue.write(
    cases.map((given, index) => ({
      after: {
        ...eventOf(given, { id: idOf(index), now, marginMilliseconds: hour }),
        startsAt: new Date(startOf(index)).toISOString(),
        endsAt: null,
      },
    })),
  );
  if (written.some(({ outcome }) => outcome !== 'written')) throw new Error('Not all events were written');
  for (const [configuration, clientId] of clients) {
    const { version: _, ...application } = anOttApplication(JSON.parse(configuration), clientId);
    await applications.create({ ...application, clientIds: [clientId] });
  }

  for (const [name, address] of Object.entries(addresses)) {
    const country = countries[name as Case['country']];
    if (country !== undefined) await put(`${geolocation_url}/addresses/${address}`, { country });
  }
  const tokens = new Map<string, string>();
  for (const { given, user, clientId } of asked) {
    if (given.viewer === 'not logged in') continue;
    const isKnown = [...tokens.keys()].some((key) => key.startsWith(`${user}@`));
    const key = `${user}@${clientId}`;
    if (!tokens.has(key)) tokens.set(key, await system.token({ sub: user, client_id: clientId }));
    if (isKnown) continue;
    await put(`${entitlement_url}/users/${user}`, {
      vip: given.viewer === 'VIP',
      purchases: given.purchased ? cases.map((_, index) => idOf(index)) : [],
      denied: given.entitlement === 'denied',
    });
  }

  const call = async (path: string, { given, clientId, user }: (typeof asked)[number]) => {
    const token = tokens.get(`${user}@${clientId}`);
    return callApi(`${base_url}/api/v3/ott/events${path}`, {
      headers: { 'x-forwarded-for': addresses[given.country], 'x-client-id': clientId },
      ...(given.viewer !== 'not logged in' && token !== undefined && { token }),
    });
  };
  /**
   * Repeats the call while the response is 503, as a client does: on a busy machine, a service may not answer in time.
   */
  const answered = (...asking: Parameters<typeof call>) =>
    waitFor(
      async () => {
        const answer = await call(...asking);
        if (answer.status === 503) throw new Error(`503 to ${asking[0]}: ${answer.text}`);
        return answer;
      },
      { interval: 500 },
    );
  const notFound = { event: new Set<string>(), stream: new Set<string>() };
  const outcomeOf = async (each: (typeof asked)[number]): Promise<Outcome> => {
    const { given, index } = each;
    const at = (offset: number) => new Date(startOf(index) + offset).toISOString();
    const list = await answered(`/?status=${given.status}&from=${at(0)}&to=${at(1)}`, each);
    const event = await answered(`/${idOf(index)}`, each);
    const askForStream = given.entitlement === 'down' ? call : answered;
    const stream = await askForStream(`/${idOf(index)}/stream`, each);
    const outcome = {
      listed: (list.json as { readonly event_id?: string }[])[0]?.event_id === idOf(index),
      event: event.status,
      stream: streamOutcome({ status: stream.status, body: stream.json }),
    };
    if (event.status === 404) notFound.event.add(bytesOf(event));
    if (outcome.stream === '404 EVENT_NOT_FOUND') notFound.stream.add(bytesOf(stream));
    return outcome;
  };

  return {
    ask: async () => {
      const outcomes: Outcome[] = [];
      for (const isOut of [true, false]) {
        await put(`${entitlement_url}/behaviour`, { mode: isOut ? 'down' : 'ok' });
        await inParallel(
          asked.filter(({ given }) => (given.entitlement === 'down') === isOut),
          {
            atOnce: requestsAtOnce,
            run: async (each) => {
              outcomes[each.index] = await outcomeOf(each);
            },
          },
        );
      }
      return outcomes;
    },
    get notFound() {
      return { event: [...notFound.event], stream: [...notFound.stream] };
    },
    missing: {
      event: bytesOf(await callApi(`${base_url}/api/v3/ott/events/missing`)),
      stream: bytesOf(await callApi(`${base_url}/api/v3/ott/events/missing/stream`)),
    },
  };
};
