import { describe, expect, it } from 'vitest';
import {
  configureApplication,
  readConfiguration,
} from '../../../operator/stage/applications/configure-application.ts';
import type { Signing } from '../../../shared/ott/streams/signed-path.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { ApplicationConflictError } from '../../../shared/platform/applications/errors.ts';
import { anOttApplication } from '../../support/ott/builders.ts';

const configuration = {
  ott: {
    rules: [{ id: 'free', enabled: true, access: 'free' as const }],
    geoblocking: { enabled: true as const, mode: 'block' as const, countries: ['CH'] },
  },
};

const registry = (stored: Application) => {
  const saved: Application[] = [];
  return {
    saved,
    find: async (id: string) => (id === stored.id ? stored : undefined),
    save: async (application: Application) => {
      saved.push(application);
      return application;
    },
  };
};

describe('the configuration file of an application', () => {
  const read = (value: unknown, signing: Signing = 'cookies') =>
    readConfiguration({ file: 'rules.json', text: JSON.stringify(value), signing });

  it('is read unchanged', () => {
    expect(read(configuration)).toEqual(configuration);
  });

  it.each([
    ['names nothing to change', {}],
    ['ott.rules', { ott: { rules: [configuration.ott.rules[0], configuration.ott.rules[0]] } }],
    ['ott.rules, entry 1, enabled', { ott: { rules: [{ id: 'x' }] } }],
    [
      'ott.rules, entry 1, statuses, entry 1',
      { ott: { rules: [{ id: 'x', enabled: true, statuses: ['SOON'] }] } },
    ],
    [
      'ott.geoblocking.countries, entry 1',
      { ott: { rules: [], geoblocking: { enabled: true, mode: 'block', countries: ['ch'] } } },
    ],
    ['tier: Unknown field', { ...configuration, tier: 'premium' }],
    ['ott.rules, entry 1, id', { ott: { rules: [{ id: '\u200B', enabled: true }] } }],
    ['ott.rules, entry 1, id', { ott: { rules: [{ id: 'a\u0000', enabled: true }] } }],
  ])('is rejected, and the error names %s', (path, value) => {
    expect(() => read(value)).toThrow(new RegExp(path.replaceAll('.', '\\.')));
  });

  it.each(['none', 'url'] as const)(
    'is rejected with a limit of streams when the stage does not sign with cookies (%s)',
    (signing) => {
      const limited = { ott: { ...configuration.ott, streams_at_once: 2 } };

      expect(read(limited)).toEqual(limited);
      expect(read({ ott: { streams_at_once: null } }, signing)).toEqual({ ott: { streams_at_once: null } });
      expect(() => read(limited, signing)).toThrow(/ott\.streams_at_once.*does not sign with cookies/);
    },
  );

  it('is rejected when it is not JSON', () => {
    expect(() => readConfiguration({ file: 'rules.json', text: '{', signing: 'cookies' })).toThrow(
      /rules\.json is not valid JSON/,
    );
  });
});

describe('the command that configures an application', () => {
  it('changes only the rules and geoblocking of the application', async () => {
    const stored = anOttApplication();
    const applications = registry(stored);

    const { isChanged } = await configureApplication({
      id: 'fan-app',
      configuration,
      applications,
    });

    expect(isChanged).toBe(true);
    expect(applications.saved).toEqual([{ ...stored, ott: configuration.ott }]);
  });

  it('adds the web origins for linking wallets, and keeps rules, countries and limit', async () => {
    const stored = anOttApplication({ ...configuration.ott, streams_at_once: 2 });
    const applications = registry(stored);
    const wallets = { origins: ['https://fans.example'] };

    await configureApplication({
      id: 'fan-app',
      configuration: readConfiguration({
        file: 'wallets.json',
        text: JSON.stringify({ wallets }),
        signing: 'none',
      }),
      applications,
    });

    expect(applications.saved).toEqual([{ ...stored, wallets }]);
  });

  it('changes only the fields of `ott` that are in the file, and removes those that are null', async () => {
    const stored = anOttApplication({ ...configuration.ott, streams_at_once: 2 });
    const applications = registry(stored);

    await configureApplication({
      id: 'fan-app',
      configuration: readConfiguration({
        file: 'ott.json',
        text: '{"ott":{"geoblocking":null}}',
        signing: 'cookies',
      }),
      applications,
    });

    expect(applications.saved).toEqual([
      { ...stored, ott: { rules: configuration.ott.rules, streams_at_once: 2 } },
    ]);
  });

  it('writes nothing when the application already has this configuration', async () => {
    const applications = registry(anOttApplication(configuration.ott));

    const { isChanged } = await configureApplication({
      id: 'fan-app',
      configuration,
      applications,
    });

    expect([isChanged, applications.saved]).toEqual([false, []]);
  });

  it('reports an application that does not exist', async () => {
    const configuring = configureApplication({
      id: 'nobody',
      configuration,
      applications: registry(anOttApplication()),
    });

    await expect(configuring).rejects.toThrow('There is no application nobody.');
  });

  it('asks the operator to try again when another command has changed the application meanwhile', async () => {
    const applications = {
      ...registry(anOttApplication()),
      save: async () => {
        throw new ApplicationConflictError({ id: 'fan-app' });
      },
    };

    await expect(configureApplication({ id: 'fan-app', configuration, applications })).rejects.toThrow(
      /try again/,
    );
  });
});
