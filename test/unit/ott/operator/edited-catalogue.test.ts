import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editedCatalogueOf } from '../../../../operator/ott/events/edited-catalogue.ts';
import type { Target } from '../../../../operator/platform/target/target.ts';
import {
  type Behaviour,
  dropsTheConnection,
  startTinyServer,
  type TinyServer,
} from '../../../support/ott/tiny-server.ts';

let sts: TinyServer;
beforeAll(async () => {
  sts = await startTinyServer();
});
afterAll(() => sts[Symbol.asyncDispose]());

const identity =
  '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>arn:aws:iam::1:user/ana</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>';

const now = Date.parse('2026-05-01T20:00:00Z');

const answers: Behaviour = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/xml', date: new Date(now).toUTCString() }).end(identity);
};

const target = (): Target => ({
  stage: 'local',
  isLocal: true,
  aws: {
    region: 'us-east-1',
    endpoint: sts.url,
    credentials: { accessKeyId: 'operator', secretAccessKey: 'operator' },
  },
  isProtected: false,
  localIssuer: undefined,
  command: (words) => words,
  output: () => 'Events',
});

describe('a command that changes events', () => {
  it.each([
    ['180 seconds behind', -180],
    ['6 seconds ahead of', 6],
  ])('is refused while the clock of the machine is %s that of AWS', async (text, ahead) => {
    sts.behave(answers);

    await expect(editedCatalogueOf(target(), { clock: () => now + ahead * 1_000 })).rejects.toThrow(
      `The clock of this machine is ${text} that of AWS`,
    );
  });

  it.each([
    ['the clock is right to a few seconds', answers, 3],
    ['STS does not answer', dropsTheConnection, 180],
  ])('goes on if %s', async (_, behaviour, ahead) => {
    sts.behave(behaviour);

    await editedCatalogueOf(target(), { clock: () => now + ahead * 1_000 });
  });
});
